// The report's style sheet and its script.
#include "validation/report/html_sections.hpp"

namespace mct::validation {

std::string_view style_sheet() {
  return R"css(
:root {
  color-scheme: light dark;
  --paper: #fdfdfc; --ink: #1d2126; --soft: #5b636d; --rule: #d9dcdf; --wash: #f3f4f4;
  --link: #0b5394; --pass: #17693f; --fail: #b3261e; --none: #7a5a00; --meter: #cfe0f0;
  --series-0: #0b62a8; --series-1: #c8500a; --series-2: #0a7f5f; --series-3: #8e4fa0;
  --series-4: #a87400; --series-5: #3f8fc7; --series-6: #6b6f76; --series-7: #a8325a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181b; --ink: #e3e6e8; --soft: #a0a8b0; --rule: #343a40; --wash: #1e2226;
    --link: #8cbff0; --pass: #6fce9b; --fail: #ff8f84; --none: #e0bd62; --meter: #27435e;
    --series-0: #6cb2f0; --series-1: #f19a5b; --series-2: #4fc9a4; --series-3: #cf9be0;
    --series-4: #e3bd55; --series-5: #a5d4f2; --series-6: #a9aeb4; --series-7: #ee8fa8;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial,
    "Liberation Sans", sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
.page {
  display: grid; grid-template-columns: 18rem minmax(0, 1fr); gap: 0 2.5rem;
  max-width: 87rem; margin: 0 auto; padding: 2.5rem 2rem 5rem;
}
nav { font-size: .875rem; position: sticky; top: 0; max-height: 100vh; overflow-y: auto;
  align-self: start; padding: .5rem 0 2rem; }
nav ol { list-style: none; margin: 0; padding: 0; }
nav ol ol { margin: .25rem 0 .75rem; padding-left: .75rem; border-left: 1px solid var(--rule);
  columns: 2; column-gap: .75rem; font-size: .8125rem; }
nav li { padding: .15rem 0; break-inside: avoid; }
nav p { margin: 0 0 .5rem; color: var(--soft); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { font-size: clamp(1.5rem, 6vw, 2rem); line-height: 1.2; margin: 0 0 1rem; font-weight: 650;
  letter-spacing: -.01em; }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 3.5rem 0 .75rem; padding-top: 1rem;
  border-top: 1px solid var(--rule); font-weight: 650; }
h3 { font-size: 1.1rem; margin: 2.25rem 0 .4rem; font-weight: 650; }
p { max-width: 46rem; margin: 0 0 .9rem; }
.lead { font-size: 1.0625rem; }
.note, .bounds, caption { color: var(--soft); font-size: .9rem; }
.types { color: var(--soft); }
sup { font-size: .72em; line-height: 0; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono",
  monospace; }
.command { background: var(--wash); padding: .1em .35em; border-radius: 3px;
  overflow-wrap: anywhere; -webkit-user-select: all; user-select: all; }
.verdict { border-left: 4px solid; padding: .6rem 1rem; background: var(--wash);
  max-width: none; margin: 0 0 1.5rem; }
.verdict strong { margin-right: .4em; }
.verdict.pass { border-color: var(--pass); } .verdict.pass strong { color: var(--pass); }
.verdict.fail { border-color: var(--fail); } .verdict.fail strong { color: var(--fail); }
.verdict.none { border-color: var(--none); } .verdict.none strong { color: var(--none); }
.v-PASS { color: var(--pass); } .v-NONE { color: var(--none); }
.v-FAIL { color: var(--fail); font-weight: 650; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr));
  gap: .9rem 2rem; margin: 0 0 1.5rem; }
.facts dt { color: var(--soft); font-size: .8125rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.kinds { display: grid; grid-template-columns: 9rem minmax(0, 37rem); gap: .5rem 1rem; }
.kinds dt { font-weight: 600; } .kinds dd { margin: 0; }
.scroll { overflow-x: auto; margin: 1rem 0 1.5rem; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.4; }
caption { text-align: left; padding-bottom: .4rem; }
th, td { text-align: left; padding: .3rem .8rem; border-bottom: 1px solid var(--rule);
  vertical-align: top; }
tr > th:first-child { padding-left: .3rem; }
thead th, thead td { vertical-align: bottom; border-bottom: 1.5px solid var(--soft);
  font-weight: 600;
  white-space: nowrap; }
tbody th { font-weight: 500; }
.n { text-align: right; white-space: nowrap; }
.small { font-size: .8125rem; } .small th, .small td { padding: .2rem .6rem; }
.grouped tbody { border-top: 1.5px solid var(--rule); }
tr.ours td { font-weight: 600; } tr.ours td[rowspan] { font-weight: inherit; }
.meter { background: linear-gradient(var(--meter), var(--meter)) no-repeat left center;
  background-size: var(--share) 62%; min-width: 5rem; }
td details { max-width: 22rem; } td details[open] { min-width: 18rem; }
summary { cursor: pointer; color: var(--link); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr));
  gap: 1.5rem 2rem; margin: 1.25rem 0; }
figure { margin: 0; break-inside: avoid; }
svg { display: block; width: 100%; height: auto; max-width: 46rem; }
.operation { border-bottom: 1px solid var(--rule); padding-bottom: .5rem; }
.operation:last-child { border-bottom: 0; }
thead button { all: unset; cursor: pointer; }
thead button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
th[aria-sort] button::after { content: " \2191"; }
th[aria-sort=descending] button::after { content: " \2193"; }
.filter { font: inherit; font-size: .875rem; padding: .3rem .5rem; width: 18rem; max-width: 100%;
  border: 1px solid var(--rule); border-radius: 3px; background: var(--paper); color: inherit; }
@media (max-width: 62rem) {
  .page { display: block; padding: 1.25rem 1rem 3rem; }
  nav { position: static; max-height: none; border-bottom: 1px solid var(--rule);
    margin-bottom: 1.5rem; }
  nav ol ol { display: none; }
  .kinds { display: block; } .kinds dd { margin-bottom: .6rem; }
}
@media print {
  :root { color-scheme: light; }
  body { font-size: 10pt; background: none; }
  .page { display: block; max-width: none; padding: 0; }
  nav, .filter { display: none; }
  h2, h3 { break-after: avoid; } tr { break-inside: avoid; }
  .scroll { overflow: visible; } table { font-size: 7.5pt; } th, td { padding: .15rem .35rem; }
  .plots { grid-template-columns: 1fr 1fr; gap: .75rem; }
  .meter { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
@media print and (prefers-color-scheme: dark) {
  :root { --paper: #fff; --ink: #111; --soft: #555; --rule: #ccc; --wash: #f3f3f3;
    --link: #0b5394; --pass: #17693f; --fail: #b3261e; --none: #7a5a00; --meter: #cfe0f0;
    --series-0: #0b62a8; --series-1: #c8500a; --series-2: #0a7f5f; --series-3: #8e4fa0;
    --series-4: #a87400; --series-5: #3f8fc7; --series-6: #6b6f76; --series-7: #a8325a; }
}
)css";
}

// Written without the characters that XML reserves, so that the page is well-formed XML too.
std::string_view script() {
  return R"js(
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
)js";
}

}  // namespace mct::validation
