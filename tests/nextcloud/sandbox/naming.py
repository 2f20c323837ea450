"""Ids, ETags and tokens: the recording has its own, and each of ours stands for one of them."""

import re

_IN_PATHS = (
    (re.compile(r"/comments/files/(\d+)(?:/(\d+))?"), ("file", "comment")),
    (re.compile(r"/systemtags/(\d+)"), ("tag",)),
    (re.compile(r"/systemtags-relations/files/(\d+)(?:/(\d+))?"), ("file", "tag")),
    (re.compile(r"/versions/\w+/versions/(\d+)"), ("file",)),
    (re.compile(r"/apps/notes/api/[^/]+/(?:notes|attachment)/(\d+)"), ("file",)),
    (re.compile(r"/files_sharing/api/v1/shares/(\d+)"), ("share",)),
    (re.compile(r"/trash/([^/]+\.d\d+)"), ("trash",)),
    (re.compile(r"/calendars/\w+/trashbin/objects/(\d+)\.ics"), ("binned",)),
    (re.compile(r"\.attachments\.(\d+)"), ("file",)),
    (re.compile(r"(?:^|[?&])fileId=(\d+)"), ("file",)),
    (re.compile(r"/f/(\d+)$"), ("file",)),
    (re.compile(r"/(?:api/v1|webapp)/recipes/(\d+)"), ("file",)),
    (re.compile(r"(?:^|[?&])type=0&id=(\d+)"), ("feed",)),
    (re.compile(r"(?:^|[?&])type=1&id=(\d+)"), ("folder",)),
    (re.compile(r"(?:^|[?&])feedId=(\d+)"), ("feed",)),
    (re.compile(r"(?:^|[?&])offset=(\d+)"), ("item",)),
    (re.compile(r"/news/(?:api/v\d-\d/)?folders/(\d+)"), ("folder",)),
    (re.compile(r"/news/(?:api/v\d-\d/)?feeds/(\d+)"), ("feed",)),
    (re.compile(r"/news/api/v1-3/items/(\d+)"), ("item",)),
    (re.compile(r"/news/api/v1-2/items/(\d+)/\w+$"), ("item",)),
    (re.compile(r"/news/api/v1-2/items/(\d+)/\w+/star$"), ("feed",)),
)


class Names:
    """Which of our names stands for which of the recording's."""

    def __init__(self) -> None:
        self._ours: dict[tuple[str, str], str] = {}
        self._theirs: dict[tuple[str, str], str] = {}

    def learn(self, kind: str, theirs: str, ours: str) -> bool:
        """Note a pair; False where one of the two already has another partner."""
        known = self._ours.setdefault((kind, theirs), ours)
        return known == ours and self._theirs.setdefault((kind, ours), theirs) == theirs

    def renew(self, kind: str, theirs: str, ours: str) -> None:
        """Note what a name of theirs stands for from now on, whatever it stood for."""
        self._ours[kind, theirs] = ours

    def ours(self, kind: str, theirs: str) -> str:
        """Our name for a thing; an unknown one is left as it is."""
        return self._ours.get((kind, theirs), theirs)

    def forget(self, kind: str) -> None:
        """Start anew with a kind."""
        for pairs in (self._ours, self._theirs):
            for key in [key for key in pairs if key[0] == kind]:
                del pairs[key]

    def path(self, path: str) -> str:
        """A recorded path with our ids in it."""
        for pattern, kinds in _IN_PATHS:
            path = pattern.sub(lambda found, kinds=kinds: self._replace(found, kinds), path)
        return self.text(path)

    def _replace(self, found: re.Match[str], kinds: tuple[str, ...]) -> str:
        whole, start = found.group(), found.start()
        for place, kind in reversed(list(enumerate(kinds, 1))):
            value = found.group(place)
            if value is not None:
                begin, end = found.start(place) - start, found.end(place) - start
                whole = whole[:begin] + self.ours(kind, value) + whole[end:]
        return whole

    def text(self, text: str) -> str:
        """A recorded text with our tokens, ETags and lock tokens in it."""
        for (kind, theirs), ours in self._ours.items():
            if kind in {"token", "etag"} and len(theirs) > 8:
                text = text.replace(theirs, ours)
        return text
