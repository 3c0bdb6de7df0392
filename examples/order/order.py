"""A shop: the text of an order is stored, shown by SQLite, and executed by Python."""

import json
import sqlite3

DATABASE = sqlite3.connect(":memory:", check_same_thread=False)
COLUMNS = "SELECT json_extract(?1, '$.item'), json_extract(?1, '$.quantity') WHERE json_valid(?1)"


def screen(raw, ctx):
    """The list of orders, as a person sees it: two columns of the stored text."""
    try:
        rows = DATABASE.execute(COLUMNS, [raw.decode()]).fetchall()
    except UnicodeDecodeError:
        ctx.reject("not UTF-8")
    if not rows:
        ctx.reject("no JSON")
    item, quantity = rows[0]
    ctx.preview({"item": item, "quantity": quantity}, "the list of orders")


def service(raw, ctx):
    """The service that ships them."""
    order = json.loads(raw)
    ctx.execute({"item": order["item"], "quantity": order["quantity"]})
