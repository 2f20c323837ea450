// Numbers, dates and words: how they are written, and where they stand along an axis.
const DAY = 86400e3;
let locale;

const speak = (tag) => { try { [locale] = Intl.getCanonicalLocales(tag); } catch { locale = "en"; } };
const number = (value, options) => new Intl.NumberFormat(locale, options).format(value);
const date = (time, options) => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }).format(time);
const exact = (value) => Math.abs(value) < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 2 };
const full = (value) => value === null || value === undefined ? "–" : number(value, exact(value));
const brief = (value) => number(value, { ...exact(value), notation: "compact" });
const plain = (value) => number(value, { ...exact(value), useGrouping: Math.abs(value) >= 1e4 });
// Short where that tells them apart.
const ticked = (values) => new Set(values.map(brief)).size === values.length ? values.map(brief) : values.map(full);
const share = (part) => number(part, { style: "percent", maximumFractionDigits: part < 0.1 ? 1 : 0 });

// A date is written as short as all of them allow: a year, a month, a day, or with the time.
const dateForm = (times) => {
  const at = times.map((time) => new Date(time));
  if (at.some((one) => one % DAY)) return { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" };
  if (at.some((one) => one.getUTCDate() !== 1)) return { day: "numeric", month: "short", year: "numeric" };
  return at.some((one) => one.getUTCMonth()) ? { month: "short", year: "numeric" } : { year: "numeric" };
};

const pen = document.createElement("canvas").getContext("2d");
const widthOf = (text, size = 11) => {
  pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
};
const fit = (text, room, size = 11) => {
  if (widthOf(text, size) <= room) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(`${text.slice(0, middle)}…`, size) <= room) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low).trimEnd()}…`;
};

const between = (from, to, step) => {
  const ticks = [];
  for (let at = Math.ceil(from / step - 1e-9); at <= to / step + 1e-9; at++) ticks.push(at * step + 0); // never -0
  return ticks;
};

// Round numbers that enclose the values.
const rounded = (low, high, most) => {
  if (low === high) { low = Math.min(0, low); high = Math.max(0, high) || 1; }
  const rough = (high - low) / Math.max(1, most), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((one) => one * power >= rough) * power;
  low = Math.floor(low / step + 1e-9) * step;
  high = Math.ceil(high / step - 1e-9) * step;
  return { low, high, ticks: between(low, high, step) };
};

const numberTicks = (low, high, most) =>
  rounded(low, high, most).ticks.filter((at) => at >= low && at <= high).map((at) => ({ at, text: plain(at) }));

const STEPS = [1, 5, 15, 30].map((n) => n * 60e3).concat([1, 3, 6, 12].map((n) => n * 3600e3), [1, 2, 7, 14].map((n) => n * DAY));
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

const timeTicks = (low, high, most) => {
  const step = STEPS.find((one) => (high - low) / one <= most);
  if (step) {
    const form = step < DAY ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short" };
    const dated = (at) => step < DAY && at % DAY === 0 ? { day: "numeric", month: "short" } : form;
    return between(low, high, step).map((at) => ({ at, text: date(at, dated(at)) }));
  }
  const month = (time) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth();
  const months = MONTHS.find((one) => (month(high) - month(low)) / one <= most) ?? 2400;
  const ticks = [];
  for (let at = Math.ceil(month(low) / months) * months; ; at += months) {
    const time = Date.UTC(Math.floor(at / 12), at % 12);
    if (time > high) return ticks;
    const named = months >= 12 ? { year: "numeric" } : at % 12 && ticks.length ? { month: "short" } : { month: "short", year: "numeric" };
    if (time >= low) ticks.push({ at: time, text: date(time, named) });
  }
};
