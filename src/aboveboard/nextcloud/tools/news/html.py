"""HTML that someone on the web wrote, as Markdown: what is read, and nothing that runs, loads or misleads.

Scripts, styles and forms are left out. Links go to http, https and mail only; a picture is a link too, so that showing
the text fetches nothing. The tree is walked without recursion, however deep it is.
"""

import re
from typing import Any, Final

from lxml import etree

from aboveboard.nextcloud.tools.files.markdown import heading, join_parts, table

LARGEST: Final = 1_000_000
"""Characters of HTML that are read; more than that nobody wrote to be read."""

_SKIPPED: Final = frozenset(
    (
        *("head", "script", "style", "template", "noscript", "svg", "math", "object", "embed", "applet"),
        *("form", "input", "select", "textarea", "button", "canvas"),
    )
)
_BLOCKS: Final = frozenset(
    (
        *("p", "div", "section", "article", "main", "header", "footer", "aside", "nav", "figure", "figcaption"),
        *(
            "ul",
            "ol",
            "li",
            "dl",
            "dt",
            "dd",
            "blockquote",
            "pre",
            "hr",
            "table",
            "tr",
            "details",
            "summary",
            "address",
        ),
        *("h1", "h2", "h3", "h4", "h5", "h6", "body", "html"),
    )
)
_MARKS: Final = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
_MEDIA: Final = {"img": "image", "video": "video", "audio": "audio", "iframe": "page"}
_LISTS: Final = frozenset({"ul", "ol"})
_SPECIAL: Final = re.compile(r"([\\`*\[\]<])")
_LIKE_A_BLOCK: Final = re.compile(r"(?=#{1,6} |>|[-+] |\d+[.)] |~~~|\|)")
_UNSENDABLE: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def markdown(html: str) -> str:
    """Return HTML as Markdown; what is no HTML is text."""
    clean = _UNSENDABLE.sub(" ", html[:LARGEST]).strip()
    if not clean:
        return ""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(f"<div>{clean}</div>".encode(), parser)
    writer = _Writer()
    if root is not None:
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                writer.start(element)
            else:
                writer.end(element)
    return join_parts(writer.finish()).strip()


class _Writer:
    """Collects blocks while a tree is walked."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._line: list[str] = []
        self._within: list[str] = []
        """The tags around what is read now."""
        self._skipping: Any = None
        self._spans: list[tuple[str, str, int]] = []
        """Links and marks that are open: their tag, where a link goes, and where in the line their words begin."""
        self._rows: list[list[str]] | None = None
        self._item = ""
        """What begins the next block of a list."""

    def start(self, element: Any) -> None:
        tag = str(element.tag)
        if self._skipping is not None:
            return
        if tag in _SKIPPED:
            self._skipping = element
            return
        self._open(tag, element)
        self._within.append(tag)
        self._write(element.text)

    def end(self, element: Any) -> None:
        tag = str(element.tag)
        if self._skipping is None:
            self._within.pop()
            self._close(tag)
        elif self._skipping is element:
            self._skipping = None
        if self._skipping is None:
            self._write(element.tail)

    def finish(self) -> list[str]:
        """Return all blocks."""
        self._flush()
        return self._blocks

    def _open(self, tag: str, element: Any) -> None:
        if tag in _BLOCKS and self._rows is None:
            self._flush()
        if tag == "table" and self._rows is None:
            self._rows = []
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag == "li":
            lists = [one for one in self._within if one in _LISTS]
            self._item = "  " * (len(lists) - 1) + ("1. " if lists[-1:] == ["ol"] else "- ")
        elif tag == "a" or tag in _MARKS:
            self._spans.append((tag, _address(element.get("href")), len(self._line)))
        else:
            self._line.append(self._inline(tag, element))

    def _inline(self, tag: str, element: Any) -> str:
        """Return what a tag is within a line."""
        if tag == "br":
            return "\n"
        source = _address(element.get("src")) if tag in _MEDIA else ""
        words = " ".join(str(element.get("alt") or "").split())
        return f"[{_MEDIA[tag]}{f': {_escaped(words)}' if words else ''}]({source})" if source else ""

    def _close(self, tag: str) -> None:
        if tag == "a" or tag in _MARKS:
            self._close_span(tag)
        elif tag in ("td", "th") and self._rows:
            self._rows[-1].append(self._taken())
        elif tag == "table" and self._rows is not None and "table" not in self._within:
            rows, self._rows = self._rows, None
            self._blocks.append(self._quoted(table(rows)))
        elif tag in _BLOCKS and self._rows is None:
            self._flush(tag)
        if tag == "hr":
            self._blocks.append("---")

    def _close_span(self, tag: str) -> None:
        """Put its mark around words, or make them a link; where a block began between, they stay as they are."""
        if "pre" in self._within or not self._spans or self._spans[-1][0] != tag:
            return
        _, address, begun = self._spans.pop()
        words = "".join(self._line[begun:])
        core = " ".join(words.split())
        if core and tag in _MARKS:
            core = f"{_MARKS[tag]}{core}{_MARKS[tag]}"
        elif core and address and "](" not in core:
            core = f"[{core}]({address})"
        before, after = (" " if words[edge].isspace() else "" for edge in (0, -1)) if words else ("", "")
        self._line[begun:] = [before, core, after]

    def _write(self, text: str | None) -> None:
        if not text or self._skipping is not None:
            return
        if "pre" in self._within:
            self._line.append(text)
        else:
            self._line.append(_escaped(re.sub(r"\s+", " ", text)))

    def _taken(self) -> str:
        """Return what was collected, with single spaces and the lines that it has."""
        text = "".join(self._line)
        self._line, self._spans = [], []
        return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip()

    def _flush(self, tag: str = "") -> None:
        """End a block, as what it is."""
        if tag == "pre":
            text = "".join(self._line).strip("\n")
            self._line, self._spans = [], []
            if text.strip():
                fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
                self._blocks.append(self._quoted(f"{fence}\n{text}\n{fence}"))
            return
        text = self._taken()
        if not text:
            return
        if re.fullmatch("h[1-6]", tag):
            text = heading(int(tag[1]), text)
        elif not self._item:
            text = _LIKE_A_BLOCK.sub(r"\\", text, count=1) if _LIKE_A_BLOCK.match(text) else text
        indent = " " * len(self._item)
        text = self._item + text.replace("\n", f"\n{indent}")
        self._item = ""
        self._blocks.append(self._quoted(text))

    def _quoted(self, text: str) -> str:
        mark = "> " * self._within.count("blockquote")
        return "\n".join(f"{mark}{line}" for line in text.split("\n")) if mark else text


def _escaped(text: str) -> str:
    """Return text in which nothing is taken for Markdown that is none."""
    return _SPECIAL.sub(r"\\\1", text)


def _address(given: str | None) -> str:
    """Return an address that may be followed; empty where it is none."""
    address = "".join((given or "").split())
    if not re.match(r"(https?://|mailto:)", address, re.IGNORECASE):
        return ""
    return re.sub(r'[()<>\\"`\[\]]', lambda found: f"%{ord(found[0]):02X}", address)[:2000]
