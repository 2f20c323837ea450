"""The SQL runner's view of the warehouse: its tables and their columns."""

from aboveboard.lightdash.client.api import Api, Model


class SqlTable(Model):
    """A table of the warehouse."""

    database: str
    schema_name: str
    table: str


class SqlField(Model):
    """A column of a table."""

    name: str
    type: str


class SqlRunner:
    """The warehouse of a project, as Lightdash sees it."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def tables(self, project: str | None) -> list[SqlTable]:
        at = self._api.at("/api/v1/projects/{project:uuid}/sqlRunner/tables", project)
        catalog = await self._api.get(at, dict[str, dict[str, dict[str, object]]])
        return [
            SqlTable(database=database, schema_name=schema, table=table)
            for database, schemas in catalog.items()
            for schema, tables in schemas.items()
            for table in tables
        ]

    async def fields(self, project: str | None, table: str, *, schema: str, database: str | None) -> list[SqlField]:
        at = self._api.at("/api/v1/projects/{project:uuid}/sqlRunner/fields", project)
        query = {"tableName": table, "schemaName": schema, "databaseName": database}
        columns = await self._api.get(at, dict[str, str], query)
        return [SqlField(name=name, type=kind) for name, kind in columns.items()]
