"""Calendar tools: calendars, events, invitations, when people are free."""
