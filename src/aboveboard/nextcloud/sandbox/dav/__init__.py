"""The WebDAV dialect: resources, properties, conditions, reports, search, and the sites that hold all branches."""
