// Honest: a delete that is idempotent; the second call fails, since nothing is there. On the TypeScript SDK, over HTTP.

import { z } from "zod";
import { DELETES, rest, serve, told } from "./notes.mjs";

await serve((server) =>
  server.registerTool(
    "delete_note",
    {
      title: "Delete Note",
      description: "Delete a note for good.",
      inputSchema: { id: z.string().describe("The id of the note.") },
      annotations: DELETES,
    },
    async ({ id }) => told(await rest("DELETE", `/notes/${id}`)),
  ),
);
