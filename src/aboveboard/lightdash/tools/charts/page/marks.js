// Bars, lines, areas and points. Every drawing gives back how a place in it is found, held and told.
const drawBars = ({ shown, reaches, lying, stacked, slot, placeOf, valueAt }, marks) => {
  const thick = Math.min(56, slot * 0.8 / (stacked ? 1 : shown.length));
  const [from, long, side, deep] = lying ? ["x", "width", "y", "height"] : ["y", "height", "x", "width"];
  shown.forEach((one, at) => reaches[at].forEach((reach, row) => {
    if (!reach) return;
    const shift = stacked ? 0 : (at - (shown.length - 1) / 2) * thick, [near, far] = reach.map(valueAt).sort((a, b) => a - b);
    marks.append(node("rect", {
      class: "bar", style: colour(one.at), rx: thick > 8 ? 2 : 0, [from]: near, [long]: far - near,
      [side]: placeOf(row) + shift - thick / 2, [deep]: Math.max(0.6, thick - (thick > 5 ? 1 : 0)),
    }));
  }));
};

const dot = ({ shown, reaches, placeOf, valueAt }, at, row, r, more = "") =>
  node("circle", { class: `dot ${more}`, style: colour(shown[at].at), cx: placeOf(row), cy: valueAt(reaches[at][row][1]), r });

// A line ends where a value is missing, and goes on after it.
const drawLines = (field, order, marks) => field.shown.forEach((one, at) => {
  const reach = field.reaches[at], style = colour(one.at), runs = [[]];
  for (const row of order) if (reach[row]) runs.at(-1).push(row); else runs.push([]);
  const path = (rows, end) => rows.map((row) => `${field.placeOf(row).toFixed(1)} ${field.valueAt(reach[row][end]).toFixed(1)}`).join("L");
  for (const run of runs.filter((rows) => rows.length)) {
    const back = () => path([...run].reverse(), 0);
    if (field.area) marks.append(node("path", { class: `fill${field.stacked ? " stacked" : ""}`, style, d: `M${path(run, 1)}L${back()}Z` }));
    marks.append(node("path", { class: "line", style, d: `M${path(run, 1)}` }));
    if (run.length === 1 || (order.length <= 24 && !field.stacked)) for (const row of run) marks.append(dot(field, at, row, 3));
  }
});

const drawAxes = (plot, shown, width, height) => {
  const field = laid(plot, shown, width, height), { lying, bars, reaches, placeOf, slot, left, top, wide, tall } = field;
  const svg = framed(plot, width, height), [back, marks, front] = ["g", "g", "g"].map((name) => svg.appendChild(node(name)));
  const points = plot.kind === "scatter", all = shown.map((_, at) => at);
  const order = plot.at.map((_, row) => row).sort((a, b) => field.steady ? a - b : plot.at[a] - plot.at[b]);
  const spots = points
    ? all.flatMap((at) => order.filter((row) => reaches[at][row]).map((row) => ({ row, series: [at] })))
    : order.map((row) => ({ row, series: all }));
  drawScales(field, back);
  if (points) for (const { row, series: [at] } of spots) marks.append(dot(field, at, row, 4, "scatter"));
  else if (bars) drawBars(field, marks);
  else drawLines(field, order, marks);

  const middle = ({ row, series }) => {
    const ends = series.map((at) => reaches[at][row]).filter(Boolean).map(([, to]) => field.valueAt(to));
    return lying ? [Math.max(left, ...ends), placeOf(row)] : [placeOf(row), Math.min(top + tall, ...ends)];
  };
  const away = (x, y) => (spot) => {
    const [right, down] = middle(spot);
    return points ? Math.hypot(x - right, y - down) : Math.abs(lying ? y - down : x - right);
  };
  const hold = (spot) => {
    front.replaceChildren();
    back.querySelector(".band")?.remove();
    if (!spot) return;
    const at = placeOf(spot.row), band = lying ? { x: left, width: wide, y: at - slot / 2, height: slot } : { x: at - slot / 2, width: slot, y: top, height: tall };
    if (bars) return back.prepend(node("rect", { class: "band", ...band }));
    if (!points) front.append(node("line", { class: "cursor", x1: at, x2: at, y1: top, y2: top + tall }));
    front.append(...spot.series.filter((one) => reaches[one][spot.row]).map((one) => dot(field, one, spot.row, 5, "held")));
  };
  const told = ({ row, series }) => {
    const rows = series.map((at) => ({ at: shown[at].at, name: shown[at].name, value: full(shown[at].values[row]) }));
    const sum = series.reduce((total, at) => total + (shown[at].values[row] ?? 0), 0);
    return { title: plot.names[row], rows: field.stacked && rows.length > 1 ? [...rows.reverse(), { name: "Total", value: full(sum) }] : rows };
  };
  return { svg, spots, middle, hold, told, aside: bars && !lying ? slot / 2 + 6 : 14, find: (x, y) => nearest(spots, away(x, y)) };
};

const nearest = (every, away) => {
  const far = every.map(away);
  return every[far.indexOf(Math.min(...far))];
};
