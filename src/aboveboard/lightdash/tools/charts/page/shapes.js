// What has no axis: slices of a whole, steps of a funnel, one number.
const drawSlices = (plot, shown, width, height) => {
  const svg = framed(plot, width, height), radius = Math.min(width, height) / 2 - 8, hole = plot.kind === "donut" ? radius * 0.58 : 0;
  const values = plot.series[0].values.map((value) => value ?? 0), total = shown.reduce((sum, row) => sum + values[row], 0);
  const point = (turn, far) => `${(width / 2 + far * Math.sin(turn)).toFixed(2)} ${(height / 2 - far * Math.cos(turn)).toFixed(2)}`;
  const slices = new Map();
  let from = 0;
  for (const row of shown) {
    const to = from + (total ? values[row] / total : 0) * 2 * Math.PI, end = Math.min(to, from + 2 * Math.PI - 1e-4), large = end - from > Math.PI ? 1 : 0;
    const inner = hole ? `L${point(end, hole)}A${hole} ${hole} 0 ${large} 0 ${point(from, hole)}` : `L${width / 2} ${height / 2}`;
    if (end > from) slices.set(row, {
      mark: svg.appendChild(node("path", { class: "slice", style: colour(row), d: `M${point(from, radius)}A${radius} ${radius} 0 ${large} 1 ${point(end, radius)}${inner}Z` })),
      from, to,
    });
    from = to;
  }
  if (hole) {
    svg.append(node("text", { class: "huge", x: width / 2, y: height / 2 + 6, "text-anchor": "middle", style: "font-size: 22px" }, brief(total)));
    svg.append(node("text", { x: width / 2, y: height / 2 + 24, "text-anchor": "middle" }, "Total"));
  }
  const spots = [...slices.keys()].map((row) => ({ row }));
  return {
    svg, spots,
    middle: ({ row }) => {
      const { from, to } = slices.get(row), turn = (from + to) / 2, far = (radius + hole) / 2;
      return [width / 2 + far * Math.sin(turn), height / 2 - far * Math.cos(turn)];
    },
    find: (x, y) => {
      const right = x - width / 2, up = height / 2 - y, far = Math.hypot(right, up);
      const turn = (Math.atan2(right, up) + 2 * Math.PI) % (2 * Math.PI);
      if (far > radius + 6 || far < hole) return undefined;
      return spots.find(({ row }) => turn >= slices.get(row).from && turn <= slices.get(row).to);
    },
    hold: (spot) => slices.forEach(({ mark }, row) => mark.classList.toggle("faded", Boolean(spot) && spot.row !== row)),
    told: ({ row }) => ({ title: plot.names[row], rows: [{ at: row, name: share(values[row] / total), value: full(values[row]) }] }),
  };
};

const drawFunnel = (plot, shown, width, height) => {
  const svg = framed(plot, width, height), values = plot.series[0].values.map((value) => value ?? 0);
  const most = Math.max(...values.map(Math.abs)) || 1, slot = height / values.length, wide = width - 4;
  const steps = values.map((value, row) => {
    const long = Math.max(2, Math.abs(value) / most * wide), y = slot * row;
    const words = `${full(value)}${values[0] ? ` · ${share(value / values[0])}` : ""}`, room = width - widthOf(words, 12) - 16;
    svg.append(node("text", { class: "strong", x: 2, y: y + 13 }, fit(plot.names[row], room, 12)));
    svg.append(node("text", { x: width - 2, y: y + 13, "text-anchor": "end", style: "font-size: 12px" }, words));
    return svg.appendChild(node("rect", { class: "step", style: colour(0), x: (width - long) / 2, width: long, y: y + 19, height: Math.max(4, slot - 27), rx: 3 }));
  });
  const spots = values.map((_, row) => ({ row }));
  return {
    svg, spots,
    middle: ({ row }) => [width / 2, slot * row + 19],
    find: (_, y) => spots[Math.min(values.length - 1, Math.max(0, Math.floor(y / slot)))],
    hold: (spot) => steps.forEach((step, row) => step.classList.toggle("faded", Boolean(spot) && spot.row !== row)),
    told: ({ row }) => ({
      title: plot.names[row],
      rows: [{ at: 0, name: "Value", value: full(values[row]) },
        ...(values[0] ? [{ name: "Of the first", value: share(values[row] / values[0]) }] : []),
        ...(row && values[row - 1] ? [{ name: "Of the one before", value: share(values[row] / values[row - 1]) }] : [])],
    }),
  };
};

const drawNumber = (plot, shown, width, height) => {
  const svg = framed(plot, width, height), [{ name, values: [value] }] = plot.series, words = full(value ?? null);
  const size = Math.min(64, 64 * (width - 20) / Math.max(1, widthOf(words, 70)));
  svg.append(node("text", { class: "huge", x: width / 2, y: height / 2 + size * 0.2, "text-anchor": "middle", style: `font-size: ${size}px` }, words));
  svg.append(node("text", { x: width / 2, y: height / 2 + size * 0.2 + 26, "text-anchor": "middle", style: "font-size: 13px" }, fit(name, width - 20, 13)));
  return { svg, spots: [], middle: () => [0, 0], find: () => undefined, hold: () => {}, told: () => ({}) };
};
