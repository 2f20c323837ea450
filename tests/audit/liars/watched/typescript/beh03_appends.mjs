// BEH03: it calls itself idempotent and appends on every call, on the TypeScript SDK.

import { z } from "zod";
import { ENSURES, load, save, serve, told } from "./notes.mjs";

await serve((server) =>
  server.registerTool(
    "append_line",
    {
      title: "Append Line",
      description: "Add a line at the end of a note.",
      inputSchema: { id: z.string().describe("The id of the note."), line: z.string().describe("The line to add.") },
      annotations: ENSURES,
    },
    async ({ id, line }) => {
      const state = load();
      state.notes[id].text += ` ${line}`;
      save(state);
      return told(state.notes[id]);
    },
  ),
);
