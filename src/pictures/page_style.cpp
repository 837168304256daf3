// The page in which the disk moves: style and elements.
#include "src/pictures/page_parts.hpp"

namespace mct::embed {

std::string_view page_style() {
  return R"css(
:root {
  color-scheme: light dark;
  --paper: #fff; --disk: #fafbfc; --ink: #1d2126; --soft: #5b636d; --rule: #c9ced3;
  --wash: #f0f2f4; --link: #0b5394;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181b; --disk: #1a1e22; --ink: #e3e6e8; --soft: #a0a8b0; --rule: #454c53;
    --wash: #262b30; --link: #8cbff0;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body {
  display: grid; grid-template-columns: minmax(15rem, 20rem) 1fr; background: var(--paper);
  color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif;
}
#side {
  display: flex; flex-direction: column; gap: 1rem; padding: 1rem; min-height: 0;
  border-right: 1px solid var(--rule); overflow-y: auto;
}
#find { position: relative; }
#search {
  width: 100%; padding: .5rem .7rem; font: inherit; color: inherit; background: var(--wash);
  border: 1px solid var(--rule); border-radius: .5rem;
}
#suggestions {
  position: absolute; z-index: 2; left: 0; right: 0; margin: .2rem 0 0; padding: .25rem 0;
  list-style: none; background: var(--paper); border: 1px solid var(--rule); border-radius: .5rem;
  box-shadow: 0 4px 16px rgb(0 0 0 / .2);
}
#suggestions li { padding: .35rem .7rem; cursor: pointer; overflow-wrap: anywhere; }
#suggestions li[aria-selected="true"], #suggestions li:hover { background: var(--wash); }
#suggestions .none { color: var(--soft); cursor: default; }
#node { min-height: 0; }
h1 { margin: 0 0 .2rem; font-size: 1.25rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: .9rem 0 .2rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
p { margin: 0; color: var(--soft); }
.links { display: flex; flex-wrap: wrap; gap: .1rem .6rem; }
.links button, .legend button {
  padding: .1rem 0; font: inherit; color: var(--link); background: none; border: 0;
  cursor: pointer; text-align: left; overflow-wrap: anywhere;
}
.links button:hover, .legend button:hover { text-decoration: underline; }
.legend { margin: 0; padding: 0; list-style: none; }
.legend li { display: flex; align-items: baseline; gap: .5rem; }
.legend i { flex: none; width: .7rem; height: .7rem; border-radius: 50%; }
.legend span { color: var(--soft); font-variant-numeric: tabular-nums; }
.hint { margin-top: auto; font-size: .85rem; }
kbd { padding: 0 .25rem; font: .8rem ui-monospace, monospace; background: var(--wash);
  border-radius: .25rem; }
main { position: relative; min-width: 0; min-height: 0; overflow: hidden; }
canvas { display: block; width: 100%; height: 100%; touch-action: none; cursor: grab; }
canvas.dragging { cursor: grabbing; }
canvas:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
#reset {
  position: absolute; top: .8rem; right: .8rem; padding: .4rem .8rem; font: inherit;
  color: inherit; background: var(--wash); border: 1px solid var(--rule); border-radius: .5rem;
  cursor: pointer;
}
#tip {
  position: absolute; max-width: 20rem; padding: .35rem .6rem; pointer-events: none;
  background: var(--paper); border: 1px solid var(--rule); border-radius: .4rem;
  box-shadow: 0 2px 8px rgb(0 0 0 / .2); font-size: .85rem; overflow-wrap: anywhere;
}
#tip span { color: var(--soft); }
[hidden] { display: none !important; }
@media (max-width: 45rem) {
  html, body { height: auto; }
  body { display: flex; flex-direction: column; }
  #side { display: contents; }
  #side > * { margin: .7rem 1rem 0; }
  #find { order: 0; }
  main { order: 1; width: 100%; aspect-ratio: 1; margin-top: .5rem; flex: none; }
  #node { order: 2; }
  #side > .legend { order: 3; display: flex; flex-wrap: wrap; gap: 0 1rem; }
  #side > .hint { order: 4; margin-bottom: 1rem; }
  #reset { top: .3rem; right: .5rem; padding: .25rem .6rem; font-size: .85rem; }
}
)css";
}

std::string_view page_body() {
  return R"html(
<aside id="side">
<div id="find" role="search">
<input id="search" type="text" placeholder="Find a node" aria-label="Find a node" role="combobox"
  aria-expanded="false" aria-controls="suggestions" aria-autocomplete="list" autocomplete="off"
  autocapitalize="off" spellcheck="false">
<ul id="suggestions" role="listbox" aria-label="Nodes" hidden></ul>
</div>
<section id="node" aria-live="polite">
<h1 id="name"></h1>
<p id="count"></p>
<div id="above"></div>
<div id="below"></div>
</section>
<ul id="legend" class="legend" aria-label="Large subtrees"></ul>
<p class="hint">Drag to move, click a node to bring it to the middle. Keys: arrows move,
<kbd>p</kbd> goes to the parent, <kbd>Home</kbd> to the beginning, <kbd>/</kbd> to the search.</p>
</aside>
<main>
<canvas id="disk" tabindex="0" role="application"
  aria-label="The embedding in the Poincar&eacute; disk. Arrow keys move it."></canvas>
<button id="reset" type="button">Reset</button>
<div id="tip" hidden></div>
</main>
<noscript>This page needs JavaScript.</noscript>
)html";
}

}  // namespace mct::embed
