"""For every tool a call that works and one that does not, put together from the areas."""

from typing import Final

from tests.nextcloud import samples_files, samples_notes, samples_sharing
from tests.nextcloud.sampling import Refusals, Refused, Samples, plain

GOOD: Final[Samples] = {
    "nc_get_context": plain(),
    **samples_files.GOOD,
    **samples_notes.GOOD,
    **samples_sharing.GOOD,
}

BAD: Final[Refusals] = {
    "nc_get_context": Refused(plain(user="bob"), "user"),
    **samples_files.BAD,
    **samples_notes.BAD,
    **samples_sharing.BAD,
}
