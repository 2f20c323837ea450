"""A document that a service or a model fails at keeps nothing else back, and is not blamed for what the model did."""

from collections.abc import Sequence

import pytest
from tests.search.killed import PERSON, Numbers
from tests.search.test_syncing import ADVICE, Letters

from aboveboard.errors import ApiError, Failure, Unauthorised, api_error
from aboveboard.search.entries import Entry, Where
from aboveboard.search.person import Person
from aboveboard.search.ranking import SearchMode
from aboveboard.search.store import Index, Store
from aboveboard.search.syncing import IN_A_ROW, Sync

pytestmark = pytest.mark.anyio


class Failing(Numbers):
    """Documents, at some of which the service fails."""

    def __init__(self, count: int, **failures: ApiError) -> None:
        super().__init__(count)
        self.failures = failures

    async def text(self, entry: Entry) -> str:
        if (failure := self.failures.get(f"n{entry.key}")) is not None:
            self.fetched.append(entry.key)
            raise failure
        return await super().text(entry)


class Particular(Letters):
    """A model that fails at some texts."""

    def __init__(self, failure: Failure, at: str) -> None:
        super().__init__()
        self.failure, self.at = failure, at

    async def passages(self, texts: Sequence[str]) -> list[bytes]:
        if any(self.at in text for text in texts):
            raise self.failure
        return await super().passages(texts)


def indexed(index: Index) -> set[str]:
    return {key for key, one in index.known("number").items() if one.problem is None}


async def test_a_document_that_the_service_fails_at_waits_and_the_others_are_indexed(store: Store) -> None:
    index, source = store.open(PERSON, "test"), Failing(5, n1=api_error(500, "The service answered 500."))
    (report,) = await Sync(index, None).run([source])
    assert (report.indexed, report.waiting, report.problem) == (4, 1, "The service answered 500.")
    assert indexed(index) == {"0", "2", "3", "4"}
    assert index.mark("number") is None
    assert [(one.waiting, one.completed) for one in index.states()] == [(1, None)]
    source.failures, source.fetched = {}, []
    (report,) = await Sync(index, None).run([source])
    assert (report.is_done, source.fetched, index.mark("number")) == (True, ["1"], "all")


async def test_a_service_that_fails_again_and_again_is_left_alone(store: Store) -> None:
    broken = {f"n{at}": api_error(503, "The service answered 503.") for at in range(9)}
    index, source = store.open(PERSON, "test"), Failing(9, **broken)
    (report,) = await Sync(index, None).run([source])
    assert len(source.fetched) == IN_A_ROW
    assert (report.waiting, report.problem) == (9, "The service answered 503.")


async def test_one_who_is_no_longer_known_is_told_at_once(store: Store) -> None:
    index, source = store.open(PERSON, "test"), Failing(5, n0=Unauthorised("Who?", status=401))
    (report,) = await Sync(index, None).run([source])
    assert source.fetched == ["0"]
    assert str(report.problem).startswith("Who?")


async def test_a_document_that_may_not_be_fetched_is_remembered_with_the_reason(store: Store) -> None:
    index, source = store.open(PERSON, "test"), Failing(3, n1=api_error(403, "Downloads are off."))
    (report,) = await Sync(index, None).run([source])
    assert (report.is_done, report.failed, report.indexed) == (True, 1, 2)
    assert str(index.known("number")["1"].problem).startswith("Downloads are off.")


@pytest.mark.parametrize("status", [400, 413])
async def test_a_text_that_the_model_does_not_take_is_the_document_s_own_failure(store: Store, status: int) -> None:
    model = Particular(api_error(status, "Longer than 512 tokens."), "Document 1")
    index = store.open(PERSON, "test")
    (report,) = await Sync(index, model).run([Numbers(3)])
    assert (report.is_done, report.failed, report.indexed) == (True, 1, 2)
    assert str(index.known("number")["1"].problem).startswith("The model does not take it: Longer than 512 tokens.")


@pytest.mark.parametrize("status", [401, 404, 500])
async def test_a_model_that_is_gone_is_not_taken_for_documents_that_are(store: Store, status: int) -> None:
    model = Particular(api_error(status, "There is no such model."), "Document 1")
    index = store.open(PERSON, "test")
    (report,) = await Sync(index, model).run([Numbers(3)])
    assert (report.is_done, report.indexed, index.mark("number")) == (False, 1, None)
    assert str(report.problem).startswith("There is no such model.")


async def test_a_model_that_cannot_be_asked_any_more_leaves_the_words(store: Store) -> None:
    model = Particular(Failure("The endpoint does not answer."), "nothing yet")
    person = Person(PERSON, store, model, [Numbers(3)], ADVICE)
    await person.update()
    assert (await person.search("number", SearchMode.MEANING, Where(), 5)).hits[0].cosine is not None
    model.at = "number"
    for mode in (SearchMode.HYBRID, SearchMode.MEANING):
        answer = await person.search("number", mode, Where(), 5)
        assert len(answer.hits) == 3
        assert "The endpoint does not answer." in answer.notes[0]
