"""The shop's tables as SELECTs over no table at all: any PostgreSQL is a warehouse that has them."""

from typing import Any, Final

SOURCES: Final = {
    "customers": """
select n as customer_id, (array['Ana', 'Björn', 'Chloé', '佐藤', 'Łukasz'])[1 + n % 5] || ' ' || n as name,
  'customer' || n || '@example.org' as email, (array['Berlin', 'München', null, 'Paris', '東京'])[1 + n % 5] as city,
  (array['Germany', 'Germany', 'Germany', 'France', 'Japan'])[1 + n % 5] as country,
  timestamp '2024-11-18 08:00' + n * interval '291 hours' as created,
  case when n % 10 > 0 then n % 3 = 0 end as is_member, n * 11 % 40 as visits
from generate_series(1, 60) as n""",
    "products": """
select n as product_id,
  (array['Espresso', 'Café crème', '抹茶ラテ', 'Brötchen', 'Mug "Corner"'])[1 + n % 5] || ' ' || n as name,
  (array['coffee', 'coffee', 'tea', 'bakery', 'gifts'])[1 + n % 5] as category, n + 0.9 as price, n * 0.4 as cost,
  date '2024-01-01' + 31 * n as launched, n * 13 % 70 as sold, n * 13 % 70 * (n + 0.9) as revenue,
  n * 13 % 70 * n * 0.4 as spent
from generate_series(1, 20) as n""",
    "orders": """
select n as order_id, 1 + n * 7 % 60 as customer_id, 1 + n * 3 % 20 as product_id,
  timestamp '2024-11-18 08:00' + n * interval '43 hours' as order_date,
  case when n % 6 > 0 then date '2024-11-20' + n * 43 / 24 end as delivery_date,
  (array['placed', 'shipped', 'completed', 'completed', 'returned', 'return_pending'])[1 + n % 6] as status,
  n % 6 in (2, 3) as is_completed, (array['counter', 'counter', 'web', 'phone'])[1 + n % 4] as source,
  case when n % 9 = 0 then 'WELCOME10' when n % 14 = 0 then 'CAFÉ5' end as promo_code, 1 + n % 5 as quantity,
  (1 + n % 5) * (n % 20 + 0.9) as amount, round((1 + n % 5) * (n % 20 + 0.9) * 0.07, 2) as tax
from generate_series(1, 400) as n""",
    "payments": """
select n as payment_id, n as order_id, (array['card', 'cash', 'bank_transfer', 'gift_card'])[1 + n % 4] as method,
  (1 + n % 5) * (n % 20 + 0.9) as amount, timestamp '2024-11-18 08:05' + n * interval '43 hours' as paid_at,
  case when n % 6 = 4 then date '2024-11-29' + n * 43 / 24 end as refunded_date
from generate_series(1, 380) as n""",
    "visits": """
select n as visit_id, timestamp '2024-11-18 09:00' + n * interval '3 hours' as counted_at,
  (array['Main street', 'Café garden'])[1 + n % 2] as door, n * 17 % 30 as people,
  case when n % 97 > 0 then 5 + n * 7 % 250 / 10.0 end as temperature
from generate_series(1, 5840) as n""",
}
"""By the name of the table."""


def readable(explore: dict[str, Any]) -> dict[str, Any]:
    """Return an explore that reads these SELECTs where it read tables."""
    tables = {name: table | {"sqlTable": f"({SOURCES[name].strip()})"} for name, table in explore["tables"].items()}
    return explore | {"tables": tables}
