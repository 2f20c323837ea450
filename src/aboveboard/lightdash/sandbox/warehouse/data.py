"""The shop's data, the same rows every time: two years of orders, and who placed, paid and counted them.

Nothing here is random: a row's values follow from its number by a checksum.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from zlib import crc32

from aboveboard.lightdash.sandbox.warehouse.names import CITIES, FIRST_NAMES, LAST_NAMES, PRODUCTS, TABLES

COLUMNS: dict[str, dict[str, str]] = {
    table: {column.split()[0]: column.split()[1] for column in columns.split(", ")} for table, columns in TABLES.items()
}
"""The tables, and the type of each of their columns in Lightdash's words."""

OPENED = datetime(2024, 11, 18, 8, 0)
ORDERS, CUSTOMERS = 400, 60
_TYPES = {"number": "REAL", "integer": "INTEGER", "boolean": "BOOLEAN"}
_METHODS = ("card", "cash", "bank_transfer", "gift_card")
_SOURCES = ("counter", "counter", "web", "phone")
_DOORS = ("Main street", "Café garden")

Row = tuple[object, ...]


@cache
def image() -> bytes:
    """The database as SQLite stores it."""
    db = sqlite3.connect(":memory:")
    orders = list(_orders())
    payments = list(_payments(orders))
    rows: dict[str, Sequence[Row]] = {
        "customers": list(_customers()),
        "products": list(_products(orders)),
        "orders": orders,
        "payments": payments,
        "visits": list(_visits()),
    }
    for table, columns in COLUMNS.items():
        declared = ", ".join(f"{name} {_TYPES.get(kind, 'TEXT')}" for name, kind in columns.items())
        db.execute(f"CREATE TABLE {table} ({declared})")
        marks = ", ".join("?" * len(columns))
        db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows[table])  # noqa: S608 - a name from TABLES
    db.commit()
    stored = db.serialize()
    db.close()
    return stored


def _roll(what: str, number: int, sides: int) -> int:
    return crc32(f"{what} {number}".encode()) % sides


def _customers() -> Iterator[Row]:
    for number in range(1, CUSTOMERS + 1):
        city, country = CITIES[_roll("city", number, len(CITIES))]
        name = f"{FIRST_NAMES[number % len(FIRST_NAMES)]} {LAST_NAMES[(number * 7) % len(LAST_NAMES)]}"
        created = OPENED + timedelta(days=_roll("created", number, 720), minutes=_roll("minute", number, 600))
        member = None if number % 10 == 0 else int(number % 3 == 0)
        email = f"customer{number}@example.org"
        visits = _roll("visits", number, 40)
        yield number, name, email, city, country, created.isoformat(" "), member, visits


def _orders() -> Iterator[Row]:
    for number in range(1, ORDERS + 1):
        at = OPENED + timedelta(days=number * 727 // ORDERS, minutes=_roll("time", number, 660))
        product = 1 + _roll("product", number, len(PRODUCTS) - 1)  # the last product never sells
        quantity = 1 + _roll("quantity", number, 5)
        price = PRODUCTS[product - 1][2]
        promo = "WELCOME10" if number % 9 == 0 else "CAFÉ5" if number % 14 == 0 else None
        discount = round(price * quantity * (0.1 if promo == "WELCOME10" else 0.05), 2) if promo else 0.0
        amount = round(price * quantity - discount, 2)
        tax = round(amount * 0.07, 2)
        status = _status(number)
        delivery = None if number % 6 == 0 else (at + timedelta(days=1 + _roll("delivery", number, 6))).date()
        yield (
            number,
            1 + _roll("customer", number, CUSTOMERS),
            product,
            at.isoformat(" "),
            delivery and delivery.isoformat(),
            status,
            int(status == "completed"),
            _SOURCES[_roll("source", number, len(_SOURCES))],
            promo,
            quantity,
            amount,
            tax,
        )


def _status(number: int) -> str:
    if number > ORDERS - 12:
        return "placed"
    if number > ORDERS - 40:
        return "shipped"
    return {0: "returned", 1: "return_pending"}.get(number % 25, "completed")


def _products(orders: Sequence[Row]) -> Iterator[Row]:
    for number, (name, category, price, cost) in enumerate(PRODUCTS, 1):
        sold = [order for order in orders if order[2] == number]
        units = sum(int(str(order[9])) for order in sold)
        revenue = round(sum(float(str(order[10])) for order in sold), 2)
        launched = date(2024, 1, 1) + timedelta(days=31 * number)
        spent = round(cost * units, 2)
        yield number, name, category, price, cost, launched.isoformat(), units, revenue if sold else None, spent


def _payments(orders: Sequence[Row]) -> Iterator[Row]:
    """One payment an order, two for large ones, none for orders that are only placed."""
    number = 0
    for order in orders:
        identity, at, status, amount = int(str(order[0])), str(order[3]), order[5], float(str(order[10]))
        if status == "placed":
            continue
        parts = [amount] if amount < 25 else [20.0, round(amount - 20, 2)]
        for part in parts:
            number += 1
            method = _METHODS[_roll("method", number, len(_METHODS))]
            paid = datetime.fromisoformat(at) + timedelta(minutes=5)
            refunded = (paid + timedelta(days=9)).date().isoformat() if status == "returned" else None
            yield number, identity, method, part, paid.isoformat(" "), refunded


def _visits() -> Iterator[Row]:
    """People through each of two doors, four times a day for two years: more rows than a page or a limit."""
    number = 0
    for day in range(730):
        for hour in (9, 12, 15, 18):
            for door in _DOORS:
                number += 1
                at = OPENED.replace(hour=hour) + timedelta(days=day)
                degrees = None if number % 97 == 0 else round(5 + _roll("degrees", number, 250) / 10, 1)
                yield number, at.isoformat(" "), door, _roll("people", number, 30), degrees
