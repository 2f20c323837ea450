"""Effects: the table, and which one is in force where."""

import dataclasses

import anyio
import pytest

from aboveboard.effects import ADD, DELETE, EDIT, EFFECTS, ENSURE, READ, REPLACE, RUN, Effect, Permit, in_force, under

pytestmark = pytest.mark.anyio

TABLE = [
    # effect, read-only, destructive, idempotent: as DESIGN.md has them
    (READ, True, False, True),
    (ADD, False, False, False),
    (ENSURE, False, False, True),
    (REPLACE, False, True, True),
    (EDIT, False, True, False),
    (DELETE, False, True, True),
    (RUN, False, True, False),
]


@pytest.mark.parametrize(("effect", "read_only", "destructive", "idempotent"), TABLE, ids=lambda value: str(value))
def test_an_effect_means_what_the_table_says(
    effect: Effect,
    read_only: bool,  # noqa: FBT001 (a column of the table)
    destructive: bool,  # noqa: FBT001
    idempotent: bool,  # noqa: FBT001
) -> None:
    assert (effect.read_only, effect.destructive, effect.idempotent) == (read_only, destructive, idempotent)
    assert effect.open_world is None


def test_the_table_has_every_effect_under_its_own_name() -> None:
    assert tuple(row[0] for row in TABLE) == EFFECTS
    assert [effect.name for effect in EFFECTS] == ["READ", "ADD", "ENSURE", "REPLACE", "EDIT", "DELETE", "RUN"]


def test_a_tool_can_say_that_it_reaches_out_or_stays_within_and_nothing_else_changes() -> None:
    assert ADD.reaching_out() == dataclasses.replace(ADD, open_world=True)
    assert ADD.closed() == dataclasses.replace(ADD, open_world=False)
    assert ADD.open_world is None


def test_an_effect_cannot_be_changed_after_it_is_declared() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        READ.destructive = True  # pyright: ignore[reportAttributeAccessIssue]


def test_outside_a_tool_only_reading_is_allowed() -> None:
    assert in_force() == Permit(READ, dry_run=False)


def test_an_effect_is_in_force_within_its_block_only_even_after_an_error() -> None:
    def fail_within() -> None:
        with under(DELETE, dry_run=True):
            assert in_force() == Permit(DELETE, dry_run=True)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_within()
    assert in_force() == Permit(READ)


async def test_effects_of_parallel_tasks_do_not_mix() -> None:
    seen: dict[str, list[str]] = {}
    everyone_is_in = anyio.Event()

    async def work(effect: Effect) -> None:
        with under(effect):
            seen[effect.name] = [in_force().effect.name]
            if len(seen) == len(EFFECTS):
                everyone_is_in.set()
            await everyone_is_in.wait()
            seen[effect.name].append(in_force().effect.name)
            async with anyio.create_task_group() as children:
                children.start_soon(child, effect)

    async def child(effect: Effect) -> None:
        seen[effect.name].append(in_force().effect.name)

    async with anyio.create_task_group() as tasks:
        for effect in EFFECTS:
            tasks.start_soon(work, effect)
    assert seen == {effect.name: [effect.name] * 3 for effect in EFFECTS}
    assert in_force().effect is READ


async def test_a_task_keeps_the_effect_it_was_started_under() -> None:
    seen: list[str] = []
    may_look = anyio.Event()

    async def look_later() -> None:
        await may_look.wait()
        seen.append(in_force().effect.name)

    async with anyio.create_task_group() as tasks:
        with under(ADD):
            tasks.start_soon(look_later)
        with under(DELETE):
            may_look.set()
    assert seen == ["ADD"]
