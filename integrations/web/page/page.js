// A character steered by keys, drawn as capsules seen in perspective. Everything lies in the page: no server.

const bytesOf = id => Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));
const $ = id => document.getElementById(id);
const afoot = await Afoot.load(bytesOf("wasm"));
const pack = afoot.open(bytesOf("pack"));
const figure = pack.character();
const has = word => pack.words.includes(word);
if (has("run")) $("run").innerHTML = "; <kbd>Shift</kbd>: run";

// ---- wishes -----------------------------------------------------------------------------------

const KEYS = { ArrowUp: [0, 1], KeyW: [0, 1], ArrowDown: [0, -1], KeyS: [0, -1], ArrowLeft: [-1, 0], KeyA: [-1, 0],
  ArrowRight: [1, 0], KeyD: [1, 0] };
const held = new Set();
const press = (code, down) => {
  down ? held.add(code) : held.delete(code);
  for (const button of document.querySelectorAll("#pad button")) button.classList.toggle("held", held.has(button.dataset.key));
};
addEventListener("keydown", event => { if (event.code in KEYS || event.key === "Shift") { press(event.code, true); event.preventDefault(); } });
addEventListener("keyup", event => press(event.code, false));
addEventListener("blur", () => held.clear());
for (const button of document.querySelectorAll("#pad button")) {
  button.onpointerdown = () => press(button.dataset.key, true);
  button.onpointerup = button.onpointerleave = () => press(button.dataset.key, false);
}

const camera = { yaw: Math.PI, x: 0, z: 0 };
let direction = 0;

// Keys point as they are seen: up is away from the eye.
function wish() {
  let [right, away] = [0, 0];
  for (const code of held) if (code in KEYS) { right += KEYS[code][0]; away += KEYS[code][1]; }
  const moves = right !== 0 || away !== 0;
  if (moves) direction = camera.yaw + Math.PI - Math.atan2(right, away);
  const runs = [...held].some(code => code.startsWith("Shift"));
  const word = !moves ? (has("stand") ? "stand" : null) : runs && has("run") ? "run" : has("walk") ? "walk" : null;
  return { moves, word };
}

// ---- drawing ----------------------------------------------------------------------------------

const view = $("view"), pen = view.getContext("2d", { alpha: false });
const side = name => /left|^l[A-Z_]|_l$/i.test(name) ? "#4487fa" : /right|^r[A-Z_]|_r$/i.test(name) ? "#fa822e" : "#c9d1dc";
const lengthOf = (points, a, b) => Math.hypot(points[3 * a] - points[3 * b], points[3 * a + 1] - points[3 * b + 1], points[3 * a + 2] - points[3 * b + 2]);
// Limbs and trunk are as thick as bones are long; short ones, as of hands, are thin.
const limbs = [];
{
  const points = (figure.advance(0, 0), figure.points());
  const height = Math.max(...points.filter((_, index) => index % 3 === 1));
  pack.parents.forEach((parent, point) => {
    if (parent < 0) return;
    const length = lengthOf(points, parent, point), name = pack.joints[Math.min(point, pack.joints.length - 1) === point ? point : parent];
    const colour = side(name), middle = colour === "#c9d1dc";
    limbs.push({ from: parent, to: point, colour, width: Math.min(0.16 * length + 0.025, middle ? 0.11 : 0.075) * height / 1.75 });
  });
  camera.height = height;
}

const FAR = 60, EYE = { distance: 4.6, height: 1.9 };
function project(x, y, z, lens) {
  const [dx, dz] = [x - camera.x, z - camera.z], { sin, cos, size, tilt } = lens;
  const across = dx * cos - dz * sin, depth = EYE.distance - (dx * sin + dz * cos);
  const up = y - EYE.height + depth * tilt;
  return depth < 0.2 ? null : [lens.x + size * across / depth, lens.y - size * up / depth, size / depth, depth];
}

function draw(points) {
  const scale = Math.min(devicePixelRatio || 1, 2), [width, height] = [view.clientWidth * scale | 0, view.clientHeight * scale | 0];
  if (view.width !== width || view.height !== height) Object.assign(view, { width, height });
  const lens = { sin: Math.sin(camera.yaw), cos: Math.cos(camera.yaw), size: 1.5 * height, tilt: 0.2, x: width / 2, y: height / 2 };
  pen.fillStyle = "#11141a";
  pen.fillRect(0, 0, width, height);
  drawFloor(lens);
  pen.lineCap = "round";
  for (const shadow of [true, false]) {
    const lines = [];
    for (const limb of limbs) {
      const at = point => shadow
        ? project(points[3 * point] - 0.35 * points[3 * point + 1], 0, points[3 * point + 2] - 0.25 * points[3 * point + 1], lens)
        : project(points[3 * point], points[3 * point + 1], points[3 * point + 2], lens);
      const a = at(limb.from), b = at(limb.to);
      if (a && b) lines.push([a, b, limb]);
    }
    lines.sort((one, two) => two[0][3] + two[1][3] - one[0][3] - one[1][3]);
    for (const [a, b, limb] of lines) {
      pen.strokeStyle = shadow ? "#0a0c10" : limb.colour;
      pen.lineWidth = limb.width * 2 * (a[2] + b[2]) / 2;
      pen.beginPath();
      pen.moveTo(a[0], a[1]);
      pen.lineTo(b[0], b[1]);
      pen.stroke();
    }
  }
}

function drawFloor(lens) {
  const [x, z] = [Math.round(camera.x), Math.round(camera.z)];
  pen.lineWidth = 1;
  pen.strokeStyle = "#2a313d";
  pen.beginPath();
  for (let k = -12; k <= 12; k++) {
    for (const [a, b] of [[[x + k, z - 12], [x + k, z + 12]], [[x - 12, z + k], [x + 12, z + k]]]) {
      // In pieces, so that what lies behind the eye is left out.
      for (let part = 0; part < 6; part++) {
        const at = share => project(a[0] + (b[0] - a[0]) * share, 0, a[1] + (b[1] - a[1]) * share, lens);
        const p = at(part / 6), q = at((part + 1) / 6);
        if (p && q) { pen.moveTo(p[0], p[1]); pen.lineTo(q[0], q[1]); }
      }
    }
  }
  pen.stroke();
}

// ---- time -------------------------------------------------------------------------------------

// What tests and the curious look at.
const told = { root: [0, 0, 0], points: null, contacts: 0, frames: 0, advance: [], script: [], joints: pack.joints, words: pack.words };
globalThis.afootFigure = told;
let last = performance.now();
function frame(now) {
  const begun = performance.now();
  const seconds = Math.min(Math.max(now - last, 0) / 1000, 0.1);
  last = now;
  const { moves, word } = wish();
  const pose = figure.advance(seconds, direction, word);
  const root = [pose[0], pose[1], pose[2]], points = figure.points();
  const advanced = performance.now();
  const ease = 1 - Math.exp(-4 * seconds);
  camera.x += (root[0] - camera.x) * ease;
  camera.z += (root[2] - camera.z) * ease;
  draw(points);
  Object.assign(told, { root, points, contacts: figure.contacts, direction, moves, now: now / 1000 });
  told.frames++;
  told.advance.push(advanced - begun);
  told.script.push(performance.now() - begun);
  if (told.script.length > 2000) { told.script.shift(); told.advance.shift(); }
  if (told.frames % 30 === 0) {
    const mean = told.script.slice(-30).reduce((sum, value) => sum + value, 0) / 30;
    $("state").textContent = `${word ?? "moving"}; ${mean.toFixed(2)} ms of script a frame`;
  }
  for (const look of told.watchers ?? []) look(told);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
