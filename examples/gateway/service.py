"""An order service in FastAPI, and the dashboard beside it."""

import sqlite3
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict

app = FastAPI()
LOG = sqlite3.connect(":memory:", check_same_thread=False)
COLUMNS = "SELECT json_extract(?1, '$.item'), json_extract(?1, '$.quantity') WHERE json_valid(?1)"


class Order(BaseModel):
    """Strict types: taken for a check of the request, and blind behind a gateway."""

    model_config = ConfigDict(strict=True)
    item: str
    quantity: int
    note: str = ""
    options: dict[str, Any] = {}


def ship(order: dict[str, Any]) -> None:
    """The tool."""
    raise NotImplementedError("an audit never gets here")


@app.post("/orders")
def place(order: Order) -> dict[str, str]:
    """Place an order."""
    ship({"item": order.item, "quantity": order.quantity})
    return {"status": "placed"}


def dashboard(raw: bytes, ctx: Any) -> None:
    """What a person sees: two columns of the logged text."""
    try:
        rows = LOG.execute(COLUMNS, [raw.decode()]).fetchall()
    except UnicodeDecodeError:
        ctx.reject("not UTF-8")
    if not rows:
        ctx.reject("no JSON")
    ctx.preview({"item": rows[0][0], "quantity": rows[0][1]}, "the dashboard")
