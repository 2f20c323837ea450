(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");

  const remembered = (() => { try { return localStorage.getItem("aboveboard-theme"); } catch { return null; } })();
  if (remembered) root.dataset.theme = remembered;
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.querySelector(".theme").addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("aboveboard-theme", root.dataset.theme); } catch { /* it lasts for this visit */ }
  });

  // One card at a time; Escape or a click beside it closes it.
  const cards = [...document.querySelectorAll("details.cell, details.about")];
  const close = (except) => cards.forEach((card) => { if (card !== except) card.open = false; });
  cards.forEach((card) => card.addEventListener("toggle", () => { if (card.open) close(card); }));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(null); });
  document.addEventListener("click", (event) => { if (!event.target.closest("details.cell, details.about")) close(null); });

  const form = document.querySelector(".filters");
  const findings = [...document.querySelectorAll(".server > .findings > .finding")];
  const tools = [...document.querySelectorAll("tr.tool")];
  const apply = () => {
    const text = form.elements.text.value.trim().toLowerCase();
    const tool = form.elements.tool.value;
    const shown = new Set([...form.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
    const every = shown.size === form.querySelectorAll("[name=severity]").length;
    let count = 0;
    for (const one of findings) {
      const about = one.dataset.tools.split(" ");
      one.hidden = !shown.has(one.dataset.severity) || (tool && !about.includes(tool)) || (text && !one.dataset.text.includes(text));
      if (!one.hidden) count += 1;
    }
    let rows = 0;
    for (const row of tools) {
      const heavy = row.dataset.severities.split(" ").some((one) => shown.has(one));
      row.hidden = (tool && row.dataset.name !== tool) || (text && !row.dataset.text.includes(text)) || (!every && !heavy);
      if (!row.hidden) rows += 1;
    }
    const asked = Boolean(text || tool || !every);
    for (const fold of document.querySelectorAll("details.quiet")) fold.open = asked && [...fold.querySelectorAll("tr.tool")].some((row) => !row.hidden);
    for (const list of document.querySelectorAll(".server > .findings")) list.hidden = ![...list.children].some((one) => !one.hidden);
    form.querySelector("output").value = text || tool || !every ? `${count} of ${findings.length} findings, ${rows} of ${tools.length} tools` : "";
  };
  form.addEventListener("input", apply);
  apply();
})();
