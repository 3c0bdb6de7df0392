"""Where JSON is kept: a column of SQLAlchemy, the payload of a signed token."""


def sqlalchemy(bench):
    """The text is written by somebody else; the model reads it as JSON."""
    from sqlalchemy import JSON, Column, Integer, MetaData, Table, create_engine, select, text
    from sqlalchemy.sql import sqltypes

    engine = create_engine("sqlite://")
    requests = Table("requests", MetaData(), Column("id", Integer, primary_key=True), Column("body", JSON))
    requests.metadata.create_all(engine)

    def read(raw):
        bench.string(raw)  # UTF-8, or it cannot be put
        with engine.connect() as connection:
            connection.execute(text("insert into requests (body) values (:body)"), {"body": raw.decode()})
            value = connection.execute(select(requests.c.body)).scalar_one()
        bench.execute(value)

    return bench.call(read, ("sqlalchemy", sqltypes))


def jwt(bench):
    """A token that is signed over exactly these bytes."""
    import base64
    import hashlib
    import hmac

    import jwt
    from jwt import api_jwt

    key = b"of no use, but 32 bytes at least"

    def encoded(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    def read(raw):
        signed = encoded(b'{"alg":"HS256","typ":"JWT"}') + b"." + encoded(raw)
        token = signed + b"." + encoded(hmac.new(key, signed, hashlib.sha256).digest())
        bench.execute(jwt.decode(token, key, algorithms=["HS256"]))

    return bench.call(read, ("pyjwt", api_jwt))
