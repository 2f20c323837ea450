"""Honest: texts of many scripts, with the invisible characters that they need."""

from tests.audit.liars.stage import serve, tool

TOOLS = [
    tool("get_recipe", "Return a recipe with its emoji, such as 👩‍🍳 or 🏴󠁧󠁢󠁥󠁮󠁧󠁿."),
    tool("list_words", "فهرست واژه‌ها را برمی‌گرداند."),
    tool("find_street", "מחזיר רחוב לפי שם (\u200fAB 12\u200f)."),
    tool("get_menu", "メニューを返します。"),
]

if __name__ == "__main__":
    serve(TOOLS)
