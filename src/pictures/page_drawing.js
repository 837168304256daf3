// What is drawn.
const canvas = element('disk'), context = canvas.getContext('2d');
const font = 'system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif';
let width = 1, height = 1, radius = 1, phone = false;
let ink, paper, diskColour, rule, palette;
let rings = [];  // the distances of the circles that are drawn
let hovered = -1, selected = about.centre, moving = false;

/** Part of the largest size: as prominence() of the SVG, without the factor of the place (shrink). */
const weights = Float32Array.from(sizes, (n) => 0.25 + 0.75 * Math.min(1, Math.log2(n) / 10));
const prominence = (i) => shrink[i] * weights[i];
const dot = (i) => 0.8 + (phone ? 5 : 7.2) * prominence(i);
const screenX = (i) => width / 2 + radius * vx[i];
const screenY = (i) => height / 2 - radius * vy[i];

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  [ink, paper, diskColour, rule] = [of('--ink'), of('--paper'), of('--disk'), of('--rule')];
  palette = matchMedia('(prefers-color-scheme: dark)').matches ? about.dark : about.light;
}

/** Adds the geodesic between two nodes to the path: an arc, or a line where it is nearly one. */
function geodesic(a, b) {
  if (byDistance) {
    context.moveTo(screenX(a), screenY(a));
    alongGeodesic(a, b, (x, y) => context.lineTo(width / 2 + radius * x, height / 2 - radius * y));
    return;
  }
  const ax = px[a], ay = py[a], bx = px[b], by = py[b];
  const cross = ax * (by - ay) - ay * (bx - ax);
  const chord = Math.hypot(bx - ax, by - ay);
  const across = Math.hypot(1 - ax * bx - ay * by, ax * by - ay * bx);
  const r = chord * across / (2 * Math.abs(cross));
  context.moveTo(screenX(a), screenY(a));
  if (!(chord * chord / (8 * r) * radius > 0.25)) {
    context.lineTo(screenX(b), screenY(b));
    return;
  }
  // the circle's centre lies beside the middle of the chord, away from the middle of the disk
  const side = Math.sign(cross) * Math.sqrt(Math.max(0, r * r - chord * chord / 4)) / chord;
  const mx = (ax + bx) / 2 + side * (by - ay), my = (ay + by) / 2 - side * (bx - ax);
  context.arc(width / 2 + radius * mx, height / 2 - radius * my, r * radius,
    Math.atan2(my - ay, ax - mx), Math.atan2(my - by, bx - mx), cross < 0);
}

/**
 * Edges that are long enough to be seen, by colour and width. Of too many those of the most
 * prominent nodes, fewer while the disk moves; the more there are the fainter.
 */
const buckets = Array.from({length: 3 * about.light.length}, () => []);
const ends = new Int32Array(2 * count + others.length), bins = new Int32Array(64);
const bin = (p) => Math.max(0, Math.min(63, Math.floor(63 + 6 * Math.log2(p))));
function drawEdges() {
  let seen = 0;
  bins.fill(0);
  const consider = (a, b) => {
    const dx = vx[a] - vx[b], dy = vy[a] - vy[b];
    if ((dx * dx + dy * dy) * radius * radius < 1) return;
    ends[2 * seen] = a;
    ends[2 * seen++ + 1] = b;
    ++bins[bin(prominence(a))];
  };
  for (let i = 0; i < count; ++i) if (parents[i] >= 0) consider(i, parents[i]);
  for (let k = 0; k < others.length; k += 2) consider(others[k], others[k + 1]);
  let least = 63, drawn = bins[63];
  const most = moving ? 3000 : 20000;
  while (least > 0 && drawn + bins[least - 1] <= most) drawn += bins[--least];
  for (const bucket of buckets) bucket.length = 0;
  for (let e = 0; e < 2 * seen; e += 2) {
    const p = prominence(ends[e]);
    if (bin(p) < least) continue;
    buckets[3 * colours[ends[e]] + (p > 0.35 ? 2 : p > 0.12 ? 1 : 0)].push(ends[e], ends[e + 1]);
  }
  const faint = Math.max(0.15, Math.min(0.45, 0.45 * Math.sqrt(3000 / drawn)));
  for (let k = 0; k < buckets.length; ++k) {
    context.globalAlpha = k % 3 === 0 ? faint : 0.45;
    context.strokeStyle = palette[Math.floor(k / 3)];
    context.lineWidth = [0.6, 1, 1.8][k % 3];
    context.beginPath();
    for (let e = 0; e < buckets[k].length; e += 2) geodesic(buckets[k][e], buckets[k][e + 1]);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** The way up from a node. */
function drawAncestors(node) {
  if (node < 0) return;
  context.strokeStyle = ink;
  context.lineWidth = 1.6;
  context.beginPath();
  for (let i = node; parents[i] >= 0; i = parents[i]) geodesic(i, parents[i]);
  context.stroke();
}

/** Nodes: of the small ones one in each square of a pixel and a half, then the others. */
let squares = new Uint8Array(0);
function drawNodes() {
  const columns = Math.ceil(width / 1.5) + 1;
  const needed = columns * (Math.ceil(height / 1.5) + 1);
  if (squares.length < needed) squares = new Uint8Array(needed);
  squares.fill(0);
  const large = [], small = about.light.map(() => []);
  for (let i = 0; i < count; ++i) {
    if (dot(i) > 2) { large.push(i); continue; }
    const at = Math.floor(screenY(i) / 1.5) * columns + Math.floor(screenX(i) / 1.5);
    if (squares[at] === 0) { squares[at] = 1; small[colours[i]].push(i); }
  }
  for (let k = 0; k < small.length; ++k) {
    context.fillStyle = palette[k];
    for (const i of small[k]) {
      const r = dot(i);
      context.fillRect(screenX(i) - r, screenY(i) - r, 2 * r, 2 * r);
    }
  }
  large.sort((a, b) => prominence(a) - prominence(b));
  for (const i of large) {
    context.fillStyle = palette[colours[i]];
    context.beginPath();
    context.arc(screenX(i), screenY(i), dot(i), 0, 2 * Math.PI);
    context.fill();
  }
  for (const i of [selected, hovered]) {
    if (i < 0) continue;
    context.strokeStyle = ink;
    context.lineWidth = 1.2;
    context.beginPath();
    context.arc(screenX(i), screenY(i), dot(i) + 3, 0, 2 * Math.PI);
    context.stroke();
  }
  return large;
}

/** Names of the most prominent nodes, where nothing else is. */
function drawLabels(large) {
  const taken = [];
  const free = (l, t, r, b) => l >= 2 && t >= 2 && r <= width - 2 && b <= height - 2 &&
    taken.every((o) => l >= o[2] || o[0] >= r || t >= o[3] || o[1] >= b);
  const label = (i) => {
    const size = (phone ? 10 : 11) + (phone ? 4 : 6) * Math.min(1, prominence(i));
    context.font = (i === selected ? '600 ' : '') + size + 'px ' + font;
    const w = context.measureText(names[i]).width, h = 1.2 * size, r = dot(i);
    const x = screenX(i), y = screenY(i), beside = r + 3, corner = 0.7 * r + 1;
    const sx = vx[i] < -1e-9 ? -1 : 1, sy = vy[i] > 0 ? -1 : 1;
    for (const [a, b] of [[sx, 0], [sx, sy], [sx, -sy], [0, sy], [-sx, 0], [0, -sy], [-sx, sy],
      [-sx, -sy]]) {
      const off = a !== 0 && b !== 0 ? corner : beside;
      const left = x + a * off + (a - 1) / 2 * w, top = y + b * off + (b - 1) / 2 * h;
      if (!free(left, top, left + w, top + h)) continue;
      taken.push([left - 2, top, left + w + 2, top + h]);
      context.strokeText(names[i], left, top + 0.82 * h);
      context.fillText(names[i], left, top + 0.82 * h);
      return 1;
    }
    return 0;
  };
  for (const i of large.slice(-150)) {
    const r = dot(i);
    taken.push([screenX(i) - r, screenY(i) - r, screenX(i) + r, screenY(i) + r]);
  }
  const candidates = [];
  for (let i = 0; i < count; ++i) if (prominence(i) > 0.03) candidates.push(i);
  candidates.sort((a, b) => prominence(b) - prominence(a));
  context.fillStyle = ink;
  context.strokeStyle = diskColour;
  context.lineWidth = 3;
  context.lineJoin = 'round';
  drawRingTexts(rings);
  let room = Math.round(radius * radius / 2500);
  if (hovered >= 0) label(hovered);
  if (selected >= 0 && selected !== hovered) label(selected);
  for (const i of candidates.slice(0, 6 * room)) {
    if (room <= 0) break;
    if (i !== hovered && i !== selected) room -= label(i);
  }
}

/** By distance: circles around the middle, and their distances, upwards. */
function drawRings() {
  const taken = [], reach = view.reach * about.radius, step = ringStep() * about.radius;
  context.strokeStyle = rule;
  context.globalAlpha = 0.6;
  for (let k = 1; k * step <= 0.97 * reach; ++k) {
    context.beginPath();
    context.arc(width / 2, height / 2, k * step / reach * radius, 0, 2 * Math.PI);
    context.stroke();
    taken.push(k * step);
  }
  context.globalAlpha = 1;
  return taken;
}
function drawRingTexts(rings) {
  context.font = '11px ' + font;
  context.textAlign = 'center';
  for (const ring of rings) {
    const y = height / 2 - ring / (view.reach * about.radius) * radius + 4;
    const text = String(Number(ring.toPrecision(6)));
    context.strokeText(text, width / 2, y);
    context.fillText(text, width / 2, y);
  }
  context.textAlign = 'start';
}

function draw() {
  arrange();
  const scale = devicePixelRatio || 1;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  context.beginPath();
  context.arc(width / 2, height / 2, radius, 0, 2 * Math.PI);
  context.fillStyle = diskColour;
  context.fill();
  context.strokeStyle = rule;
  context.lineWidth = 1;
  context.stroke();
  rings = byDistance ? drawRings() : [];
  drawEdges();
  drawAncestors(selected);
  if (hovered !== selected) drawAncestors(hovered);
  drawLabels(drawNodes());
}

let requested = false;
function redraw() {
  if (requested) return;
  requested = true;
  requestAnimationFrame(() => { requested = false; draw(); });
}

function resize() {
  const box = canvas.parentElement.getBoundingClientRect();
  const scale = devicePixelRatio || 1;
  width = Math.max(50, box.width);
  height = Math.max(50, box.height);
  phone = Math.min(width, height) < 500;
  radius = Math.max(20, Math.min(width * (phone ? 0.5 : 0.44) - (phone ? 6 : 0), height / 2 - 16));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  redraw();
}
