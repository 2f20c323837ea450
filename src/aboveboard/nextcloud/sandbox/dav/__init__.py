"""The WebDAV dialect: resources, properties, conditions, reports, and who someone is."""
