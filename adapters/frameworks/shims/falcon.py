"""Falcon: the responder's `req.get_media()`."""


def get_media(bench):
    import falcon
    from falcon.media import json as handler

    class Tool:
        def on_post(self, req, resp):
            with bench.reading():
                value = req.get_media()
            bench.execute(value)

    app = falcon.App()
    app.add_route("/tool", Tool())
    return bench.wsgi(app, ("falcon", handler))
