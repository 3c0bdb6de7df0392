"""Django: `json.loads(request.body)`, as its views read JSON; and Django REST framework: `request.data`."""


def _configure(**more):
    import sys
    import types

    from django.conf import settings

    urls = types.ModuleType("_whichwins_urls")
    sys.modules[urls.__name__] = urls
    settings.configure(
        ALLOWED_HOSTS=["localhost"],
        DEBUG=False,
        LOGGING_CONFIG=None,
        ROOT_URLCONF=urls.__name__,
        SECRET_KEY="of no use",
        **more,
    )
    import django

    django.setup()
    return urls


def body(bench):
    import json

    urls = _configure()
    from django.core.handlers.wsgi import WSGIHandler
    from django.http import HttpResponse, request
    from django.urls import path

    def tool(asked):
        with bench.reading():
            value = json.loads(asked.body)
        bench.execute(value)
        return HttpResponse("ran")

    urls.urlpatterns = [path("tool", tool)]
    return bench.wsgi(WSGIHandler(), ("django", request))


def rest(bench):
    urls = _configure(
        INSTALLED_APPS=["rest_framework"],
        REST_FRAMEWORK={
            "DEFAULT_AUTHENTICATION_CLASSES": [],
            "DEFAULT_PERMISSION_CLASSES": [],
            "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
            "UNAUTHENTICATED_USER": None,
        },
    )
    from django.core.handlers.wsgi import WSGIHandler
    from django.http import request
    from django.urls import path
    from rest_framework import parsers
    from rest_framework.response import Response
    from rest_framework.views import APIView

    class Tool(APIView):
        def post(self, asked):
            with bench.reading():
                value = asked.data
            bench.execute(value)
            return Response("ran")

    urls.urlpatterns = [path("tool", Tool.as_view())]
    return bench.wsgi(WSGIHandler(), ("djangorestframework", parsers), ("django", request))
