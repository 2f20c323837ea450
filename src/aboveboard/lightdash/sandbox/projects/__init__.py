"""Projects: settings, who may do what there, tags, validation, refreshes."""
