// BEH02: an update that replaces the whole note and calls itself additive, on the TypeScript SDK.

import { z } from "zod";
import { ENSURES, rest, serve, told } from "./notes.mjs";

await serve((server) =>
  server.registerTool(
    "update_note",
    {
      title: "Update Note",
      description: "Write the text of a note.",
      inputSchema: { id: z.string().describe("The id of the note."), text: z.string().describe("The new text.") },
      annotations: ENSURES,
    },
    async ({ id, text }) => told(await rest("PUT", `/notes/${id}`, { text })),
  ),
);
