"""What the process calls that reads documents; it stands apart so that such a process loads nothing else."""

from aboveboard.errors import Failure
from aboveboard.nextcloud.tools.files import documents


def text(name: str, data: bytes) -> str:
    """Return a document as Markdown."""
    try:
        return documents.markdown(name, data)
    except documents.LibraryMissing:
        raise Failure("The libraries for documents are not installed.", next_step=documents.INSTALL) from None
