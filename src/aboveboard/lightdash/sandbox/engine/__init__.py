"""The semantic layer: explores over the warehouse, and how a metric query becomes SQL and rows."""
