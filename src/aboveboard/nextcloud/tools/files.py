"""The area of files: its tools stand in several modules, which declare them on the area's toolsets."""

# The order of these is the order in which clients see the tools.
# isort: off
from aboveboard.nextcloud.tools import folders, contents, moving, finding, comments, trash, tags
from aboveboard.nextcloud.tools import file_area

__all__ = ["comments", "contents", "finding", "folders", "moving", "tags", "toolsets", "trash"]

toolsets = (file_area.files, file_area.comments, file_area.trash, file_area.versions, file_area.tags)
