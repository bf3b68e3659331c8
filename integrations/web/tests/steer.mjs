// Opens a steered page as a person would, from its file, holds a key for 5 s and looks at what came of it.
//   node tests/steer.mjs PAGE.html [--picture FILE.png]
// Needs playwright-core (of web/) and Chromium.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(process.env.AFOOT_NODE_PACKAGES ?? resolve(import.meta.dirname, "../../../web/package.json"));
const { chromium } = require("playwright-core");
const [file, , picture] = process.argv.slice(2);

const failures = [];
const check = (good, words) => {
  console.log(`${good ? "ok  " : "FAIL"} ${words}`);
  if (!good) failures.push(words);
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 960, height: 600 } });
const errors = [], asked = [];
page.on("console", message => message.type() === "error" && errors.push(message.text()));
page.on("pageerror", error => errors.push(String(error)));
page.on("request", request => /^https?:/.test(request.url()) && asked.push(request.url()));
await page.goto(pathToFileURL(resolve(file)).href);
await page.waitForFunction(() => globalThis.afootFigure?.frames > 5, null, { timeout: 60_000 });

// Notes every frame from now on: where the root is, what stands, and where balls of feet are.
await page.evaluate(() => {
  const told = globalThis.afootFigure, noted = (globalThis.noted = []);
  const toes = [/left.*toe|ltoe|left.*ball/i, /right.*toe|rtoe|right.*ball/i].map(name => told.joints.findIndex(joint => name.test(joint)));
  told.watchers = [now => noted.push({
    at: now.now, root: [...now.root], moves: now.moves, direction: now.direction, stands: [now.contacts & 2, now.contacts & 8].map(Boolean),
    toes: toes.map(toe => [...now.points.slice(3 * toe, 3 * toe + 3)]), script: now.script.at(-1), advance: now.advance.at(-1),
  })];
});
const noted = () => page.evaluate(() => globalThis.noted);
const hold = async (key, seconds) => {
  await page.keyboard.down(key);
  await page.waitForTimeout(1000 * seconds);
  if (picture && key === "ArrowRight") await page.screenshot({ path: picture });
  await page.keyboard.up(key);
};
await hold("ArrowUp", 5);
const first = await noted();
await hold("ArrowRight", 5);
const frames = await noted(), second = frames.slice(first.length);

// Which way somebody went over the last three seconds, in degrees off the wish, and how far.
const went = part => {
  const end = part.filter(frame => frame.moves), [a, b] = [end.find(frame => frame.at > end.at(-1).at - 3), end.at(-1)];
  const way = [b.root[0] - a.root[0], b.root[2] - a.root[2]], off = Math.atan2(way[0], way[1]) - b.direction;
  return { metres: Math.hypot(...way), off: Math.abs(Math.atan2(Math.sin(off), Math.cos(off))) * 180 / Math.PI };
};
for (const [name, part] of [["up", first], ["right", second]]) {
  const { metres, off } = went(part);
  check(metres > 1.5 && off < 30, `${name}: went ${metres.toFixed(2)} m in 3 s, ${off.toFixed(0)} degrees off the wish`);
}

// Balls of feet, from when they have stood for 0.1 s until they begin to leave.
const slides = [];
for (const side of [0, 1]) {
  for (let from = 0; from < frames.length; from++) {
    if (!frames[from].stands[side]) continue;
    let to = from;
    while (to + 1 < frames.length && frames[to + 1].stands[side]) to++;
    const plant = frames.slice(from, to + 1).filter(frame => frame.at > frames[from].at + 0.1 && frame.at < frames[to].at - 0.1);
    if (plant.length > 2) {
      const [x, , z] = plant[0].toes[side];
      slides.push(1000 * Math.max(...plant.map(({ toes }) => Math.hypot(toes[side][0] - x, toes[side][2] - z))));
    }
    from = to;
  }
}
slides.sort((a, b) => a - b);
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const p95 = quantile(slides, 0.95);
check(slides.length >= 6 && p95 <= 10, `feet stay still: ${slides.length} plants, slide ${quantile(slides, 0.5)?.toFixed(2)} mm median, ${p95?.toFixed(2)} mm at 95 of 100`);

const script = frames.map(frame => frame.script).sort((a, b) => a - b), advance = frames.map(frame => frame.advance).sort((a, b) => a - b);
const mean = script.reduce((sum, value) => sum + value, 0) / script.length;
check(mean <= 2, `script a frame: ${mean.toFixed(3)} ms in the mean, ${quantile(script, 0.5).toFixed(3)} median, ${quantile(script, 0.95).toFixed(3)} at 95 of 100; of that the character ${quantile(advance, 0.5).toFixed(3)} (${frames.length} frames)`);
check(errors.length === 0, `no errors on the page ${errors.join("; ")}`);
check(asked.length === 0, `nothing is asked for from the network ${asked.join(" ")}`);
await browser.close();
if (failures.length) {
  console.log(`${failures.length} failed`);
  process.exit(1);
}
