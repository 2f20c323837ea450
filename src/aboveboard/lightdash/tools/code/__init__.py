"""Charts and dashboards as code."""
