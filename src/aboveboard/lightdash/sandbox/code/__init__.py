"""Content and people as code: documents that are downloaded, and written back by slug."""
