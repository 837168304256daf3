"""page_in_chromium.py MCT DATA [SCREENSHOTS]: the page of `mct draw` in a browser without a screen.

Searches, drags, clicks and types in it, and compares what it shows with exact distances. With a
folder for them, writes screenshots. Exit code 77: there is no Chromium.
"""
import html
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import plane_embedding

# without a screen there are no frames while virtual time passes
WATCH = """<script>
window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);
const problems = [];
addEventListener('error', (event) => problems.push(event.message));
addEventListener('securitypolicyviolation', (event) => problems.push(event.violatedDirective));
</script>"""


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    print("skipped: there is no chromium (Debian package chromium)")
    sys.exit(77)


def browse(browser, directory, page, *options, size="1280,860"):
    """The standard output of the browser with this page."""
    run = subprocess.run(
        [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         f"--user-data-dir={directory / 'profile'}", f"--window-size={size}",
         "--virtual-time-budget=60000", *options, (directory / page).as_uri()],
        capture_output=True, text=True, timeout=240, check=False)
    return run.stdout


def half_plane_distance(a, b):
    """Of two points (x, height), x exact."""
    difference = float(a[0] - b[0])
    square = difference * difference + (a[1] - b[1]) ** 2
    return math.acosh(1 + square / (2 * a[1] * b[1]))


def check_results(results, points):
    failed = [f"{name}: {value}" for name, value in results.items() if value is False]
    for pair, distance in results["distances"].items():
        a, b = pair.split(" ", 1)
        exact = half_plane_distance(points[a], points[b])
        if not abs(distance - exact) <= 1e-9 * exact:
            failed.append(f"distance of {pair}: {distance}, not {exact}")
    failed += results["problems"]
    if failed or len(results["distances"]) < 6:
        sys.exit("\n".join(failed) or "distances are missing")
    print(len(results), "checks, all well")


def check_screenshots(browser, directory, folder):
    for page, size in (("page.html", "1280,860"), ("phone.html", "600,1000")):
        picture = (folder / page).with_suffix(".png")
        browse(browser, directory, page, f"--screenshot={picture}", size=size)
        if picture.stat().st_size < 40_000:
            sys.exit(f"{picture} shows next to nothing")


def main():
    browser = find_browser()
    mct, data = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        directory = pathlib.Path(name)
        points = plane_embedding.write_mammals(data, directory / "tree.safetensors",
                                               directory / "edges.tsv")
        subprocess.run([mct, "draw", "tree.safetensors", "--edges", "edges.tsv", "--page",
                        "page.html"], cwd=directory, check=True, stdout=subprocess.DEVNULL)
        page = (directory / "page.html").read_text(encoding="utf-8")
        checks = pathlib.Path(__file__).with_name("page_checks.js").read_text(encoding="utf-8")
        page = page.replace("<title>", WATCH + "<title>", 1)
        page = page.replace("</body>", f"<script>{checks}</script></body>")
        (directory / "checked.html").write_text(page, encoding="utf-8")
        # a phone's width is less than what a window may have
        (directory / "phone.html").write_text(
            "<iframe src=page.html style='width:375px;height:960px;border:0'></iframe>")
        dom = browse(browser, directory, "checked.html", "--dump-dom")
        found = re.search(r'<pre id="results"[^>]*>(.*?)</pre>', dom, re.DOTALL)
        if not found:
            sys.exit("the page's checks did not end:\n" + dom[-2000:])
        check_results(json.loads(html.unescape(found.group(1))), points)
        folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else directory
        check_screenshots(browser, directory, folder)


main()
