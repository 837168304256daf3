// The page in which the disk moves: its data, and isometries of the plane. What is in the middle is a
// point of the half-plane with as many components as the nodes have and one more, so that the
// differences to it keep their digits wherever it is; a turn of the disk completes it to an isometry.
// Dragging and flying move that point.
'use strict';
const element = (id) => document.getElementById(id);
const about = JSON.parse(element('about').textContent);
const names = JSON.parse(element('names').textContent);
const count = names.length;

/** The numbers in a block of base64. */
function block(id, Type) {
  const text = atob(element(id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Type(bytes.buffer);
}
const xs = block('x', Float64Array);  // a plane of numbers for each component
const heights = block('heights', Float64Array);
const parents = block('parents', Int32Array);
const colours = block('colours', Uint8Array);
const others = block('others', Int32Array);  // ends of the edges that are in no tree
const components = xs.length / count;

/** The children of each node, in rows, and the nodes of each subtree. */
const firstChild = new Int32Array(count + 1);
const children = new Int32Array(count);
const sizes = new Int32Array(count).fill(1);
{
  for (let i = 0; i < count; ++i) if (parents[i] >= 0) ++firstChild[parents[i] + 1];
  for (let i = 0; i < count; ++i) firstChild[i + 1] += firstChild[i];
  const next = firstChild.slice();
  for (let i = 0; i < count; ++i) if (parents[i] >= 0) children[next[parents[i]]++] = i;
  const order = [];
  for (let i = 0; i < count; ++i) if (parents[i] < 0) order.push(i);
  for (let k = 0; k < order.length; ++k)
    for (let c = firstChild[order[k]]; c < firstChild[order[k] + 1]; ++c) order.push(children[c]);
  for (let k = count - 1; k >= 0; --k)
    if (parents[order[k]] >= 0) sizes[parents[order[k]]] += sizes[order[k]];
}

/** The point of a node as what is in the middle. */
function frameAt(node, turn) {
  const x = new Float64Array(components + 1);
  for (let k = 0; k < components; ++k) x[k] = xs[k * count + node];
  return {x, height: heights[node], turn};
}

/** The sum of a number of several components and one more (Knuth's two-sum, from the top). */
function plus(x, more) {
  const sum = new Float64Array(x.length);
  for (let k = 0; k < x.length; ++k) {
    const s = x[k] + more;
    const b = s - x[k];
    more = (x[k] - (s - b)) + (more - b);
    sum[k] = s;
  }
  for (let k = x.length - 2; k >= 0; --k) {
    const s = sum[k] + sum[k + 1];
    sum[k + 1] -= s - sum[k];
    sum[k] = s;
  }
  return sum;
}

/**
 * The frame with the disk's point (x, y) in the middle, by a translation along the geodesic to it.
 * With z = u + i v in the half-plane that has the old middle at i, directions at the new one appear
 * turned by 2 arg(z + i) - pi, which is taken back.
 */
function moved(frame, x, y) {
  const c = Math.cos(frame.turn), s = Math.sin(frame.turn);
  const a = c * x + s * y, b = c * y - s * x;
  const d = (1 - b) * (1 - b) + a * a;
  const u = 2 * a / d, v = (1 - a * a - b * b) / d;
  const height = frame.height * v;
  if (!(height > 1e-290 && height < 1e290)) return frame;
  const turn = frame.turn - 2 * Math.atan2(v + 1, u) + Math.PI;
  return {x: plus(frame.x, frame.height * u), height, turn: turn % (2 * Math.PI)};
}

/** The frame in which the point that `frame` shows at `from` lies at `to`: a translation. */
function dragged(frame, from, to) {
  const cx = from.x * to.x - from.y * to.y, cy = from.x * to.y + from.y * to.x;
  const dx = to.x - from.x, dy = to.y - from.y;
  const n = 1 - cx * cx - cy * cy;
  return moved(frame, -(dx + cx * dx + cy * dy) / n, -(dy + cy * dx - cx * dy) / n);
}

let frame = frameAt(about.centre, 0);

/** Where the nodes lie in the disk now, and 1 - x^2 - y^2 of each. */
const px = new Float64Array(count), py = new Float64Array(count), gaps = new Float64Array(count);
function place(from = 0, to = count) {
  const c = Math.cos(frame.turn), s = Math.sin(frame.turn), f = frame.x;
  for (let i = from; i < to; ++i) {
    let d = 0;
    for (let k = 0; k < components; ++k) d += xs[k * count + i] - f[k];
    const u = (d - f[components]) / frame.height, v = heights[i] / frame.height;
    const scale = 1 / Math.max(1, Math.abs(u), v);
    let x = 0, y = 1, gap = 0;  // as good as the half-plane's point at infinity
    if (scale > 1e-300) {
      const us = u * scale, vs = v * scale;
      const n = us * us + (vs + scale) * (vs + scale);
      x = 2 * us * scale / n;
      y = (us * us + (vs - scale) * (vs + scale)) / n;
      gap = 4 * vs * scale / n;
    }
    px[i] = c * x - s * y;
    py[i] = s * x + c * y;
    gaps[i] = gap;
  }
}

/** How far a node is from the middle. */
function distance(node) {
  place(node, node + 1);
  const square = px[node] * px[node] + py[node] * py[node];
  return gaps[node] > 0 ? Math.acosh(1 + 2 * square / gaps[node]) : 700;
}
