"""Every rule there is, in the order of their ids."""

from typing import Any, Final

from aboveboard.audit.rule import Rule
from aboveboard.audit.rules.additive_tool_that_destroys import AdditiveToolThatDestroys
from aboveboard.audit.rules.alternatives_at_the_top import AlternativesAtTheTop
from aboveboard.audit.rules.answer_that_breaks_its_schema import AnswerThatBreaksItsSchema
from aboveboard.audit.rules.answers_without_issuer import AnswersWithoutIssuer
from aboveboard.audit.rules.call_that_is_not_refused import CallThatIsNotRefused
from aboveboard.audit.rules.challenge_that_leads_nowhere import ChallengeThatLeadsNowhere
from aboveboard.audit.rules.challenge_without_scope import ChallengeWithoutScope
from aboveboard.audit.rules.change_beyond_the_plan import ChangeBeyondThePlan
from aboveboard.audit.rules.client_documents_without_none import ClientDocumentsWithoutNone
from aboveboard.audit.rules.closed_tool_that_reaches_out import ClosedToolThatReachesOut
from aboveboard.audit.rules.confusing_title import ConfusingTitle
from aboveboard.audit.rules.description_rewritten import DescriptionRewritten
from aboveboard.audit.rules.description_that_says_nothing import DescriptionThatSaysNothing
from aboveboard.audit.rules.description_too_long import DescriptionTooLong
from aboveboard.audit.rules.dispatcher import Dispatcher
from aboveboard.audit.rules.duplicate_name import DuplicateName
from aboveboard.audit.rules.endpoint_in_the_clear import EndpointInTheClear
from aboveboard.audit.rules.failure_that_changes_something import FailureThatChangesSomething
from aboveboard.audit.rules.free_code_in_a_read_only_tool import FreeCodeInAReadOnlyTool
from aboveboard.audit.rules.generic_name import GenericName
from aboveboard.audit.rules.header_for_a_secret import HeaderForASecret
from aboveboard.audit.rules.hint_left_to_its_default import HintLeftToItsDefault
from aboveboard.audit.rules.hint_loosened import HintLoosened
from aboveboard.audit.rules.hint_lost_on_the_way import HintLostOnTheWay
from aboveboard.audit.rules.hint_that_platforms_read_otherwise import HintThatPlatformsReadOtherwise
from aboveboard.audit.rules.hint_without_meaning import HintWithoutMeaning
from aboveboard.audit.rules.hint_worse_than_the_tool import HintWorseThanTheTool
from aboveboard.audit.rules.idempotent_tool_that_varies import IdempotentToolThatVaries
from aboveboard.audit.rules.incoherent_parameter import IncoherentParameter
from aboveboard.audit.rules.invalid_name import InvalidName
from aboveboard.audit.rules.invalid_schema import InvalidSchema
from aboveboard.audit.rules.invisible_characters import InvisibleCharacters
from aboveboard.audit.rules.issuer_of_another_name import IssuerOfAnotherName
from aboveboard.audit.rules.many_actions_in_one_tool import ManyActionsInOneTool
from aboveboard.audit.rules.mixed_name_styles import MixedNameStyles
from aboveboard.audit.rules.name_of_another_server import NameOfAnotherServer
from aboveboard.audit.rules.name_that_contradicts_the_hint import NameThatContradictsTheHint
from aboveboard.audit.rules.name_that_starts_with_no_letter import NameThatStartsWithNoLetter
from aboveboard.audit.rules.name_too_long_with_prefix import NameTooLongWithPrefix
from aboveboard.audit.rules.no_annotations import NoAnnotations
from aboveboard.audit.rules.no_description import NoDescription
from aboveboard.audit.rules.no_title import NoTitle
from aboveboard.audit.rules.no_way_to_register import NoWayToRegister
from aboveboard.audit.rules.noise_on_stdout import NoiseOnStdout
from aboveboard.audit.rules.object_of_anything import ObjectOfAnything
from aboveboard.audit.rules.object_without_properties import ObjectWithoutProperties
from aboveboard.audit.rules.offline_access_as_a_scope import OfflineAccessAsAScope
from aboveboard.audit.rules.one_signature_for_all import OneSignatureForAll
from aboveboard.audit.rules.orders_in_a_description import OrdersInADescription
from aboveboard.audit.rules.read_only_and_destructive import ReadOnlyAndDestructive
from aboveboard.audit.rules.read_only_tool_that_writes import ReadOnlyToolThatWrites
from aboveboard.audit.rules.resource_of_another_name import ResourceOfAnotherName
from aboveboard.audit.rules.same_description_twice import SameDescriptionTwice
from aboveboard.audit.rules.schema_changed import SchemaChanged
from aboveboard.audit.rules.schema_gemini_refuses import SchemaGeminiRefuses
from aboveboard.audit.rules.schema_some_clients_refuse import SchemaSomeClientsRefuse
from aboveboard.audit.rules.self_promotion import SelfPromotion
from aboveboard.audit.rules.sign_in_that_cannot_be_found import SignInThatCannotBeFound
from aboveboard.audit.rules.sign_in_that_is_not_there import SignInThatIsNotThere
from aboveboard.audit.rules.sign_in_without_pkce import SignInWithoutPkce
from aboveboard.audit.rules.stale_example import StaleExample
from aboveboard.audit.rules.too_many_tokens import TooManyTokens
from aboveboard.audit.rules.too_many_tools import TooManyTools
from aboveboard.audit.rules.tool_added import ToolAdded
from aboveboard.audit.rules.tool_removed import ToolRemoved
from aboveboard.audit.rules.unbounded_list import UnboundedList
from aboveboard.audit.rules.undescribed_parameter import UndescribedParameter
from aboveboard.audit.rules.unreadable_hint import UnreadableHint
from aboveboard.audit.rules.unseen_that_was_seen import UnseenThatWasSeen
from aboveboard.audit.rules.unstable_listing import UnstableListing
from aboveboard.audit.rules.update_declared_harmless import UpdateDeclaredHarmless
from aboveboard.audit.rules.write_in_read_only_mode import WriteInReadOnlyMode

RULES: Final[tuple[type[Rule[Any]], ...]] = (
    NoAnnotations,
    HintLeftToItsDefault,
    UnreadableHint,
    ReadOnlyAndDestructive,
    HintWithoutMeaning,
    NameThatContradictsTheHint,
    OneSignatureForAll,
    ManyActionsInOneTool,
    HintLostOnTheWay,
    HintLoosened,
    HintThatPlatformsReadOtherwise,
    UpdateDeclaredHarmless,
    Dispatcher,
    FreeCodeInAReadOnlyTool,
    NoTitle,
    ConfusingTitle,
    InvalidName,
    NameTooLongWithPrefix,
    NameThatStartsWithNoLetter,
    DuplicateName,
    GenericName,
    MixedNameStyles,
    NameOfAnotherServer,
    NoDescription,
    DescriptionThatSaysNothing,
    DescriptionTooLong,
    SameDescriptionTwice,
    OrdersInADescription,
    InvisibleCharacters,
    StaleExample,
    SelfPromotion,
    InvalidSchema,
    AlternativesAtTheTop,
    SchemaSomeClientsRefuse,
    UndescribedParameter,
    IncoherentParameter,
    AnswerThatBreaksItsSchema,
    HeaderForASecret,
    ObjectWithoutProperties,
    ObjectOfAnything,
    SchemaGeminiRefuses,
    TooManyTokens,
    TooManyTools,
    UnboundedList,
    NoiseOnStdout,
    UnstableListing,
    WriteInReadOnlyMode,
    ReadOnlyToolThatWrites,
    AdditiveToolThatDestroys,
    IdempotentToolThatVaries,
    ClosedToolThatReachesOut,
    HintWorseThanTheTool,
    FailureThatChangesSomething,
    CallThatIsNotRefused,
    UnseenThatWasSeen,
    ChangeBeyondThePlan,
    DescriptionRewritten,
    ToolAdded,
    ToolRemoved,
    SchemaChanged,
    SignInThatCannotBeFound,
    ChallengeThatLeadsNowhere,
    ChallengeWithoutScope,
    ResourceOfAnotherName,
    OfflineAccessAsAScope,
    SignInThatIsNotThere,
    IssuerOfAnotherName,
    SignInWithoutPkce,
    ClientDocumentsWithoutNone,
    NoWayToRegister,
    AnswersWithoutIssuer,
    EndpointInTheClear,
)

BY_ID: Final = {rule.id: rule for rule in RULES}
