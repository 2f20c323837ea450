"""Names in the shop's data: tables and their columns, products, people and places."""

TABLES = {
    "customers": "customer_id integer, name string, email string, city string, country string, created timestamp,"
    " is_member boolean, visits integer",
    "products": "product_id integer, name string, category string, price number, cost number, launched date,"
    " sold integer, revenue number, spent number",
    "orders": "order_id integer, customer_id integer, product_id integer, order_date timestamp, delivery_date date,"
    " status string, is_completed boolean, source string, promo_code string, quantity integer, amount number,"
    " tax number",
    "payments": "payment_id integer, order_id integer, method string, amount number, paid_at timestamp,"
    " refunded_date date",
    "visits": "visit_id integer, counted_at timestamp, door string, people integer, temperature number",
}

# name, category, price, cost
PRODUCTS = (
    ("Espresso", "coffee", 2.2, 0.5),
    ("Café crème", "coffee", 3.1, 0.7),
    ("Flat white", "coffee", 3.6, 0.9),
    ("抹茶ラテ", "tea", 4.4, 1.3),
    ("Earl Grey", "tea", 2.8, 0.4),
    ("Chaï", "tea", 3.4, 0.8),
    ("Croissant", "bakery", 1.9, 0.6),
    ("Brötchen", "bakery", 0.8, 0.2),
    ("Pain au chocolat", "bakery", 2.3, 0.8),
    ("Smørrebrød", "bakery", 5.5, 2.1),
    ("Jalapeño bagel", "bakery", 3.2, 1.0),
    ("Käsekuchen", "cake", 4.1, 1.4),
    ("Carrot cake", "cake", 4.3, 1.5),
    ("Baklava", "cake", 2.6, 0.9),
    ("Olive oil, 1 l", "grocery", 11.9, 7.4),
    ("Honey", "grocery", 7.5, 4.2),
    ("Arabica beans, 1 kg", "grocery", 18.9, 11.0),
    ("Mug \"Corner\"", "gifts", 9.5, 3.8),
    ("Tote bag", "gifts", 6.0, 2.2),
    ("Gift card", "gifts", 25.0, 25.0),
)  # fmt: skip
FIRST_NAMES = (
    "Ana", "Björn", "Chloé", "Dmitri", "Eşe", "Fatima", "Giulia", "Hiro", "Ingrid", "José", "Kwame", "Łukasz", "Mei",
)  # fmt: skip
LAST_NAMES = ("O'Brien", "Müller", "García", "佐藤", "Nowak", "Okoye", "Rossi", "Smith", "Þórsson", "Yılmaz")
CITIES: tuple[tuple[str | None, str], ...] = (
    ("Berlin", "Germany"),
    ("München", "Germany"),
    ("Paris", "France"),
    ("Łódź", "Poland"),
    ("São Paulo", "Brazil"),
    (None, "Germany"),
    ("Zürich", "Switzerland"),
    ("東京", "Japan"),
)
