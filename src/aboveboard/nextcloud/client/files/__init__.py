"""Files, and what belongs to them: versions, tags, comments, the bin."""
