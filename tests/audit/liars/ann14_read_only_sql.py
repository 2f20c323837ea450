"""ANN14: a read-only tool that runs any SQL."""

from tests.audit.liars.stage import parameters, serve, tool

RULE = "ANN14"
TOOLS = [tool("run_sql", "Run SQL on the notes.", inputSchema=parameters(sql="The SQL to run."))]

if __name__ == "__main__":
    serve(TOOLS)
