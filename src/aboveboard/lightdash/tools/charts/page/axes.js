// Where things stand in a chart with two axes, and the axes themselves.
const node = (name, attributes = {}, text = "") => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
};
const framed = (plot, width, height) =>
  node("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", tabindex: 0, "aria-label": plot.title });
const colour = (at) => `--of: var(--series-${at % 10})`;

// From where to where each value reaches: from the axis, or on top of those before it.
const spans = (series, stacked, apart) => {
  const above = [], below = [];
  return series.map(({ values }) => values.map((value, at) => {
    if (value === null) return stacked && !apart ? [above[at] ?? 0, above[at] ?? 0] : null;
    if (!stacked) return [0, value];
    const pile = apart && value < 0 ? below : above, from = pile[at] ?? 0;
    pile[at] = from + value;
    return [from, pile[at]];
  }));
};

const lowHigh = (reaches, fromZero) => {
  const ends = reaches.flat().filter(Boolean).flatMap(([from, to]) => fromZero ? [from, to] : [to]);
  if (!ends.length) return [0, 1];
  const low = Math.min(...ends), high = Math.max(...ends);
  return [low > 0 && low < high * 0.6 ? 0 : low, high];
};

const wrapped = (text, room) => {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.length === 2 || widthOf(longer) <= room || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => fit(line, room));
};

// How names stand below an axis: in one line, every few, in two lines, or at a slant.
const footing = (names, slot, words) => {
  const widest = Math.max(...names.map((name) => widthOf(name)));
  if (widest + 8 <= slot) return { every: 1, tall: 16, lines: (name) => [name] };
  if (!words) return { every: Math.ceil((widest + 14) / slot), tall: 16, lines: (name) => [name] };
  if (slot >= 62) return { every: 1, tall: 30, lines: (name) => wrapped(name, slot - 8) };
  const room = Math.min(widest, 104);
  return { every: Math.ceil(15 / slot), tall: room * 0.64 + 16, slant: true, lines: (name) => [fit(name, room)] };
};

// What kind of chart it is, and the room that its axes leave.
const laid = (plot, shown, width, height) => {
  const lying = plot.kind === "horizontal_bar", bars = lying || plot.kind === "bar", area = plot.kind === "area";
  const stacked = plot.stacked && (bars || area), reaches = spans(shown, stacked, bars), steady = bars || plot.scale === "words";
  const scale = rounded(...lowHigh(reaches, bars || area), Math.floor(lying ? width / 110 : height / 52)), marked = ticked(scale.ticks);
  const [across, aside] = lying ? [plot.y_label, plot.x_label] : [plot.x_label, plot.y_label];
  const widest = Math.max(...(lying ? plot.names : marked).map((text) => widthOf(text)));
  const top = aside ? 26 : 10, count = plot.along.length;
  let left = Math.min(widest, lying ? width * 0.36 : width) + 9;
  const slot = (width - left - 8) / count, foot = steady && !lying ? footing(plot.names, slot, plot.scale === "words") : { tall: 16 };
  if (foot.slant) left = Math.max(left, widthOf(foot.lines(plot.names[0])[0]) * 0.77 - slot / 2);
  const wide = width - left - 8, tall = height - top - foot.tall - (across ? 16 : 0);
  return { plot, shown, width, height, lying, bars, area, stacked, reaches, steady, scale, marked, across, aside, foot, left, top, wide, tall,
    slot: (lying ? tall : wide) / count, ...places(plot, { lying, steady, scale, left, top, wide, tall, count, edge: area ? 0 : 8 }) };
};

// From values and rows to points.
const places = (plot, { lying, steady, scale, left, top, wide, tall, count, edge }) => {
  const first = Math.min(...plot.at), last = Math.max(...plot.at);
  const spread = (at) => left + edge + (last > first ? (at - first) / (last - first) : 0.5) * (wide - 2 * edge);
  const part = (value) => (value - scale.low) / (scale.high - scale.low);
  return {
    first, last, spread,
    valueAt: (value) => lying ? left + part(value) * wide : top + tall - part(value) * tall,
    placeOf: (row) => !steady ? spread(plot.at[row]) : lying ? top + tall / count * (row + 0.5) : left + wide / count * (row + 0.5),
  };
};

const drawScales = (field, back) => {
  const { plot, lying, left, top, wide, tall, foot } = field, under = top + tall + 14;
  const label = (x, y, text, anchor = "middle", more = {}) => back.append(node("text", { x, y, "text-anchor": anchor, ...more }, text));
  field.scale.ticks.forEach((tick, one) => {
    const at = field.valueAt(tick), ends = lying ? { x1: at, x2: at, y1: top, y2: top + tall } : { x1: left, x2: left + wide, y1: at, y2: at };
    back.append(node("line", { class: tick === 0 ? "zero" : "grid", ...ends }));
    label(lying ? at : left - 6, lying ? under : at + 4, field.marked[one], lying ? "middle" : "end");
  });
  const name = (text, row) => {
    const at = field.placeOf(row);
    if (lying) label(left - 6, at + 4, fit(text, left - 9), "end");
    else if (foot.slant) label(at + 3, under - 2, foot.lines(text)[0], "end", { transform: `rotate(-40 ${at + 3} ${under - 2})` });
    else foot.lines(text).forEach((line, below) => label(at, under + 13 * below, line));
  };
  const every = lying ? Math.ceil(13 / field.slot) : foot.every;
  if (field.steady) plot.names.forEach((text, row) => { if (row % every === 0) name(text, row); });
  else for (const { at, text } of (plot.scale === "time" ? timeTicks : numberTicks)(field.first, field.last, Math.max(2, wide / 76)))
    label(field.spread(at), under, text);
  label(left + wide, field.height - 3, fit(field.across, wide), "end");
  label(0, 11, fit(field.aside, field.width), "start");
};
