"""A running service, asked over HTTP: it really executes, so it must be allowed to be asked."""

import http.client
import ipaddress
import socket
from urllib.parse import urlsplit


def addresses_of(tools, host, port):
    """The addresses that are asked: resolved once, and checked."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise tools.Refused("the host %s is not known" % host) from None
    if tools.options.get("remote") != "true":
        for each in found:
            if not ipaddress.ip_address(each[4][0].partition("%")[0]).is_loopback:
                raise tools.Refused("%s is not on this machine's loopback" % host)
    return [(family, where) for family, _, _, _, where in found]


def make(tools):
    parts = urlsplit(tools.options["target"])
    if tools.options.get("executes") != "true":
        raise tools.Refused("a service really executes: it needs executes = true")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise tools.Refused("the address must be http://HOST:PORT or https://HOST:PORT, without a user")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = addresses_of(tools, parts.hostname, port)
    host = parts.netloc.encode("ascii")
    listening = tools.load("listener")
    named, place = listening.address_named(tools), listening.PLACE
    listener = listening.Listener(tools, named) if named or listening.wanted(tools) else None
    template, prefix = tools.template, parts.path.rstrip("/")
    context = None
    if parts.scheme == "https":
        import ssl

        context = ssl.create_default_context()

    def connected():
        """A connection to one of the addresses that were checked; the name is not asked again."""
        for family, where in addresses[:-1]:
            try:
                return connected_to(family, where)
            except OSError:
                continue
        return connected_to(*addresses[-1])

    def connected_to(family, where):
        plain = socket.socket(family, socket.SOCK_STREAM)
        try:
            plain.connect(where)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return context.wrap_socket(plain, server_hostname=parts.hostname) if context else plain
        except BaseException:
            plain.close()
            raise

    try:
        connected().close()
    except OSError as error:
        said = "nobody answers at the address (%s): start the service" % type(error).__name__
        raise tools.Refused(said) from None

    def deliver(case):
        body, lines = template.body(case), template.lines(case)
        sink = listener.address(case) if listener else place
        case.known = False
        connection = http.client.HTTPConnection(parts.hostname, port)
        try:
            connection.sock = connected()
            path = (prefix + template.path).replace(place, sink)
            connection.putrequest(template.method, path, skip_host=True, skip_accept_encoding=True)
            connection.putheader("host", host)
            for name, value in lines:
                connection.putheader(name.decode(), value.replace(place.encode(), sink.encode()))
            connection.putheader("content-length", str(len(body)))
            connection.putheader("connection", "close")
            connection.endheaders(body)
            response = connection.getresponse()
            answer = response.read(tools.signals.MOST_BODY + 1)
            kind = (response.getheader("content-type") or "").lower().encode("latin-1", "replace")
            tools.signal.response(case, response.status, kind, answer)
        except (OSError, http.client.HTTPException) as error:
            case.end("failed", "exception " + type(error).__name__, "no whole response")
        finally:
            connection.close()
            # Without a report nobody can tell; after the first, silence means that nothing ran.
            case.known = listener is not None and listener.reported

    return deliver, lambda: None
