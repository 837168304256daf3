// What the user does.

// Flying

let flight = 0;  // the animation that is under way; a new one or a gesture ends it
const stop = () => { ++flight; moving = false; };

/** The name, the way up and the children of the selected node, beside the disk. */
function show(node) {
  selected = node;
  canvas.dataset.selected = names[node];
  element('name').textContent = names[node];
  const below = sizes[node] - 1;
  element('count').textContent = below === 0 ? 'nothing below it' :
    below.toLocaleString('en') + (below === 1 ? ' node' : ' nodes') + ' below it';
  const above = [];
  for (let i = parents[node]; i >= 0; i = parents[i]) above.push(i);
  list('above', 'Above it', above, 40);
  const next = Array.from(children.subarray(firstChild[node], firstChild[node + 1]));
  next.sort((a, b) => sizes[b] - sizes[a] || a - b);
  list('below', 'Children', next, 24);
}

function list(id, title, nodes, most) {
  const place = element(id);
  place.replaceChildren();
  if (nodes.length === 0) return;
  const head = document.createElement('h2');
  head.textContent = title;
  const links = document.createElement('div');
  links.className = 'links';
  for (const node of nodes.slice(0, most)) links.append(link(node));
  const more = nodes.length - most;
  if (more > 0) links.append('and ' + more.toLocaleString('en') + ' more');
  place.append(head, links);
}

function link(node) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = names[node];
  button.addEventListener('click', () => fly(node));
  return button;
}

/** Moves along the geodesic until the node is in the middle. */
function fly(node) {
  show(node);
  stop();
  const mine = flight, start = performance.now(), far = distance(node);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const duration = still || far < 1e-9 ? 0 : Math.min(1500, 350 + 90 * far);
  const step = () => {
    if (mine !== flight) return;
    const t = Math.min(1, (performance.now() - start) / duration);
    if (!(t < 1)) {
      frame = frameAt(node, frame.turn);
      moving = false;
      draw();
      return;
    }
    // from far away in several stages, each of which finds the direction again
    const left = far * (1 - t * t * (3 - 2 * t));
    for (let to = distance(node); to > left; to = distance(node)) {
      const r = Math.tanh(Math.min(to - left, 4) / 2), length = Math.hypot(px[node], py[node]);
      const before = frame;
      frame = moved(frame, px[node] / length * r, py[node] / length * r);
      if (before === frame || to - left <= 4) break;
    }
    moving = true;
    draw();
    requestAnimationFrame(step);
  };
  step();
}

function reset() {
  stop();
  frame = frameAt(about.centre, 0);
  show(about.centre);
  redraw();
}

// Pointers

/** The point of the disk that a view shows there; far points, and those beyond it, near its edge. */
function diskPoint(event, by) {
  const box = canvas.getBoundingClientRect();
  const {x, y} = shownAt((event.clientX - box.left - width / 2) / radius,
    -(event.clientY - box.top - height / 2) / radius, by);
  const less = Math.min(1, 0.96 / Math.max(1e-9, Math.hypot(x, y)));
  return {x: x * less, y: y * less};
}

/** The nearest node that the pointer touches, the larger of two; -1 if there is none. */
function nodeAt(event) {
  const box = canvas.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const reach = event.pointerType === 'touch' ? 18 : 9;
  let best = -1, least = Infinity;
  for (let i = 0; i < count; ++i) {
    const dx = screenX(i) - x, dy = screenY(i) - y, r = dot(i) + reach;
    if (dx * dx + dy * dy > r * r) continue;
    const rank = Math.hypot(dx, dy) - 3 * dot(i);
    if (rank < least) { least = rank; best = i; }
  }
  return best;
}

let gesture = null;
canvas.addEventListener('pointerdown', (event) => {
  if (gesture !== null || event.button !== 0) return;
  stop();
  gesture = {pointer: event.pointerId, frame, view, from: diskPoint(event, view), x: event.clientX,
    y: event.clientY, dragged: false};
  try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone already */ }
});
canvas.addEventListener('pointermove', (event) => {
  if (gesture === null) { hover(nodeAt(event), event); return; }
  if (event.pointerId !== gesture.pointer) return;
  const far = Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y);
  if (!gesture.dragged && far < 5) return;
  gesture.dragged = moving = true;
  canvas.classList.add('dragging');
  hover(-1, event);
  frame = dragged(gesture.frame, gesture.from, diskPoint(event, gesture.view));
  redraw();
});
function release(event) {
  if (gesture === null || event.pointerId !== gesture.pointer) return;
  const {dragged: wasDragged} = gesture;
  gesture = null;
  moving = false;
  canvas.classList.remove('dragging');
  const node = wasDragged || event.type === 'pointercancel' ? -1 : nodeAt(event);
  if (node >= 0) fly(node);
  else redraw();
}
canvas.addEventListener('pointerup', release);
canvas.addEventListener('pointercancel', release);
canvas.addEventListener('pointerleave', (event) => { if (gesture === null) hover(-1, event); });

/** The tooltip: the name and what is above. */
function hover(node, event) {
  const tip = element('tip');
  tip.hidden = node < 0 || event.pointerType === 'touch';
  if (!tip.hidden) {
    const above = [];
    for (let i = parents[node]; i >= 0 && above.length < 13; i = parents[i])
      above.push(above.length < 12 ? names[i] : '\u2026');
    const way = document.createElement('span');
    way.textContent = above.length === 0 ? '' : ' \u2039 ' + above.join(' \u2039 ');
    tip.replaceChildren(names[node], way);
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    tip.style.left = Math.max(4, Math.min(x + 14, width - tip.offsetWidth - 4)) + 'px';
    const high = tip.offsetHeight;
    tip.style.top = (y + 20 + high < height ? y + 20 : y - high - 12) + 'px';
  }
  if (node === hovered) return;
  hovered = node;
  canvas.style.cursor = node >= 0 ? 'pointer' : '';
  redraw();
}

// Keys

const arrows = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
canvas.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key in arrows) {
    stop();
    const [x, y] = arrows[event.key];
    frame = dragged(frame, {x: 0, y: 0}, {x: 0.12 * x, y: 0.12 * y});
    redraw();
  } else if (event.key === 'Home') {
    reset();
  } else if (event.key === 'd') {
    changeRadial();
  } else if (event.key === 'p') {
    if (parents[selected] >= 0) fly(parents[selected]);
  } else {
    return;
  }
  event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === search) return;
  event.preventDefault();
  search.focus();
  search.select();
});

// Search

const search = element('search'), suggestions = element('suggestions');
let lowered = null, found = [], chosen = -1;

/** At most 8 nodes: the name itself, those that begin with the text, those that have it within. */
function matches(text) {
  lowered ??= names.map((name) => name.toLowerCase());
  const begin = [], within = [];
  for (let i = 0; i < count; ++i) {
    const at = lowered[i].indexOf(text);
    if (at === 0) begin.push(i);
    else if (at > 0 && within.length < 1000) within.push(i);
  }
  const rank = (a, b) => names[a].length - names[b].length || sizes[b] - sizes[a] || a - b;
  return begin.sort(rank).concat(within.sort(rank)).slice(0, 8);
}

function suggest() {
  const text = search.value.trim().toLowerCase();
  found = text === '' ? [] : matches(text);
  chosen = found.length > 0 ? 0 : -1;
  suggestions.replaceChildren(...found.map((node, k) => {
    const item = document.createElement('li');
    item.id = 'suggestion-' + k;
    item.setAttribute('role', 'option');
    item.textContent = names[node];
    item.addEventListener('pointerdown', (event) => { event.preventDefault(); take(k); });
    return item;
  }));
  if (text !== '' && found.length === 0) {
    const item = document.createElement('li');
    item.className = 'none';
    item.textContent = 'no node has this in its name';
    suggestions.append(item);
  }
  open(text !== '');
  mark();
}
function open(shown) {
  suggestions.hidden = !shown;
  search.setAttribute('aria-expanded', String(shown));
  if (!shown) search.removeAttribute('aria-activedescendant');
}
function mark() {
  for (let k = 0; k < found.length; ++k)
    suggestions.children[k].setAttribute('aria-selected', String(k === chosen));
  if (chosen >= 0) search.setAttribute('aria-activedescendant', 'suggestion-' + chosen);
}
function take(k) {
  if (k < 0) return;
  search.value = names[found[k]];
  open(false);
  fly(found[k]);
}
search.addEventListener('input', suggest);
search.addEventListener('focus', () => { if (search.value !== '') suggest(); });
search.addEventListener('blur', () => open(false));
search.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (found.length === 0) return;
    chosen = (chosen + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length;
    mark();
  } else if (event.key === 'Enter') {
    if (!suggestions.hidden) take(chosen);
  } else if (event.key === 'Escape') {
    open(false);
  } else {
    return;
  }
  event.preventDefault();
});

// The page

function showLegend() {
  element('legend').replaceChildren(...about.subtrees.map((node, k) => {
    const item = document.createElement('li'), swatch = document.createElement('i');
    const size = document.createElement('span');
    swatch.style.background = palette[k + 1];
    size.textContent = sizes[node].toLocaleString('en');
    item.append(swatch, link(node), size);
    return item;
  }));
}
function changeRadial() {
  byDistance = !byDistance;
  showRadial();
  redraw();
}
function showRadial() {
  element('radial').textContent = byDistance ? 'Poincar\u00e9 disk' : 'By distance';
}
element('radial').addEventListener('click', changeRadial);
element('reset').addEventListener('click', reset);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  readColours();
  showLegend();
  redraw();
});
new ResizeObserver(resize).observe(canvas.parentElement);
readColours();
showLegend();
showRadial();
show(about.centre);
resize();
