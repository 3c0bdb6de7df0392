"""A tool server, and the client's dialogue in which a person approves its arguments."""

import json
from typing import Any

from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

server = MCPServer("orders")


def ship(item: str, quantity: int) -> None:
    """What the tool does in the end."""
    raise NotImplementedError("an audit never gets here")


@server.tool()
def order(item: str, quantity: int) -> str:
    """Order something."""
    ship(item, quantity)
    return "ordered"


app = server.streamable_http_app(
    json_response=True,
    stateless_http=True,
    transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
)


def first(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which the first of two equal names stays, as in some streaming clients."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        found.setdefault(name, value)
    return found


def approve(raw: bytes, ctx: Any) -> None:
    """The dialogue: this much of this item, yes or no."""
    shown = json.loads(raw, object_pairs_hook=first)
    ctx.approve({"item": shown["item"], "quantity": shown["quantity"]})
