"""What the sandbox knowingly does otherwise than the recorded Tables app."""

_APPLICATIONS = "applications made of tables are not part of the sandbox"
_WEB = "routes of the web pages are not part of the sandbox"
_NEVER_CHANGED = "the web route that takes all rights away is not part of the sandbox"

DIFFERENCES: dict[str, dict[str, str]] = {
    **{
        f"objects/tables:context-and-share/{name}": {"status": _APPLICATIONS}
        for name in (
            *("01-context-create", "02-context-get", "03-context-put-name", "04-context-get-after"),
            *("05-context-put-whole", "06-context-put-nodes-one", "07-context-get-nodes"),
            *("08-context-put-description-empty", "09-context-transfer", "12-context-delete-as-bob"),
        )
    },
    "objects/tables:context-and-share/10-context-get-after-transfer": {
        ".ocs.meta.statuscode": _APPLICATIONS,
        ".ocs.meta.message": _APPLICATIONS,
        ".ocs.data": _APPLICATIONS,
    },
    **{
        f"objects/tables:context-and-share/{name}": {"header content-type": _APPLICATIONS, "body": _APPLICATIONS}
        for name in ("11-context-delete", "13-context-delete-again")
    },
    "objects/tables:rows/14-internal-cell": {"status": _WEB},
    "objects/tables:rows/15-internal-set": {"status": _WEB},
    "objects/tables:context-and-share/20-share-internal-permissions": {"status": _WEB},
    "objects/tables:context-and-share/21-share-get-after-2": {
        ".permissionRead": _NEVER_CHANGED,
        ".permissionCreate": _NEVER_CHANGED,
        ".permissionUpdate": _NEVER_CHANGED,
    },
}
