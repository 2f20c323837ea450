"""HTML of the web as Markdown: what is read stays, and nothing that runs, loads or misleads."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aboveboard.nextcloud.tools.news.html import LARGEST, markdown


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("plain words", "plain words"),
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("One<br>two<br/>three", "One\ntwo\nthree"),
        ("<b>bold</b>, <i>slanted</i>, <code>x = 1</code>", "**bold**, *slanted*, `x = 1`"),
        ("<h1>Head</h1>text<h3>Sub</h3>", "# Head\n\ntext\n\n### Sub"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"),
        ("<ol><li><p>a</p></li><li>b</li></ol>", "1. a\n1. b"),
        ("<blockquote><p>said</p><p>more</p></blockquote>after", "> said\n\n> more\n\nafter"),
        ("<pre>  a\n   b*</pre>", "```\n  a\n   b*\n```"),
        ("<pre>```</pre>", "````\n```\n````"),
        ('<a href="https://x.example/a">here</a>', "[here](https://x.example/a)"),
        ('<a href="https://x.example/a(1) b">here</a>', "[here](https://x.example/a%281%29b)"),
        (
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td><p>x</p></td></tr></table>",
            "| a | b |\n| --- | --- |\n| 1\\|2 | x |",
        ),
        ('<img src="https://x.example/i.png" alt="A [cat]">', "[image: A \\[cat\\]](https://x.example/i.png)"),
        ('<iframe src="https://v.example/1"></iframe>', "[page](https://v.example/1)"),
        ("2&nbsp;m² &amp; &lt;b&gt; &#x1F600; &bogus;", "2 m² & \\<b> 😀 &bogus;"),
        ("<b></b><p> </p><i> </i>x", "x"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<div><section>deep</section></div>tail", "deep\n\ntail"),
    ],
)
def test_what_people_read_is_kept(html: str, text: str) -> None:
    assert markdown(html) == text


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<style>p { color: red }</style>",
        '<a href="javascript:alert(1)"></a>',
        '<img src="data:image/png;base64,AAAA" alt="x">',
        '<img src="file:///etc/passwd">',
        '<form action="https://evil.example"><input value="x"><button>Send</button></form>',
        "<svg><text>x</text></svg>",
        '<object data="https://evil.example"></object>',
        "<!-- hidden --><?php hidden ?>",
        "<template><p>hidden</p></template>",
    ],
)
def test_what_runs_or_loads_is_left_out(html: str) -> None:
    assert markdown(html) == ""
    assert markdown(f"before {html} after").split() == ["before", "after"]


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        " java\nscript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "/local",
        "",
    ],
)
def test_a_link_goes_to_the_web_or_nowhere(href: str) -> None:
    assert markdown(f'<a href="{href}">words</a>') == "words"


@pytest.mark.parametrize("text", ["# no head", "- no item", "> no quote", "1. no item", "| no | table |", "+ no item"])
def test_text_that_looks_like_markdown_is_text(text: str) -> None:
    assert markdown(f"<p>{text}</p>") == f"\\{text}"


def test_text_cannot_make_a_link_a_picture_or_code() -> None:
    assert markdown("![x](http://evil.example) [y](javascript:z) `c` *s*") == (
        "!\\[x\\](http://evil.example) \\[y\\](javascript:z) \\`c\\` \\*s\\*"
    )


def test_entities_are_not_resolved_from_anywhere() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><p>&b;&f;</p>'
    text = markdown(bomb)
    assert "haha" not in text
    assert "root:" not in text


def test_a_tree_of_any_depth_and_a_text_of_any_length_are_read_without_falling_over() -> None:
    assert "deep" in markdown("<b>" * 200 + "deep" + "</b>" * 200)
    for tag in ("div", "b", "blockquote", "ul><li", "table><tr><td", "a href='http://x'"):
        assert isinstance(markdown(f"<{tag}>" * 20_000 + "x"), str)
    assert len(markdown("x" * (LARGEST + 10))) <= LARGEST


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(markdown(text), str)


_TAGS = ("p", "b", "a", "li", "ul", "ol", "td", "tr", "table", "pre", "code", "br", "script", "h2", "blockquote", "img")


@given(
    st.lists(
        st.tuples(st.sampled_from(_TAGS), st.booleans(), st.text(alphabet="ab*[]<& \n`|", max_size=5)), max_size=30
    )
)
def test_any_tangle_of_tags_is_read_and_links_only_to_the_web(parts: list[tuple[str, bool, str]]) -> None:
    html = "".join(
        f"<{'/' if closing else ''}{tag} href='javascript:x' src='javascript:x'>{text}" for tag, closing, text in parts
    )
    assert not re.search(r"(?<!\\)\]\((?!https?:)", markdown(html))
