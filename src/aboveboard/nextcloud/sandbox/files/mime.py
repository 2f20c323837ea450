"""Content types by file name: what Nextcloud stores, and what it dares to send to a browser."""

_TYPES = {
    "avif": "image/avif",
    "bmp": "image/bmp",
    "css": "text/css",
    "csv": "text/csv",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "eml": "message/rfc822",
    "epub": "application/epub+zip",
    "flac": "audio/flac",
    "gif": "image/gif",
    "gz": "application/gzip",
    "heic": "image/heic",
    "htm": "text/html",
    "html": "text/html",
    "ics": "text/calendar",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "application/javascript",
    "json": "application/json",
    "log": "text/plain",
    "markdown": "text/markdown",
    "md": "text/markdown",
    "mkv": "video/x-matroska",
    "mov": "video/quicktime",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odt": "application/vnd.oasis.opendocument.text",
    "ogg": "audio/ogg",
    "org": "text/org",
    "pdf": "application/pdf",
    "png": "image/png",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "py": "text/x-python",
    "rst": "text/plain",
    "rtf": "text/rtf",
    "sh": "text/x-shellscript",
    "svg": "image/svg+xml",
    "tar": "application/x-tar",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "txt": "text/plain",
    "vcf": "text/vcard",
    "wav": "audio/wav",
    "webm": "video/webm",
    "webp": "image/webp",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "zip": "application/zip",
}
# Types that a browser would run; they go out as plain text.
_UNSAFE = {
    "text/html",
    "application/javascript",
    "application/json",
    "application/xml",
    "application/yaml",
    "image/svg+xml",
}
_PREVIEWED = {
    "text/plain",
    "text/markdown",
    "text/org",
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/bmp",
    "image/webp",
}


def type_of(name: str) -> str:
    """The type that a name's ending stands for."""
    stem, dot, ending = name.rpartition(".")
    return _TYPES.get(ending.lower(), "application/octet-stream") if dot and stem else "application/octet-stream"


def sent_type(name: str) -> str:
    """The Content-Type of a download."""
    kind = type_of(name)
    kind = "text/plain" if kind in _UNSAFE else kind
    return f"{kind};charset=UTF-8" if kind.startswith("text/") else kind


def has_preview(name: str) -> bool:
    """Whether the server could show a small picture of it."""
    return type_of(name) in _PREVIEWED
