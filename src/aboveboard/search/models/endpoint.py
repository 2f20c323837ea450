"""A model behind `POST /v1/embeddings`, as OpenAI, Ollama, vLLM and TEI answer it. Texts leave the machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import httpx2
from pydantic import BaseModel, SecretStr, ValidationError

from aboveboard.errors import ApiError
from aboveboard.http import Nature, Response, Session, path
from aboveboard.search.entries import Vector
from aboveboard.search.models import pack_vectors

_AT: Final = "/v1/embeddings"


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where the model is, and how it wants to be asked."""

    url: str
    model: str
    key: SecretStr | None = None
    query_prefix: str = ""
    """What some models need before a query (`query: `), and before a passage (`passage: `)."""
    passage_prefix: str = ""
    batch: int = 32
    dimensions: int | None = None
    """Asked of models that can give fewer numbers than their own."""


class _Embedding(BaseModel):
    index: int
    embedding: list[float]


class _Embeddings(BaseModel):
    data: list[_Embedding]


class EndpointModel:
    """The model of one endpoint."""

    def __init__(self, endpoint: Endpoint, *, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._endpoint = endpoint
        self.name = endpoint.model
        secret = "" if endpoint.key is None else endpoint.key.get_secret_value()
        self._session = Session(
            "The embedding endpoint",
            endpoint.url.rstrip("/").removesuffix("/v1"),
            headers={"Authorization": f"Bearer {secret}"} if secret else {},
            secrets=[secret],
            transport=transport,
        )
        self._dimension: int | None = None

    async def identity(self) -> str:
        """Return what decides the directions; how many numbers they have is asked once."""
        if self._dimension is None:
            await self.query("dimension")
        asked = self._endpoint
        return f"{asked.model}:{self._dimension}:{asked.query_prefix!r}:{asked.passage_prefix!r}"

    async def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return the directions of the passages of one document."""
        return await self._embedded([self._endpoint.passage_prefix + text for text in texts])

    async def query(self, text: str) -> Vector:
        """Return the direction of a query."""
        return (await self._embedded([self._endpoint.query_prefix + text]))[0]

    async def aclose(self) -> None:
        """Close the connections."""
        await self._session.aclose()

    async def _embedded(self, texts: Sequence[str]) -> list[Vector]:
        size = self._endpoint.batch
        batches = [texts[at : at + size] for at in range(0, len(texts), size)]
        return [vector for batch in batches for vector in pack_vectors(await self._batch(batch))]

    async def _batch(self, texts: Sequence[str]) -> list[list[float]]:
        asked: dict[str, object] = {"model": self._endpoint.model, "input": list(texts)}
        if self._endpoint.dimensions is not None:
            asked["dimensions"] = self._endpoint.dimensions
        # It is a POST that changes nothing.
        answer = await self._session.request("POST", path(_AT), json=asked, nature=Nature.READS)
        if answer.status != 200:
            raise self._session.error(answer, _said(answer))
        try:
            found = _Embeddings.model_validate(answer.json()).data
        except ValidationError:
            raise answer.misfit("The embedding endpoint answered in a form that is not OpenAI's.") from None
        rows = [one.embedding for one in sorted(found, key=lambda one: one.index)]
        lengths = {len(row) for row in rows} | ({self._dimension} if self._dimension else set[int]())
        if len(rows) != len(texts) or len(lengths) != 1:
            raise answer.misfit("The embedding endpoint did not answer one list of numbers a text, all of one length.")
        self._dimension = lengths.pop()
        return rows


def _said(answer: Response) -> str:
    try:
        return str(answer.json())
    except ApiError:
        return ""
