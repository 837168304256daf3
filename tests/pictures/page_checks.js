// What page_in_chromium.py does in the page: the user's gestures as events, and what must follow.
// Writes one object into the element "results": true or false by name, and distances of nodes.
'use strict';
const results = {distances: {}};
const node = (name) => names.indexOf(name);
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const near = (a, b, error) => Math.abs(a - b) <= error;
const inTheMiddle = (i) => { arrange(); return Math.hypot(px[i], py[i]) < 1e-12; };

function pointer(type, x, y, more = {}) {
  const box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new PointerEvent(type, {clientX: box.left + x, clientY: box.top + y,
    pointerId: 7, button: 0, bubbles: true, cancelable: true, ...more}));
}
function drag(fromX, fromY, toX, toY) {
  pointer('pointerdown', fromX, fromY);
  for (const part of [0.2, 0.5, 1])
    pointer('pointermove', fromX + part * (toX - fromX), fromY + part * (toY - fromY));
  pointer('pointerup', toX, toY);
  arrange();
}
function press(target, key) {
  const event = new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true});
  target.dispatchEvent(event);
  return event.defaultPrevented;
}
function type(text) {
  search.focus();
  search.value = text;
  search.dispatchEvent(new Event('input', {bubbles: true}));
}
async function flyThere(name) {
  type(name);
  press(search, 'Enter');
  await wait(2500);
  results['search flies to ' + name] =
    selected === node(name) && inTheMiddle(node(name)) && suggestions.hidden;
}
/** Keeps the distance of two nodes, as the disk shows them, for who knows the exact one. */
function measure(a, b) {
  arrange();
  const i = node(a), k = node(b);
  const square = (px[i] - px[k]) ** 2 + (py[i] - py[k]) ** 2;
  results.distances[a + ' ' + b] = Math.acosh(1 + 2 * square / (gaps[i] * gaps[k]));
}

async function checkSearch() {
  type('dog.n.01');
  results['the name itself comes first'] = suggestions.children[0].textContent === 'dog.n.01';
  type('DOG');
  const first = Array.from(suggestions.children, (item) => item.textContent);
  results['eight suggestions whatever the case'] =
    first.length === 8 && first[0] === 'dog.n.01' && !suggestions.hidden;
  press(search, 'ArrowDown');
  results['arrows choose'] = suggestions.children[1].getAttribute('aria-selected') === 'true';
  press(search, 'Escape');
  results['Escape closes'] = suggestions.hidden;
  type('no such animal');
  results['what is not there is said'] = suggestions.textContent.includes('no node');
  type('<\/script');
  results['names are text'] = suggestions.children[0].textContent === '<\/script><b a=\'"\'>&amp;' &&
    suggestions.querySelector('b') === null;
  await flyThere('dog.n.01');
  measure('dog.n.01', 'canine.n.02');
  measure('dog.n.01', 'mammal.n.01');
  results['what is above is shown'] =
    element('above').textContent.startsWith('Above itcanine.n.02carnivore.n.01placental.n.01');
  results['the children are shown'] = element('below').textContent.includes('hunting_dog.n.01');
}

/** The view by the button: by distance, or the disk. */
function chooseView(distance) {
  if (byDistance !== distance) element('radial').click();
  arrange();
}

function checkByDistance() {
  reset();
  chooseView(true);
  let worst = 0, last = 0, outside = 0;
  for (let i = 0; i < count; ++i) {
    const length = Math.hypot(vx[i], vy[i]), far = distance(i);
    arrange();
    if (far <= view.reach) worst = Math.max(worst, Math.abs(length - far / view.reach));
    else outside += near(length, 1, 1e-12) ? 0 : 1;
    last = Math.max(last, length);
  }
  results['by distance every node lies where it says'] = worst < 1e-9 && outside === 0 && last <= 1 + 1e-12;
  const squares = () => new Set(Array.from(names, (_, i) =>
    Math.round(screenX(i) / 3) + ' ' + Math.round(screenY(i) / 3))).size;
  const apart = squares();
  chooseView(false);
  results['more nodes are apart than in the disk'] = apart > 1.5 * squares();
  results.squares = [apart, squares()];
  chooseView(true);
  const carnivore = node('carnivore.n.01');
  const at = shownAt(vx[carnivore], vy[carnivore], view);
  results['what a place shows is found again'] =
    near(at.x, px[carnivore], 1e-9) && near(at.y, py[carnivore], 1e-9);
  const ends = [];
  alongGeodesic(carnivore, node('dog.n.01'), (x, y) => ends.push([x, y]));
  const dog = node('dog.n.01');
  results['geodesics end at their nodes'] =
    near(ends[ends.length - 1][0], vx[dog], 1e-12) && near(ends[ends.length - 1][1], vy[dog], 1e-12) &&
    Math.hypot(ends[0][0] - vx[carnivore], ends[0][1] - vy[carnivore]) < 0.05;
  draw();
  results['circles show the scale'] = rings.length >= 3 && rings.length <= 7;
  const before = distance(carnivore);
  arrange();
  drag(width / 2, height / 2, width / 2 + 30, height / 2);
  results['dragging moves by distance, too'] = !near(distance(carnivore), before, 1e-3) &&
    !inTheMiddle(about.centre);
  press(canvas, 'd');
  arrange();
  results['d goes to the disk'] = !byDistance && px.every((x, i) => vx[i] === x);
}

function checkDragging() {
  reset();
  chooseView(false);
  arrange();
  const grip = node('carnivore.n.01');
  const x = screenX(grip), y = screenY(grip);
  drag(x, y, x + 60, y - 45);
  results['what is dragged follows'] =
    near(screenX(grip), x + 60, 0.01) && near(screenY(grip), y - 45, 0.01);
  measure('carnivore.n.01', 'placental.n.01');
  drag(x + 60, y - 45, x, y);
  results['and comes back'] = near(screenX(grip), x, 1e-6) && near(screenY(grip), y, 1e-6) &&
    inTheMiddle(about.centre);
  const before = JSON.stringify(frame);
  canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: 100, bubbles: true, cancelable: true}));
  results['the wheel does nothing'] = JSON.stringify(frame) === before;
  for (let k = 0; k < 300; ++k)
    drag(width / 2, height / 2, width / 2 + radius * 0.5 * Math.cos(k * k),
      height / 2 + radius * 0.5 * Math.sin(k * k));
  drag(width / 2, height / 2, -500, -500);
  results['dragging beyond the disk is harmless'] = px.every((v) => Math.abs(v) < 1 + 1e-12);
}

async function checkDeepNodes() {
  await flyThere('deep_left');
  measure('deep_left', 'deep_right');
  measure('deep_left', 'deep_99');
  const i = node('deep_right');
  const x = screenX(i), y = screenY(i);
  drag(width / 2, height / 2, width / 2 + 100, height / 2 + 70);
  measure('deep_left', 'deep_right');
  measure('deep_right', 'deep_98');
  drag(width / 2 + 100, height / 2 + 70, width / 2, height / 2);
  results['gestures far from the origin are exact'] =
    near(screenX(i), x, 1e-6) && near(screenY(i), y, 1e-6);
}

async function checkTheRest() {
  element('reset').click();
  results['reset'] = frame.turn === 0 && inTheMiddle(about.centre) && selected === about.centre;
  const placental = node('placental.n.01');
  pointer('pointermove', screenX(placental), screenY(placental));
  results['the tooltip has name and ancestors'] = !element('tip').hidden &&
    element('tip').textContent === 'placental.n.01 \u2039 mammal.n.01';
  pointer('pointerdown', screenX(placental), screenY(placental));
  pointer('pointerup', screenX(placental), screenY(placental));
  await wait(2500);
  results['a click brings the node to the middle'] = inTheMiddle(placental);
  results['keys'] = press(canvas, 'p') && !press(canvas, 'x');
  await wait(2500);
  results['p goes to the parent'] = inTheMiddle(about.centre);
  press(canvas, 'ArrowRight');
  arrange();
  results['arrows move the disk'] = px[about.centre] < -0.1 && near(py[about.centre], 0, 1e-12);
  press(document.body, '/');
  results['/ goes to the search'] = document.activeElement === search;
  pointer('pointerdown', 300, 300, {pointerType: 'touch'});
  pointer('pointerdown', 400, 300, {pointerType: 'touch', pointerId: 8});
  pointer('pointermove', 450, 300, {pointerType: 'touch', pointerId: 8});
  results['a second finger is no gesture'] = !gesture.dragged;
  pointer('pointercancel', 300, 300, {pointerType: 'touch'});
  results['a cancelled touch ends'] = gesture === null;
  results['the legend has twelve subtrees'] = element('legend').children.length === 12;
  results['something is drawn'] =
    new Set(context.getImageData(0, 0, canvas.width, canvas.height).data).size > 50;
}

(async () => {
  await wait(200);
  try {
    await checkSearch();
    checkByDistance();
    checkDragging();
    await checkDeepNodes();
    await checkTheRest();
  } catch (error) {
    problems.push(String(error.stack));
  }
  results.problems = problems;
  const out = document.createElement('pre');
  out.id = 'results';
  out.hidden = true;
  out.textContent = JSON.stringify(results);
  document.body.append(out);
})();
