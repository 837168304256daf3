// Where nodes are drawn: in the Poincare disk, or by distance, where a node lies as far from the middle
// as its distance is, in its direction, which gives way to an equal angle for each node. As the SVG's
// views (picture_view.hpp, polar_view.hpp), in which the formulas are explained.
let byDistance = about.radial === 'distance';

/** Places in a disk of radius 1, and how large things are there. */
const vx = new Float64Array(count), vy = new Float64Array(count), shrink = new Float64Array(count);
const distances = new Float64Array(count), angles = new Float64Array(count);
const turnOf = 2 * Math.PI;

/** What turns places of the disk into those by distance; made anew when the frame changes. Null: the disk. */
let view = null;
function viewOf() {
  const sorted = angles.slice().sort(), from = [], equal = [];
  const share = turnOf / count;
  let mean = 0;
  for (let i = 0; i < count; ++i) mean += (sorted[i] - share * (i + 0.5)) / count;
  for (let i = 0; i < count;) {
    let next = i;
    while (next < count && sorted[next] === sorted[i]) ++next;
    from.push(sorted[i]);
    equal.push(mean + share * (i + next) / 2);
    i = next;
  }
  const to = from.map((angle, i) => (1 - about.spread) * angle + about.spread * equal[i]);
  from.push(from[0] + turnOf);  // after the last comes the first, a turn later
  to.push(to[0] + turnOf);
  const far = distances.filter(isFinite).sort();
  const most = far[Math.ceil(0.9 * far.length) - 1], end = far[far.length - 1];
  return {reach: (most > 0 ? Math.min(end, 1.5 * most) : end) || 1, from, to};
}

/** The line through points (xs, ys), which grow, and on by turns, at x. */
function interpolated(xs, ys, x) {
  const turns = turnOf * Math.floor((x - xs[0]) / turnOf), a = x - turns;
  let low = 0, high = xs.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle] <= a) low = middle; else high = middle;
  }
  return turns + ys[low] + (a - xs[low]) / (xs[high] - xs[low]) * (ys[high] - ys[low]);
}
const spread = (angle) => interpolated(view.from, view.to, angle);

/** Places all nodes of the frame. */
function arrange() {
  place();
  if (!byDistance) {
    view = null;
    vx.set(px);
    vy.set(py);
    for (let i = 0; i < count; ++i) shrink[i] = Math.sqrt(gaps[i]);
    return;
  }
  for (let i = 0; i < count; ++i) {
    distances[i] = 2 * Math.asinh(Math.hypot(px[i], py[i]) / Math.sqrt(gaps[i]));
    angles[i] = Math.atan2(py[i], px[i]);
  }
  view = viewOf();
  for (let i = 0; i < count; ++i) {
    const r = Math.min(1, distances[i] / view.reach), angle = spread(angles[i]);
    vx[i] = r * Math.cos(angle);
    vy[i] = r * Math.sin(angle);
    shrink[i] = 1 - 0.6 * r;
  }
}

/** The point of the disk that a view, or without one the disk, shows at a place. */
function shownAt(x, y, by) {
  if (by === null) return {x, y};
  const r = Math.tanh(Math.hypot(x, y) * by.reach / 2);
  const angle = interpolated(by.to, by.from, Math.atan2(y, x));
  return {x: r * Math.cos(angle), y: r * Math.sin(angle)};
}

/** Calls line(x, y) along the geodesic from node a to node b, from behind a to b. */
function alongGeodesic(a, b, line) {
  const most = 100 * view.reach, p = Math.min(distances[a], most), q = Math.min(distances[b], most);
  let all = angles[b] - angles[a];
  if (all > Math.PI) all -= turnOf;
  if (all <= -Math.PI) all += turnOf;
  const size = Math.abs(all), steps = moving ? 12 : 24;
  const aboveOne = (r) => 2 / Math.expm1(2 * r);
  const farthest = 2 * Math.max(p, q) + 3;
  if (p > 1e-9 && q > 1e-9 && size > 0)
    for (let i = 1; i < steps; ++i) {
      const s = farthest * Math.sinh(5 * (2 * i / steps - 1)) / Math.sinh(5);
      const y = size / (1 + Math.exp(-s)), x = size / (1 + Math.exp(s));
      const sum = aboveOne(p) * Math.sin(x) + aboveOne(q) * Math.sin(y) +
        4 * Math.sin(x / 2) * Math.sin(y / 2) * Math.sin((x + y) / 2);
      const r = Math.min(1, 0.5 * Math.log1p(2 * Math.sin(x + y) / sum) / view.reach);
      const angle = spread(angles[a] + Math.sign(all) * y);
      line(r * Math.cos(angle), r * Math.sin(angle));
    }
  line(vx[b], vy[b]);
}

/** 1, 2 or 5 times a power of ten, of which three to seven fit into the reach. */
function ringStep() {
  const power = 10 ** Math.floor(Math.log10(view.reach / 3));
  return [5, 2, 1].find((factor) => 3 * factor * power <= view.reach) * power || power;
}
