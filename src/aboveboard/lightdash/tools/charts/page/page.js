// The page: what came from the host, what is shown of it, and what the reader does.
const DRAWN = "aboveboard/view";
const at = (selector) => document.querySelector(selector);
const [head, legend, chart, rows, tip, said, picture, foot] =
  ["header", ".legend", ".chart", ".rows", ".tip", ".said", ".picture", "footer"].map(at);
const context = {};
const hidden = new Set();
let plot, drawing, held, width, can = {}, given = {}, table = false, sorted = { column: -1, down: false };

const element = (name, text, ...inside) => {
  const made = document.createElement(name);
  made.textContent = text;
  made.append(...inside);
  return made;
};
const swatch = (of) => {
  const made = element("i", "");
  made.style.cssText = colour(of);
  return made;
};

const round = () => plot.kind === "pie" || plot.kind === "donut";

// What came is data from elsewhere: it is taken apart once, and only ever written as text.
const taken = (drawn) => {
  const list = (value) => Array.isArray(value) ? value : [];
  const made = { ...drawn };
  for (const name of ["title", "x_label", "y_label", "url"]) made[name] = String(drawn[name] ?? "");
  made.notes = list(drawn.notes).map(String);
  made.along = list(drawn.along);
  made.series = list(drawn.series).map((one, at) => ({ at, name: String(one.name), values: list(one.values).map((value) => Number.isFinite(value) ? value : null) }));
  made.at = made.along.map((one, row) => made.scale === "time" ? Date.parse(one) : made.scale === "number" ? Number(one) : row);
  return made;
};
const named = () => {
  const form = plot.scale === "time" ? dateForm(plot.at) : null;
  plot.names = plot.along.map((one, row) => form ? date(plot.at[row], form) : plot.scale === "number" ? plain(one) : String(one));
};

// Whether the host says how high the page is.
const fills = () => context.displayMode === "fullscreen" || Boolean(context.containerDimensions?.height);
const heightFor = (width) => {
  const box = context.containerDimensions ?? {}, around = document.body.offsetHeight - chart.offsetHeight;
  if (fills()) return Math.max(180, window.innerHeight - around);
  const usual = Math.min(400, Math.max(270, width * 0.5)), per = { horizontal_bar: 22, funnel: 48 }[plot.kind];
  const wanted = plot.kind === "big_number" ? 150 : per ? Math.min(620, Math.max(per === 48 ? 96 : 180, per * plot.along.length + 50)) : usual;
  return box.maxHeight ? Math.max(160, Math.min(wanted, box.maxHeight - around)) : wanted;
};

const redraw = () => {
  if (!plot || table) return;
  named();
  width = chart.clientWidth;
  const ways = { pie: drawSlices, donut: drawSlices, funnel: drawFunnel, big_number: drawNumber };
  const shown = (round() ? plot.names.map((_, row) => row) : plot.series).filter((_, one) => !hidden.has(one));
  drawing = (ways[plot.kind] ?? drawAxes)(plot, shown, Math.max(200, width), heightFor(width));
  chart.querySelector("svg")?.remove();
  drawing.svg.dataset.kind = plot.kind;
  chart.prepend(drawing.svg);
  hold(undefined);
};

const hold = (spot) => {
  held = spot;
  drawing.hold(spot);
  tip.hidden = !spot;
  if (!spot) return;
  const { title, rows } = drawing.told(spot);
  tip.replaceChildren(element("strong", title), ...rows.map(({ at, name, value }) =>
    element("div", "", ...(at === undefined ? [] : [swatch(at)]), element("span", name), element("b", value))));
  const [x, y] = drawing.middle(spot), wide = tip.offsetWidth, tall = tip.offsetHeight;
  const aside = drawing.aside ?? 14, left = x + aside + wide <= chart.clientWidth ? x + aside : x - aside - wide;
  tip.style.translate = `${Math.max(0, Math.min(left, chart.clientWidth - wide))}px ${Math.max(0, Math.min(y - tall / 2, chart.clientHeight - tall))}px`;
};

const showLegend = () => {
  const names = round() ? plot.names : plot.series.map((one) => one.name), values = plot.series[0]?.values ?? [];
  const total = values.reduce((sum, value, one) => sum + (hidden.has(one) ? 0 : value ?? 0), 0);
  legend.hidden = table || names.length < 2 || plot.kind === "funnel" || plot.kind === "big_number";
  legend.replaceChildren(...names.map((name, one) => {
    const part = round() && !hidden.has(one) && total ? `${full(values[one] ?? 0)} · ${share((values[one] ?? 0) / total)}` : "";
    const button = element("button", "", swatch(one), element("span", name), ...(part ? [element("small", part)] : []));
    button.type = "button";
    button.title = name;
    button.ariaPressed = String(!hidden.has(one));
    return button;
  }));
};

const columns = () => {
  const first = [plot.x_label || "Name", plot.names, plot.at];
  return [first, ...plot.series.map(({ name, values }) => [name || "Value", values.map(full), values])];
};
const showTable = () => {
  const every = columns(), { column, down } = sorted, keys = every[column]?.[2];
  const order = plot.along.map((_, row) => row);
  if (keys) order.sort((a, b) => ((keys[a] ?? -Infinity) - (keys[b] ?? -Infinity) || a - b) * (down ? -1 : 1));
  const cell = (kind, at, ...inside) => {
    const made = element(kind, "", ...inside);
    if (at) made.className = "number";
    return made;
  };
  const heads = every.map(([name], at) => {
    const made = cell("th", at, element("button", name));
    if (at === column) made.ariaSort = down ? "descending" : "ascending";
    made.firstChild.type = "button";
    made.firstChild.title = name;
    made.firstChild.onclick = () => { sorted = { column: at, down: at === column ? !down : at > 0 }; showTable(); };
    return made;
  });
  const lines = order.map((row) => element("tr", "", ...every.map(([, texts], at) => cell("td", at, texts[row]))));
  rows.replaceChildren(element("table", "", element("thead", "", element("tr", "", ...heads)), element("tbody", "", ...lines)));
};

const showAll = () => {
  named();
  at("h1").textContent = plot.title;
  document.title = plot.title;
  head.hidden = false;
  said.hidden = picture.hidden = true;
  chart.hidden = table;
  rows.hidden = !table;
  at(".notes").textContent = plot.notes.join(" ");
  at(".open").hidden = !(can.openLinks && /^https?:/.test(plot.url));
  foot.hidden = !plot.notes.length && at(".open").hidden;
  for (const button of document.querySelectorAll(".switch button")) button.ariaPressed = String((button.dataset.show === "table") === table);
  showLegend();
  if (table) showTable();
  else redraw();
};

const say = (text) => {
  said.textContent = text;
  said.hidden = false;
};

// A host may keep the data for itself; then the picture is shown, and the same call made again through the host.
const showPicture = ({ content = [] }) => {
  const image = content.find((one) => one.type === "image" && /^image\/(png|jpeg)$/.test(one.mimeType));
  if (!image) return;
  picture.src = `data:${image.mimeType};base64,${image.data}`;
  picture.alt = given.title ?? "Chart";
  picture.hidden = false;
  said.hidden = true;
};
const again = async () => {
  const name = context.toolInfo?.tool?.name;
  if (!can.serverTools || !name) return undefined;
  return (await host.ask("tools/call", { name, arguments: given }).catch(() => ({})))._meta?.[DRAWN];
};
const receive = async (result) => {
  await ready;
  if (result.isError) return say(result.content?.find((one) => one.type === "text")?.text ?? "This could not be drawn.");
  let drawn = result._meta?.[DRAWN];
  if (!drawn) {
    say("The picture did not come with its data.");
    showPicture(result);
    drawn = await again();
  }
  if (!drawn) return undefined;
  plot = taken(drawn);
  hidden.clear();
  return showAll();
};

const settle = (told) => {
  Object.assign(context, told);
  speak(context.locale);
  const root = document.documentElement;
  if (context.theme) root.dataset.theme = context.theme;
  root.dataset.mode = context.displayMode ?? "inline";
  for (const [name, value] of Object.entries(told.styles?.variables ?? {}))
    if (name.startsWith("--") && value) root.style.setProperty(name, value);
  at(".larger").hidden = !context.availableDisplayModes?.includes("fullscreen");
  if (plot) showAll();
};

at(".switch").addEventListener("click", ({ target }) => {
  if (!target.dataset.show) return;
  table = target.dataset.show === "table";
  showAll();
});
legend.addEventListener("click", ({ target }) => {
  const one = [...legend.children].indexOf(target.closest("button"));
  if (one < 0) return;
  if (!hidden.delete(one)) hidden.add(one);
  if (hidden.size === legend.children.length) hidden.clear();
  showLegend();
  redraw();
  legend.children[one].focus();
});
at(".open").addEventListener("click", () => host.ask("ui/open-link", { url: plot.url }).catch(() => {}));
at(".larger").addEventListener("click", async () => {
  const mode = context.displayMode === "fullscreen" ? "inline" : "fullscreen";
  const got = await host.ask("ui/request-display-mode", { mode }).catch(() => ({}));
  if (got.mode) settle({ displayMode: got.mode });
});
const pointed = (event) => {
  if (!drawing || !event.target.closest("svg")) return;
  const box = drawing.svg.getBoundingClientRect(), spot = drawing.find(event.clientX - box.left, event.clientY - box.top);
  if (spot !== held) hold(spot);
};
chart.addEventListener("pointermove", pointed);
chart.addEventListener("pointerdown", pointed);
// A finger leaves as it lifts, and the reader still reads.
chart.addEventListener("pointerleave", ({ pointerType }) => drawing && pointerType !== "touch" && hold(undefined));
chart.addEventListener("focusout", () => drawing && hold(undefined));
chart.addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") hold(undefined);
  if (!by || !drawing?.spots.length) return;
  event.preventDefault();
  const now = drawing.spots.indexOf(held), count = drawing.spots.length;
  hold(drawing.spots[now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count]);
});

window.addEventListener("resize", () => { if (chart.clientWidth !== width || fills()) redraw(); });
let size = "";
new ResizeObserver(() => {
  const [wide, tall] = [document.body.offsetWidth, document.body.offsetHeight];
  if (size === `${wide} ${tall}`) return;
  size = `${wide} ${tall}`;
  ready.then(() => host.tell("ui/notifications/size-changed", { width: wide, height: tall }));
}).observe(document.body);

host.on("ui/notifications/tool-input", (input) => { given = input.arguments ?? {}; });
host.on("ui/notifications/tool-result", receive);
host.on("ui/notifications/tool-cancelled", ({ reason }) => say(reason ? `Not drawn: ${reason}` : "Not drawn: the call was cancelled."));
host.on("ui/notifications/host-context-changed", settle);
const ready = host.ask("ui/initialize", {
  protocolVersion: "2026-01-26",
  appInfo: { name: "aboveboard chart", version: "1" },
  appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
}).then(({ hostContext = {}, hostCapabilities = {} }) => {
  can = hostCapabilities;
  settle(hostContext);
  host.tell("ui/notifications/initialized");
}).catch(() => say("The client did not answer this page."));
