// The client around this page: JSON-RPC by postMessage, as MCP Apps (2026-01-26) has it.
const host = (() => {
  const waiting = new Map(), heard = new Map();
  let last = 0;

  const send = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const tell = (method, params = {}) => send({ method, params });
  const on = (method, heed) => heard.set(method, heed);
  const ask = (method, params = {}) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    send({ id: last, method, params });
  });

  const answered = ({ id, result, error }) => {
    const asked = waiting.get(id);
    if (!asked) return;
    waiting.delete(id);
    if (error) asked.reject(new Error(String(error.message)));
    else asked.resolve(result ?? {});
  };
  const called = ({ id, method, params }) => {
    const heed = heard.get(method);
    if (heed) heed(params ?? {});
    if (id === undefined) return;
    send(heed ? { id, result: {} } : { id, error: { code: -32601, message: "This page does not know that." } });
  };

  window.addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return;
    if (data.method === undefined) answered(data);
    else called(data);
  });
  on("ping", () => {});
  on("ui/resource-teardown", () => {});
  return { ask, tell, on };
})();
