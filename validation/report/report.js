// Tables that are sorted and filtered. Written without the characters that XML reserves, so that the
// page is well-formed XML too.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, i) => {
    const cell = row.cells[i];
    if (cell.dataset.v === undefined) return cell.textContent;
    const value = Number(cell.dataset.v);
    return Number.isNaN(value) ? Infinity : value;
  };
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const order = (a, b) => a === b ? 0 : a > b ? sign : -sign;
      const rows = [...body.rows].sort((a, b) => order(key(a, i), key(b, i)));
      body.append(...rows);
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    });
  });
  const filter = document.createElement("input");
  filter.type = "search";
  filter.className = "filter";
  filter.placeholder = "Filter, e.g. f64x2 div";
  filter.setAttribute("aria-label", "Show only rows that contain these words");
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    for (const row of body.rows) {
      const cells = [...row.cells].slice(0, -1);
      const text = cells.map(cell => cell.textContent).join(" ").toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
    }
  });
  table.parentElement.before(filter);
}
