server.registerTool(
  "get_note",
  {
    description: "Return one note by its id, with its text.",
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  async ({ id }) => notes.get(id),
);
