// How the servers of this folder reach their notes, and how they speak: on stdio, or over HTTP where a port is given.

import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
export const ENSURES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
export const DELETES = { ...ENSURES, destructiveHint: true };

export async function rest(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(process.env.NOTES_URL + path, { method, headers, body: body && JSON.stringify(body) });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told;
}

export const load = () => JSON.parse(readFileSync(process.env.NOTES_FILE, "utf8"));
export const save = (state) => writeFileSync(process.env.NOTES_FILE, JSON.stringify(state));
export const told = (result) => ({ content: [{ type: "text", text: JSON.stringify(result) }] });

function built(register) {
  const server = new McpServer({ name: "notes", version: "1" });
  register(server);
  return server;
}

export async function serve(register) {
  const port = process.argv[2];
  if (!port) return built(register).connect(new StdioServerTransport());
  return createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true }); // no sessions: one for each request
    await built(register).connect(transport);
    await transport.handleRequest(request, response);
  }).listen(Number(port), "127.0.0.1");
}
