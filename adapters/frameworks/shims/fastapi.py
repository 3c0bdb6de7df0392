"""FastAPI: the body that a handler reads itself, one that is declared as anything, and a model."""


def _uses():
    import pydantic
    from fastapi import routing
    from starlette import requests

    return ("fastapi", routing), ("starlette", requests), ("pydantic", pydantic)


def raw(bench):
    from fastapi import FastAPI, Request

    app = FastAPI()

    @app.post("/tool")
    async def tool(request: Request):
        with bench.reading():
            value = await request.json()
        bench.execute(value)

    return bench.asgi(app, *_uses())


def body(bench):
    from typing import Any

    from fastapi import Body, FastAPI

    app = FastAPI()

    @app.post("/tool")
    async def tool(value: Any = Body()):
        bench.execute(value)

    return bench.asgi(app, *_uses())


def model(bench):
    from fastapi import FastAPI
    from pydantic import BaseModel, ConfigDict

    class Anything(BaseModel):
        model_config = ConfigDict(extra="allow")

    app = FastAPI()

    @app.post("/tool")
    async def tool(value: Anything):
        bench.execute(value)

    return bench.asgi(app, *_uses())
