#!/usr/bin/env python3
"""Looks at the built site in a Chromium without a screen, as wide as a desk's, a tablet's and a telephone's: no page may
be wider than its window, no text may stand beyond the edge (code and tables scroll within their frames), no name in
the navigation may be cut, and the search must find a function. Nothing may be asked of the network.

usage: tools/docs/look_at_site.py build/docs/site

Exit code: 0 all is well, 1 not, 77 there is no Chromium.
"""
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTHS = (1280, 768, 390)  # a screen, a tablet, a telephone

# Within each page: measures it, and tells the page around it.
PROBE = """<script>
const wait = (ms) => new Promise((done) => setTimeout(done, ms))
async function search() {
  const field = document.querySelector("[data-md-component=search-query]")
  field.focus()
  field.value = "two_sum"
  for (const kind of ["input", "keyup", "change"]) field.dispatchEvent(new Event(kind, {bubbles: true}))
  for (let i = 0; i < 50 && !document.querySelector(".md-search-result__item"); ++i) await wait(100)
  return document.querySelectorAll(".md-search-result__item").length
}
addEventListener("load", async () => {
  await wait(150)
  const width = document.documentElement.clientWidth
  const scrolls = "pre, table, .highlight, .md-typeset__scrollwrap, .md-typeset__table"
  const beyond = [...document.querySelectorAll(".md-content *")].filter(
    (e) => e.getBoundingClientRect().right > width + 1 && !e.closest(scrolls)).map((e) => e.textContent.slice(0, 40))
  const cut = [...document.querySelectorAll(".md-nav__link .md-ellipsis")].filter(
    (e) => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent.trim())
  const wide = document.documentElement.scrollWidth - width
  const outside = performance.getEntriesByType("resource").map((e) => e.name).filter((n) => /^https?:/.test(n))
  const found = SEARCH ? await search() : 1
  parent.postMessage({wide, width, beyond: beyond.slice(0, 3), cut: cut.slice(0, 3), outside, found}, "*")
})
</script>"""

# Around them: one after the other in a frame of each width.
AROUND = """<!doctype html><body><script>
const results = [], pages = PAGES
async function look(page, width) {
  const frame = document.createElement("iframe")
  frame.style = `width:${width}px;height:844px;border:0`
  const answer = new Promise((done) => { onmessage = (event) => done(event.data)
                                         setTimeout(() => done({silent: true}), 15000) })
  frame.src = page
  document.body.appendChild(frame)
  results.push({page, asked: width, ...await answer})
  frame.remove()
}
(async () => {
  for (const page of pages) for (const width of WIDTHS) await look(page, width)
  const text = document.createElement("pre")
  text.id = "results"
  text.textContent = JSON.stringify(results)
  document.body.appendChild(text)
})()
</script></body>"""


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    print("skipped: there is no chromium (Debian package chromium), the site is not looked at")
    sys.exit(77)


def with_probes(site):
    """Puts the probe in all pages; returns their names."""
    pages = sorted(str(path.relative_to(site)) for path in site.rglob("*.html"))
    for page in pages:
        probe = PROBE.replace("SEARCH", "true" if page == "index.html" else "false")
        text = (site / page).read_text("utf-8")
        (site / page).write_text(text.replace("</head>", probe + "</head>", 1), "utf-8")
    return pages


def faults_of(result):
    where = f"{result['page']} at {result['asked']} pixels"
    if result.get("silent"):
        yield f"{where}: did not load"
        return
    if result["width"] != result["asked"]:
        yield f"{where}: was shown at {result['width']}"
    if result["wide"] > 0:
        yield f"{where}: is {result['wide']} pixels wider than its window"
    for kind, text in (("beyond", "stands beyond the edge"), ("cut", "is cut in the navigation"),
                       ("outside", "is asked of the network")):
        for name in result[kind]:
            yield f"{where}: '{name}' {text}"
    if not result["found"]:
        yield f"{where}: the search finds nothing"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    browser = find_browser()
    with tempfile.TemporaryDirectory() as folder:
        site = shutil.copytree(sys.argv[1], Path(folder, "site"))
        pages = with_probes(site)
        around = AROUND.replace("PAGES", json.dumps(pages)).replace("WIDTHS", json.dumps(WIDTHS))
        (site / "around.html").write_text(around, "utf-8")
        run = subprocess.run(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
             "--window-size=1400,900", "--virtual-time-budget=4000000", "--dump-dom",
             f"file://{site}/around.html"], capture_output=True, text=True, check=False)
    found = re.search(r'<pre id="results">(.*?)</pre>', run.stdout, re.S)
    if not found:
        sys.exit("look_at_site.py: the browser did not come to the end\n" + run.stderr[-2000:])
    results = json.loads(html.unescape(found.group(1)))
    faults = [fault for result in results for fault in faults_of(result)]
    print("\n".join(faults) if faults else f"{len(pages)} pages at {' and '.join(map(str, WIDTHS))} pixels are in order")
    sys.exit(1 if faults or len(results) != len(pages) * len(WIDTHS) else 0)


if __name__ == "__main__":
    main()
