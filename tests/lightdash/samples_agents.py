"""Calls of the tools about AI agents."""

from collections.abc import Mapping
from typing import Final

from tests.lightdash.samples_admin import NOBODY, Row, of, within

PROMPTS: Final = [{"prompt": "How many customers?", "expected_response": "Many"}]
THREAD: Final = ("agent_uuid", "thread_uuid")
EVALUATION: Final = ("agent_uuid", "eval_uuid")

GOOD: Final[Mapping[str, Row]] = {
    "list_admin_agents": of(),
    "list_admin_agent_threads": within(),
    "get_ai_organization_settings": of(),
    "update_ai_organization_settings": of(ai_agents_visible=False),
    "list_project_agents": within(),
    "get_project_agent": within("agent_uuid"),
    "create_project_agent": within(name="Büro-Hilfe", instruction="Be brief."),
    "update_project_agent": within("agent_uuid", name="Assistant"),
    "delete_project_agent": within("agent_uuid"),
    "list_agent_threads": within("agent_uuid", everyone=True),
    "get_agent_thread": within(*THREAD),
    "generate_agent_message": within("agent_uuid", prompt="How many orders?"),
    "continue_agent_thread": within(*THREAD, prompt="And last year?"),
    "list_agent_evaluations": within("agent_uuid"),
    "get_agent_evaluation": within(*EVALUATION),
    "create_agent_evaluation": within("agent_uuid", title="Basics", prompts=PROMPTS),
    "update_agent_evaluation": within(*EVALUATION, title="Harder"),
    "append_agent_evaluation_prompts": within(*EVALUATION, prompts=PROMPTS),
    "run_agent_evaluation": within(*EVALUATION),
    "list_agent_evaluation_runs": within(*EVALUATION),
    "get_agent_evaluation_run_results": within(*EVALUATION, "run_uuid"),
    "delete_agent_evaluation": within(*EVALUATION),
}

BAD: Final[Mapping[str, tuple[Row, str]]] = {
    "list_admin_agents": (of(limit=0), "limit must be at least 1."),
    "list_admin_agent_threads": (of(project_uuid="all"), "'all' is not a UUID."),
    "get_ai_organization_settings": (of(agent="x"), "has no parameter 'agent'"),
    "update_ai_organization_settings": (of(), "ai_agents_visible is required."),
    "list_project_agents": (of(project_uuid=NOBODY), "Lightdash answered 404"),
    "get_project_agent": (within(agent_uuid=NOBODY), "Lightdash answered 404"),
    "create_project_agent": (within(name=""), "name must have at least 1 character"),
    "update_project_agent": (within("agent_uuid"), "Give what should change"),
    "delete_project_agent": (within(agent_uuid=NOBODY), "Lightdash answered 404"),
    "list_agent_threads": (within(agent_uuid=NOBODY), "Lightdash answered 404"),
    "get_agent_thread": (within("agent_uuid", thread_uuid=NOBODY), "Lightdash answered 404"),
    "generate_agent_message": (within("agent_uuid", prompt=""), "prompt must have at least 1 character"),
    "continue_agent_thread": (within("agent_uuid", thread_uuid=NOBODY, prompt="Hm?"), "Lightdash answered 404"),
    "list_agent_evaluations": (within(agent_uuid=NOBODY), "Lightdash answered 404"),
    "get_agent_evaluation": (within("agent_uuid", eval_uuid=NOBODY), "Lightdash answered 404"),
    "create_agent_evaluation": (within("agent_uuid", title="B", prompts=[]), "prompts must have at least 1 item"),
    "update_agent_evaluation": (within(*EVALUATION), "Give what should change"),
    "append_agent_evaluation_prompts": (
        within(*EVALUATION, prompts=[{"question": "?"}]),
        "prompts.0.prompt is required.",
    ),
    "run_agent_evaluation": (within("agent_uuid", eval_uuid=NOBODY), "Lightdash answered 404"),
    "list_agent_evaluation_runs": (within("agent_uuid", eval_uuid=NOBODY), "Lightdash answered 404"),
    "get_agent_evaluation_run_results": (within(*EVALUATION, run_uuid=NOBODY), "Lightdash answered 404"),
    "delete_agent_evaluation": (within("agent_uuid", eval_uuid=NOBODY), "Lightdash answered 404"),
}
