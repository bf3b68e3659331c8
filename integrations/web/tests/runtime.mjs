// The runtime in Node.js, without a page: opens a pack, steers, refuses what is damaged.
//   node tests/runtime.mjs afoot.wasm hero.afootpack
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Afoot } from "../afoot.js";

const [wasm, file] = process.argv.slice(2);
const afoot = await Afoot.load(readFileSync(wasm));
const bytes = new Uint8Array(readFileSync(file));
assert.throws(() => afoot.open(bytes.slice(0, bytes.length / 2)), /baked character/);
assert.throws(() => afoot.open(new TextEncoder().encode("BVH")), /this is no baked character/);
const pack = afoot.open(bytes);
assert.equal(pack.parents[0], -1);
assert.ok(pack.parents.every((parent, point) => parent < point));
const heroes = [0, 1, 2].map(variant => pack.character({ x: variant, variant }));
assert.throws(() => heroes[0].advance(0.1, 0, "no such word"), /is not known/);
assert.throws(() => heroes[0].advance(NaN, 0), /not finite/);
const size = afoot.calls.memory.buffer.byteLength;
let begun = performance.now();
for (let frame = 0; frame < 600; frame++) for (const hero of heroes) hero.advance(1 / 60, 0.5 * Math.floor(frame / 120));
const each = (performance.now() - begun) / 1800;
assert.equal(afoot.calls.memory.buffer.byteLength, size, "no memory is asked for");
const points = heroes[0].points();
assert.ok(points.every(Number.isFinite) && points[1] > 0.3 && points[1] < 3);
heroes.forEach(hero => hero.close());
pack.close();
console.log(`ok   the runtime steers: ${(1000 * each).toFixed(1)} µs a call, ${pack.joints.length} joints, words ${pack.words.join(" ")}`);
