"use strict";
// Plays the motion that the page carries. Plain WebGL 2: limbs are instanced capsules, the shadow is the
// figures flattened into a texture that the floor blurs. Metres, seconds; y up.

const motion = JSON.parse(document.getElementById("motion").textContent);
const $ = id => document.getElementById(id);

// ---- data -------------------------------------------------------------------------------------

const bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;

// Places of all points in one frame: the root's, plus offsets in units.
function unpack(figure) {
  figure.roots = new Float32Array(bytesOf(figure.roots));
  figure.offsets = new Int16Array(bytesOf(figure.offsets));
  figure.seconds = (figure.frames - 1) / figure.fps;
  figure.shown = true;
  figure.now = new Float32Array(3 * figure.points);
  figure.place = { x: 0, z: 0, sin: 0, cos: 1 };
  return figure;
}

function pose(figure, seconds) {
  const at = Math.min(Math.max(seconds * figure.fps, 0), figure.frames - 1);
  const before = Math.floor(at), after = Math.min(before + 1, figure.frames - 1), share = at - before;
  const { roots, offsets, unit, points, now, place, floor } = figure;
  for (let point = 0; point < points; point++) {
    const value = axis => {
      const one = frame => roots[3 * frame + axis] + unit * offsets[3 * (frame * points + point) + axis];
      return one(before) + share * (one(after) - one(before));
    };
    const x = value(0), z = value(2);
    now[3 * point] = place.cos * x + place.sin * z + place.x;
    now[3 * point + 1] = value(1) - floor;
    now[3 * point + 2] = -place.sin * x + place.cos * z + place.z;
  }
  return now;
}

const onGround = ({ place }, [x, z]) =>
  [place.cos * x + place.sin * z + place.x, -place.sin * x + place.cos * z + place.z];

const figures = motion.figures.map(unpack);
const longest = Math.max(...figures.map(figure => figure.seconds), 1e-3);
const fps = Math.max(...figures.map(figure => figure.fps));

// Side by side: each starts on one line and goes the same way, two strides apart.
function lay(apart) {
  let right = 0;
  for (const figure of figures) {
    const place = figure.place;
    Object.assign(place, { x: 0, z: 0, sin: 0, cos: 1 });
    if (!apart) continue;
    const { roots, frames } = figure, last = 3 * (frames - 1);
    const way = [roots[last] - roots[0], roots[last + 2] - roots[2]], length = Math.hypot(...way);
    // An arc that comes back is turned as little as one that stands.
    if (length > 0.5) Object.assign(place, { sin: -way[0] / length, cos: way[1] / length });
    let low = Infinity, high = -Infinity;
    for (let frame = 0; frame < frames; frame++) {
      const x = onGround(figure, [roots[3 * frame], roots[3 * frame + 2]])[0];
      low = Math.min(low, x); high = Math.max(high, x);
    }
    place.x = right - low;
    place.z = -onGround(figure, [roots[0], roots[2]])[1];
    right += high - low + 1.4;
  }
  if (apart) for (const figure of figures) figure.place.x -= (right - 1.4) / 2;
}

// ---- matrices, column by column ---------------------------------------------------------------

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unitOf = a => { const l = Math.hypot(...a) || 1; return a.map(v => v / l); };

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2), d = near - far;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / d, -1, 0, 0, 2 * far * near / d, 0];
}
function lookAt(eye, target) {
  const back = unitOf(sub(eye, target)), right = unitOf(cross([0, 1, 0], back)), up = cross(back, right);
  return [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
}
function times(a, b) {
  const out = new Array(16).fill(0);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++)
    for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
}

// ---- drawing ----------------------------------------------------------------------------------

const canvas = $("view");
const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
if (!gl) {
  $("trouble").hidden = false;
  $("trouble").textContent = "This browser shows no WebGL 2, which the player needs.";
  throw new Error("no WebGL 2");
}

const LIGHT = unitOf([0.45, 1, 0.35]);
const BACK = [0.067, 0.078, 0.102];
const COLOURS = { left: [0.27, 0.53, 0.98], right: [0.98, 0.51, 0.18], middle: [0.79, 0.82, 0.87] };

function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, "#version 300 es\nprecision highp float;\n" + text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const uniforms = {};
  for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); k++) {
    const { name } = gl.getActiveUniform(made, k);
    uniforms[name] = gl.getUniformLocation(made, name);
  }
  return { made, uniforms };
}

// A vertex of a capsule: a direction on the unit sphere, and which end it belongs to.
const CAPSULE = `
layout(location=0) in vec4 corner;
layout(location=1) in vec4 from;   // and its radius
layout(location=2) in vec4 to;     // and its radius
layout(location=3) in vec4 colour; // and how solid
uniform mat4 camera;
uniform vec3 light;
uniform float flatten;
out vec3 normal; out vec3 world; out vec4 tint;
void main() {
  vec3 along = to.xyz - from.xyz;
  float size = length(along);
  along = size > 1e-5 ? along / size : vec3(0, 1, 0);
  vec3 side = normalize(abs(along.y) < 0.9 ? cross(along, vec3(0, 1, 0)) : cross(along, vec3(1, 0, 0)));
  vec3 across = cross(along, side);
  normal = side * corner.x + along * corner.y + across * corner.z;
  vec4 end = mix(from, to, corner.w);
  world = end.xyz + end.w * normal;
  world -= flatten * light * (world.y / light.y);
  tint = colour;
  gl_Position = camera * vec4(world, 1);
}`;

const limbs = program(CAPSULE, `
in vec3 normal; in vec3 world; in vec4 tint;
uniform vec3 light; uniform vec3 eye; uniform vec3 back;
out vec4 pixel;
void main() {
  vec3 n = normalize(normal), v = normalize(eye - world);
  float lit = max(dot(n, light), 0.0), sky = 0.5 + 0.5 * n.y;
  float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
  float shine = pow(max(dot(n, normalize(light + v)), 0.0), 40.0);
  vec3 c = tint.rgb * (0.22 + 0.30 * sky + 0.62 * lit) + 0.10 * shine + 0.16 * rim * vec3(0.6, 0.7, 0.9);
  float far = smoothstep(14.0, 60.0, distance(eye, world));
  pixel = vec4(mix(c, back, far), 1);
}`);

const shade = program(CAPSULE, `
in vec3 normal; in vec3 world; in vec4 tint;
out vec4 pixel;
void main() { pixel = vec4(tint.a, 0, 0, 1); }`);

const floorShader = program(`
layout(location=0) in vec2 corner;
uniform mat4 camera; uniform vec3 centre; uniform float reach;
out vec3 world;
void main() {
  world = vec3(centre.x + reach * corner.x, 0, centre.z + reach * corner.y);
  gl_Position = camera * vec4(world, 1);
}`, `
in vec3 world;
uniform vec3 eye; uniform vec3 back; uniform vec4 patch_; uniform sampler2D shadow;
out vec4 pixel;
float lines(vec2 at, float step, float width) {
  vec2 w = fwidth(at), d = abs(fract(at / step - 0.5) - 0.5) * step;
  vec2 l = 1.0 - smoothstep(vec2(0), w * 1.3 + width, d);
  return max(l.x, l.y) * min(1.0, step / (14.0 * max(w.x, w.y)));
}
void main() {
  vec3 c = vec3(0.118, 0.137, 0.172);
  c += 0.030 * lines(world.xz, 1.0, 0.004) + 0.040 * lines(world.xz, 5.0, 0.01);
  vec2 at = (world.xz - patch_.xy) / patch_.z * 0.5 + 0.5;
  float dark = 0.0, weight = 0.0;
  for (int i = -3; i <= 3; i++) for (int j = -3; j <= 3; j++) {
    float w = exp(-0.16 * float(i * i + j * j));
    dark += w * texture(shadow, at + vec2(i, j) * patch_.w).r;
    weight += w;
  }
  bool inside = all(greaterThan(at, vec2(0))) && all(lessThan(at, vec2(1)));
  c *= 1.0 - (inside ? 0.62 * dark / weight : 0.0);
  float far = smoothstep(6.0, 46.0, distance(eye, world));
  pixel = vec4(mix(c, back, far), 1);
}`);

const marks = program(`
layout(location=0) in vec2 at;
layout(location=1) in vec4 colour;
uniform mat4 camera; uniform float height;
out vec4 tint; out vec3 world;
void main() { tint = colour; world = vec3(at.x, height, at.y); gl_Position = camera * vec4(world, 1); }`, `
in vec4 tint; in vec3 world;
uniform vec3 eye;
out vec4 pixel;
void main() { pixel = vec4(tint.rgb, tint.a * (1.0 - smoothstep(10.0, 46.0, distance(eye, world)))); }`);

function buffer(data, usage = gl.STATIC_DRAW) {
  const made = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, made);
  gl.bufferData(gl.ARRAY_BUFFER, data, usage);
  return made;
}

function capsuleMesh() {
  const rings = 10, spokes = 16, corners = [], triangles = [];
  for (let ring = 0; ring <= rings; ring++) {
    // The equator stands twice: once for each end.
    const half = rings / 2, end = ring > half ? 1 : 0;
    const angle = Math.PI * ((ring <= half ? ring / half : (ring - half - 1) / (half - 1) + 1) / 2 - 0.5);
    for (let spoke = 0; spoke < spokes; spoke++) {
      const turn = 2 * Math.PI * spoke / spokes;
      corners.push(Math.cos(angle) * Math.cos(turn), Math.sin(angle), Math.cos(angle) * Math.sin(turn), end);
      if (ring === rings) continue;
      const a = ring * spokes + spoke, b = ring * spokes + (spoke + 1) % spokes;
      triangles.push(a, a + spokes, b, b, a + spokes, b + spokes);
    }
  }
  return { corners: new Float32Array(corners), triangles: new Uint16Array(triangles) };
}

const bones = figures.reduce((sum, figure) => sum + figure.bones.length, 0);
const instances = new Float32Array(12 * bones);
const mesh = capsuleMesh();
const limbArray = gl.createVertexArray();
gl.bindVertexArray(limbArray);
buffer(mesh.corners);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.triangles, gl.STATIC_DRAW);
const instanceBuffer = buffer(instances, gl.DYNAMIC_DRAW);
for (let k = 0; k < 3; k++) {
  gl.enableVertexAttribArray(k + 1);
  gl.vertexAttribPointer(k + 1, 4, gl.FLOAT, false, 48, 16 * k);
  gl.vertexAttribDivisor(k + 1, 1);
}
const floorArray = gl.createVertexArray();
gl.bindVertexArray(floorArray);
buffer(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);

const SHADOW = 1024;
const shadowTexture = gl.createTexture(), shadowFrame = gl.createFramebuffer();
gl.bindTexture(gl.TEXTURE_2D, shadowTexture);
gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, SHADOW, SHADOW, 0, gl.RED, gl.UNSIGNED_BYTE, null);
for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
  [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]])
  gl.texParameteri(gl.TEXTURE_2D, name, value);
gl.bindFramebuffer(gl.FRAMEBUFFER, shadowFrame);
gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, shadowTexture, 0);
gl.bindFramebuffer(gl.FRAMEBUFFER, null);

const markArray = gl.createVertexArray(), markBuffer = gl.createBuffer();
gl.bindVertexArray(markArray);
gl.bindBuffer(gl.ARRAY_BUFFER, markBuffer);
for (const [index, size, offset] of [[0, 2, 0], [1, 4, 8]]) {
  gl.enableVertexAttribArray(index);
  gl.vertexAttribPointer(index, size, gl.FLOAT, false, 24, offset);
}

const mixed = (a, b, share) => a.map((v, k) => v + share * (b[k] - v));
const tintOf = (figure, side) =>
  figure.kind === "captured" ? mixed(COLOURS[side], [0.42, 0.46, 0.53], 0.62) : COLOURS[side];

// A line of some width on the ground, as triangles.
function ribbon(out, points, width, colour) {
  for (let k = 0; k + 1 < points.length; k++) {
    const [a, b] = [points[k], points[k + 1]], way = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(...way);
    if (length < 1e-6) continue;
    const n = [-way[1] / length * width / 2, way[0] / length * width / 2];
    const corners = [[a[0] + n[0], a[1] + n[1]], [a[0] - n[0], a[1] - n[1]], [b[0] + n[0], b[1] + n[1]], [b[0] - n[0], b[1] - n[1]]];
    for (const c of [0, 1, 2, 2, 1, 3]) out.push(...corners[c], ...colour);
  }
}

function disc(out, [x, z], radius, colour) {
  for (let k = 0; k < 14; k++) {
    const at = t => [x + radius * Math.cos(t), z + radius * Math.sin(t)];
    out.push(x, z, ...colour, ...at(k * Math.PI / 7), ...colour, ...at((k + 1) * Math.PI / 7), ...colour);
  }
}

// Asked path, walked way, and plants: those of now bright, those to come faint.
function groundMarks(seconds) {
  const out = [];
  for (const figure of figures.filter(figure => figure.shown)) {
    const placed = point => onGround(figure, point);
    if (figure.path.length) ribbon(out, figure.path.map(placed), 0.045, [0.45, 0.52, 0.62, 0.55]);
    const step = Math.max(1, Math.ceil(figure.frames / 1500)), way = [];
    for (let frame = 0; frame < figure.frames; frame += step)
      way.push(placed([figure.roots[3 * frame], figure.roots[3 * frame + 2]]));
    ribbon(out, way, 0.012, [0.62, 0.42, 0.72, 0.5]);
    for (const [x, z, side, from, to] of figure.plants) {
      const [begin, end] = [from / figure.fps, to / figure.fps];
      if (begin > seconds + 3 || end < seconds - 6) continue;
      const now = seconds >= begin && seconds < end;
      const fade = now ? 0.95 : seconds < begin ? 0.12 : 0.42 * (1 - (seconds - end) / 6);
      disc(out, placed([x, z]), now ? 0.05 : 0.036, [...tintOf(figure, side ? "right" : "left"), fade]);
    }
  }
  return new Float32Array(out);
}

function fillInstances(seconds) {
  let count = 0;
  for (const figure of figures.filter(figure => figure.shown)) {
    const now = pose(figure, seconds);
    for (const [from, to, side, first, second] of figure.bones) {
      instances.set(now.subarray(3 * from, 3 * from + 3), 12 * count);
      instances[12 * count + 3] = first;
      instances.set(now.subarray(3 * to, 3 * to + 3), 12 * count + 4);
      instances[12 * count + 7] = second;
      instances.set(tintOf(figure, ["middle", "left", "right"][side]), 12 * count + 8);
      instances[12 * count + 11] = figure.kind === "captured" ? 0.6 : 1;
      count++;
    }
  }
  return count;
}

// ---- camera -----------------------------------------------------------------------------------

const camera = { yaw: -0.65, pitch: 0.30, distance: 5, target: [0, 0.85, 0], follow: true };

function rootsNow() {
  return figures.filter(figure => figure.shown).map(figure => figure.now.subarray(0, 3));
}

function spread() {
  const roots = rootsNow();
  if (!roots.length) return { middle: [0, 0], reach: 0 };
  const middle = [0, 2].map(axis => roots.reduce((sum, root) => sum + root[axis], 0) / roots.length);
  const reach = Math.max(...roots.map(root => Math.hypot(root[0] - middle[0], root[2] - middle[1])));
  return { middle, reach };
}

function drawFrame(seconds) {
  const scale = Math.min(window.devicePixelRatio || 1, 2);
  const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const count = fillInstances(seconds), { middle, reach } = spread();
  gl.bindBuffer(gl.ARRAY_BUFFER, instanceBuffer);
  gl.bufferSubData(gl.ARRAY_BUFFER, 0, instances.subarray(0, 12 * count));

  const { yaw, pitch, distance, target } = camera;
  const eye = [target[0] + distance * Math.cos(pitch) * Math.sin(yaw), target[1] + distance * Math.sin(pitch),
    target[2] + distance * Math.cos(pitch) * Math.cos(yaw)];
  eye[1] = Math.max(eye[1], 0.05);
  const whole = times(perspective(0.72, width / Math.max(height, 1), 0.05, 400), lookAt(eye, target));

  // Shadows, into a square around the figures as seen from above.
  const half = Math.max(2.2, reach + 2), shift = [LIGHT[0], LIGHT[2]].map(v => -v / LIGHT[1] * 0.9);
  const centre = [middle[0] + shift[0], middle[1] + shift[1]];
  const above = [1 / half, 0, 0, 0, 0, 0, 0, 0, 0, 1 / half, 0, 0, -centre[0] / half, -centre[1] / half, 0, 1];
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadowFrame);
  gl.viewport(0, 0, SHADOW, SHADOW);
  gl.clearColor(0, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.disable(gl.DEPTH_TEST);
  gl.disable(gl.BLEND);
  gl.useProgram(shade.made);
  gl.uniformMatrix4fv(shade.uniforms.camera, false, above);
  gl.uniform3fv(shade.uniforms.light, LIGHT);
  gl.uniform1f(shade.uniforms.flatten, 1);
  gl.bindVertexArray(limbArray);
  gl.drawElementsInstanced(gl.TRIANGLES, mesh.triangles.length, gl.UNSIGNED_SHORT, 0, count);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);

  gl.viewport(0, 0, width, height);
  gl.clearColor(...BACK, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  gl.useProgram(floorShader.made);
  gl.uniformMatrix4fv(floorShader.uniforms.camera, false, whole);
  gl.uniform3f(floorShader.uniforms.centre, target[0], 0, target[2]);
  gl.uniform1f(floorShader.uniforms.reach, 60);
  gl.uniform3fv(floorShader.uniforms.eye, eye);
  gl.uniform3fv(floorShader.uniforms.back, BACK);
  gl.uniform4f(floorShader.uniforms.patch_, ...centre, half, 0.018 / half);
  gl.bindTexture(gl.TEXTURE_2D, shadowTexture);
  gl.bindVertexArray(floorArray);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);

  const flat = groundMarks(seconds);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  gl.depthMask(false);
  gl.useProgram(marks.made);
  gl.uniformMatrix4fv(marks.uniforms.camera, false, whole);
  gl.uniform1f(marks.uniforms.height, 0.004);
  gl.uniform3fv(marks.uniforms.eye, eye);
  gl.bindVertexArray(markArray);
  gl.bindBuffer(gl.ARRAY_BUFFER, markBuffer);
  gl.bufferData(gl.ARRAY_BUFFER, flat, gl.DYNAMIC_DRAW);
  gl.drawArrays(gl.TRIANGLES, 0, flat.length / 6);
  gl.depthMask(true);
  gl.disable(gl.BLEND);

  gl.useProgram(limbs.made);
  gl.uniformMatrix4fv(limbs.uniforms.camera, false, whole);
  gl.uniform3fv(limbs.uniforms.light, LIGHT);
  gl.uniform3fv(limbs.uniforms.eye, eye);
  gl.uniform3fv(limbs.uniforms.back, BACK);
  gl.uniform1f(limbs.uniforms.flatten, 0);
  gl.bindVertexArray(limbArray);
  gl.drawElementsInstanced(gl.TRIANGLES, mesh.triangles.length, gl.UNSIGNED_SHORT, 0, count);
}

// ---- playing ----------------------------------------------------------------------------------

const state = { seconds: 0, playing: true, speed: 1, apart: figures.some(figure => figure.kind === "captured") && figures.length > 1 };

function frameAll() {
  fillInstances(state.seconds);
  const { middle, reach } = spread();
  camera.target = [middle[0], 0.85, middle[1]];
  camera.distance = Math.min(4.6 + 2.2 * reach, 40);
}

function seek(seconds) {
  state.seconds = Math.min(Math.max(seconds, 0), longest);
  $("scrub").value = state.seconds;
  const frame = Math.round(state.seconds * fps);
  $("clock").value = `${state.seconds.toFixed(2)} / ${longest.toFixed(2)} s · ${frame}`;
}

function setPlaying(playing) {
  if (playing && state.seconds >= longest) seek(0);
  state.playing = playing;
  $("play").classList.toggle("playing", playing);
}

function step(frames) {
  setPlaying(false);
  seek((Math.round(state.seconds * fps) + frames) / fps);
}

function setFollow(follow) {
  camera.follow = follow;
  $("follow").classList.toggle("set", follow);
}

function setApart(apart) {
  state.apart = apart;
  $("apart").classList.toggle("set", apart);
  lay(apart);
  frameAll();
}

let last = performance.now();
function tick(now) {
  const passed = Math.min((now - last) / 1000, 0.1);
  last = now;
  if (state.playing) seek((state.seconds + passed * state.speed) % (longest + 0.4));
  if (camera.follow) {
    const { middle } = spread(), ease = 1 - Math.exp(-4 * passed);
    camera.target[0] += ease * (middle[0] - camera.target[0]);
    camera.target[2] += ease * (middle[1] - camera.target[2]);
  }
  drawFrame(state.seconds);
  requestAnimationFrame(tick);
}

// ---- controls ---------------------------------------------------------------------------------

$("title").textContent = motion.title;
$("scrub").max = longest;
$("apart").hidden = figures.length < 2;
for (const figure of figures) {
  const item = document.createElement("li");
  item.className = figure.kind;
  item.append(document.createElement("i"), `${figure.name}${figure.kind === "captured" ? " (captured)" : ""}`);
  item.onclick = () => item.classList.toggle("off", !(figure.shown = !figure.shown));
  $("figures").append(item);
}
$("play").onclick = () => setPlaying(!state.playing);
$("back").onclick = () => step(-1);
$("on").onclick = () => step(1);
$("follow").onclick = () => setFollow(!camera.follow);
$("apart").onclick = () => setApart(!state.apart);
$("scrub").oninput = event => { setPlaying(false); seek(Number(event.target.value)); };
$("speed").onchange = event => { state.speed = Number(event.target.value); };

addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const acts = { " ": () => setPlaying(!state.playing), ",": () => step(-1), ".": () => step(1),
    f: () => setFollow(!camera.follow), F: () => setFollow(!camera.follow) };
  if (!acts[event.key]) return;
  event.preventDefault();
  if (document.activeElement.tagName === "BUTTON") document.activeElement.blur();
  acts[event.key]();
});

const held = new Map();
canvas.addEventListener("contextmenu", event => event.preventDefault());
canvas.addEventListener("pointerdown", event => {
  canvas.setPointerCapture(event.pointerId);
  held.set(event.pointerId, [event.clientX, event.clientY]);
});
for (const name of ["pointerup", "pointercancel"])
  canvas.addEventListener(name, event => held.delete(event.pointerId));
canvas.addEventListener("pointermove", event => {
  const before = held.get(event.pointerId);
  if (!before) return;
  const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
  if (held.size === 2) {
    const other = [...held].find(([id]) => id !== event.pointerId)[1];
    const gap = at => Math.hypot(at[0] - other[0], at[1] - other[1]);
    zoom(gap(before) / Math.max(gap([event.clientX, event.clientY]), 1));
  } else if (event.shiftKey || event.buttons & 6) pan(dx, dy);
  else orbit(dx, dy);
  held.set(event.pointerId, [event.clientX, event.clientY]);
});
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(event.deltaY * 0.0012)); }, { passive: false });

function orbit(dx, dy) {
  camera.yaw -= dx * 0.006;
  camera.pitch = Math.min(Math.max(camera.pitch + dy * 0.006, -0.05), 1.54);
}
function pan(dx, dy) {
  setFollow(false);
  const metres = camera.distance * 0.75 / canvas.clientHeight, [sin, cos] = [Math.sin(camera.yaw), Math.cos(camera.yaw)];
  const ahead = Math.sin(camera.pitch) > 0.5 ? 1 : 0;
  camera.target[0] -= metres * (cos * dx + ahead * sin * dy);
  camera.target[2] -= metres * (-sin * dx + ahead * cos * dy);
  if (!ahead) camera.target[1] = Math.min(Math.max(camera.target[1] + metres * dy, 0), 4);
}
function zoom(factor) { camera.distance = Math.min(Math.max(camera.distance * factor, 0.6), 90); }

setFollow(true);
// `#t=2.5` opens the page paused at that time.
const asked = /[#&]t=([\d.]+)/.exec(location.hash);
seek(asked ? Number(asked[1]) : 0);
setPlaying(!asked);
setApart(state.apart);
requestAnimationFrame(tick);
