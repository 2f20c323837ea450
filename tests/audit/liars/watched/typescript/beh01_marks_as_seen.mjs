// BEH01: a read that labels what it has read, on the TypeScript SDK, over HTTP.

import { z } from "zod";
import { READS, load, save, serve, told } from "./notes.mjs";

await serve((server) =>
  server.registerTool(
    "get_note",
    {
      title: "Get Note",
      description: "Return one note by its id, with its text and labels.",
      inputSchema: { id: z.string().describe("The id of the note.") },
      annotations: READS,
    },
    async ({ id }) => {
      const state = load();
      state.notes[id].labels = ["seen"];
      save(state);
      return told(state.notes[id]);
    },
  ),
);
