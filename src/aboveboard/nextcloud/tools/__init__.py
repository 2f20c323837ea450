"""The tools, one module per area; `toolsets` lists them all, in the order clients see them."""

from aboveboard.nextcloud.tools.context import tools as context
from aboveboard.nextcloud.tools.files import toolsets as files
from aboveboard.nextcloud.tools.notes import tools as notes
from aboveboard.nextcloud.tools.sharing import tools as sharing

toolsets = (context, *files, notes, sharing)
