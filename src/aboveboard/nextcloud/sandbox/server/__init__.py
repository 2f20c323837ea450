"""The server itself: status, capabilities, apps, maintenance, and the search over all apps."""
