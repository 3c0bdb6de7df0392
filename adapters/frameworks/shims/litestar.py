"""Litestar: the handler's `request.json()`, and a body that is declared as anything."""


def _uses():
    import msgspec
    from litestar.serialization import msgspec_hooks

    return ("litestar", msgspec_hooks), ("msgspec", msgspec)


def raw(bench):
    from litestar import Litestar, Request, post

    @post("/tool")
    async def tool(request: Request) -> None:
        with bench.reading():
            value = await request.json()
        bench.execute(value)

    return bench.asgi(Litestar([tool], openapi_config=None, logging_config=None), *_uses())


def body(bench):
    from typing import Any

    from litestar import Litestar, post

    @post("/tool")
    async def tool(data: Any) -> None:
        bench.execute(data)

    return bench.asgi(Litestar([tool], openapi_config=None, logging_config=None), *_uses())
