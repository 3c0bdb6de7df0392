"""Starlette: the handler's `request.json()`."""


def request_json(bench):
    from starlette import requests
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    async def tool(request):
        with bench.reading():
            value = await request.json()
        bench.execute(value)
        return PlainTextResponse("ran")

    return bench.asgi(Starlette(routes=[Route("/tool", tool, methods=["POST"])]), ("starlette", requests))
