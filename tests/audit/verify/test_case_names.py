"""Cases without a name."""

from aboveboard.audit.verify import parse_plan
from aboveboard.audit.verify.case_names import case_names

PLAN = """
server: {command: [notes]}
tools:
  get_note: [{arguments: {id: 1}}]
  list_notes:
    - {}
    - {arguments: {all: true, text: secret}}
    - {arguments: {all: true, text: other}}
    - {name: with a name, arguments: {all: false}}
"""


def test_cases_without_a_name_are_named_by_their_arguments_and_texts_stay_out() -> None:
    cases = parse_plan(PLAN).cases
    assert case_names(cases) == ["", "no arguments", "all=true, text", "all=true, text (2)", "with a name"]
