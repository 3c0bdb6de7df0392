"""Flask: the handler's `request.get_json()`."""


def get_json(bench):
    from flask import Flask, request, wrappers
    from werkzeug import wrappers as werkzeug

    app = Flask("tool")

    @app.post("/tool")
    def tool():
        with bench.reading():
            value = request.get_json()
        bench.execute(value)
        return "ran"

    return bench.wsgi(app, ("flask", wrappers), ("werkzeug", werkzeug))
