"""aiohttp: the handler's `request.json()`, behind the loopback: it has no way in without a socket."""


def request_json(bench):
    from aiohttp import ClientSession, TCPConnector, web, web_request
    from aiohttp.test_utils import TestServer

    async def tool(request):
        with bench.reading():
            value = await request.json()
        bench.execute(value)
        return web.Response(text="ran")

    app = web.Application()
    app.router.add_post("/tool", tool)
    server, holder = TestServer(app), bench.loop()

    async def begin():
        await server.start_server()
        # A connection for each request: what one leaves behind is not the next one's.
        return ClientSession(connector=TCPConnector(force_close=True))

    session = holder.get().run_until_complete(begin())
    holder.settled()
    url = server.make_url("/tool")

    async def post(body, headers):
        skipped = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
        async with session.post(url, data=body, headers=headers, skip_auto_headers=skipped) as answer:
            return answer.status, answer.headers.get("Content-Type", ""), await answer.read()

    def deliver(case):
        headers = [(name.decode(), value.decode("latin-1")) for name, value in bench.template.lines(case)]
        status, kind, body = holder.run(case, post(bench.template.body(case), headers))
        bench.signal.response(case, status, kind.lower().encode(), body)

    return bench.shim(deliver, [("aiohttp", web_request)])
