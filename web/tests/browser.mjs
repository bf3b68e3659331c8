// What a person would do, in a real browser: import, play, paint, sketch, change the threshold, drive, export.
//   node tests/browser.mjs [--binary FILE] [--library FILE] [--url ADDRESS] [--pictures DIR] [--only WORDS]
// Says what was measured. Fails on a console error, a serious finding of axe, or anything clipped.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const validator = require("gltf-validator");
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const binary = resolve(option("binary", "../target/debug/afoot"));
const library = option("library", null);
const pictures = option("pictures", null);
const scratch = mkdtempSync(join(tmpdir(), "afoot-browser-"));
if (pictures) mkdirSync(pictures, { recursive: true });

const failures = [];
const check = (good, words) => {
  console.log(`${good ? "ok  " : "FAIL"} ${words}`);
  if (!good) failures.push(words);
};

async function serve() {
  if (option("url", null)) return { server: null, url: option("url") };
  const args = ["serve", ...(library ? [resolve(library)] : []), "--port", "0", "--json"];
  const server = spawn(binary, args, { env: { ...process.env, XDG_DATA_HOME: scratch }, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((done, broken) => {
    let text = "";
    server.stdout.on("data", (data) => {
      text += data;
      const found = /"url":\s*"([^"]+)"/.exec(text);
      if (found) done(found[1]);
    });
    server.on("exit", () => broken(new Error("the server ended before it was ready")));
  });
  return { server, url };
}

const { server, url } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking",
    "--disable-component-update", "--no-first-run", "--disable-sync",
  ],
});
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
const page = await context.newPage();
page.setDefaultTimeout(20_000);
const errors = [];
page.on("console", (message) => {
  if (message.type() === "error") errors.push(message.text());
});
page.on("pageerror", (error) => errors.push(error.message));

const mode = async (name) => {
  await page.getByRole("navigation", { name: "Modes" }).getByRole("button", { name, exact: true }).click();
  await page.waitForTimeout(300);
};
const number = async (id) => parseFloat((await page.getByTestId(id).innerText()).replace(/,/g, ""));
const picture = async (name) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
};
const boxOf = (selector) => page.locator(selector).first().boundingBox();

/** Drags the mouse along points. */
async function drag(points, steps = 6) {
  await page.mouse.move(...points[0]);
  await page.mouse.down();
  for (const point of points.slice(1)) await page.mouse.move(...point, { steps });
  await page.mouse.up();
}

async function looksRight(name) {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(async () => (window.axe ? (await window.axe.run()).violations : null));
  const grave = (found ?? []).filter(({ impact }) => impact === "serious" || impact === "critical");
  check(found !== null && !grave.length, `${name}: axe finds nothing serious${grave.map(({ id, nodes }) => ` (${id}: ${nodes[0].html.slice(0, 120)})`).join("")}`);
  for (const [width, height] of [[1152, 720], [1440, 900]]) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(120);
    const clipped = await page.evaluate(() => {
      const wide = document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth;
      const out = [...document.querySelectorAll("header *, .inspector *, .timeline .bar *, .clips .foot *")].filter((node) => {
        const box = node.getBoundingClientRect();
        return box.width > 0 && !node.closest(".sr, .editor") && box.right > innerWidth + 0.5;
      });
      const inspector = document.querySelector(".inspector");
      const over = inspector && inspector.scrollWidth > inspector.clientWidth + 1;
      return wide || out.length > 0 || over ? (out[0]?.outerHTML.slice(0, 100) ?? "a pane is too wide") : "";
    });
    check(!clipped, `${name}: nothing clipped at ${width} × ${height} ${clipped}`);
  }
}

/** The last job of that name, once it has ended; one that is younger than `after`. */
async function ended(ask, after = 0) {
  const handle = await page.waitForFunction(([ask, after]) => {
    const job = window.afoot.bench.jobs.findLast((job) => job.ask === ask && job.id > after);
    return job && (job.state === "done" || job.state === "failed") && JSON.stringify(job);
  }, [ask, after], { timeout: 120_000 });
  return JSON.parse(await handle.jsonValue());
}
const lastJob = () => page.evaluate(() => Math.max(0, ...window.afoot.bench.jobs.map((job) => job.id)));

const parts = {
  async opens() {
    await page.goto(url);
    await page.waitForSelector(".clip");
    const tour = page.getByRole("region", { name: "Tour" });
    if (await tour.isVisible().catch(() => false)) {
      await picture("tour");
      await tour.getByRole("button", { name: "Next" }).click();
      await tour.getByRole("button", { name: "End" }).click();
      check(true, "a first visit is shown around");
    } else check(library !== null, "a first visit is shown around");
    await mode("Library");
    const count = await page.evaluate(() => window.afoot.bench.clips.length);
    check(count > 1, `${count} clips are listed`);
  },
  async imports() {
    const clip = await page.evaluate(() => window.afoot.bench.clips[0].name);
    const bytes = Buffer.from(await (await fetch(`${url}api/export?clip=${encodeURIComponent(clip)}&format=bvh`)).arrayBuffer());
    // A slow answer about the clip that was shown before must not bring it back over the one that is imported.
    const about = (address) => address.pathname === "/api/clip" && address.searchParams.get("clip") === clip;
    await page.route(about, async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue();
    });
    await page.locator("input[type=file]").setInputFiles({ name: "brought.bvh", mimeType: "text/plain", buffer: bytes });
    const job = await ended("import");
    check(job.state === "done" && job.report.clips[0].name === "brought", "a BVH file is imported");
    await page.getByTestId("import-report").waitFor();
    await page.waitForFunction(() => window.afoot.bench.shown?.name === "brought");
    await page.waitForTimeout(2000);
    await page.unroute(about);
    check((await page.evaluate(() => window.afoot.bench.shown?.name)) === "brought", "the imported clip stays in sight");
  },
  async plays() {
    await page.locator("canvas[role=img]").click({ position: { x: 40, y: 300 } });
    const time = () => number("time");
    await page.keyboard.press("Space");
    await page.waitForTimeout(900);
    await page.keyboard.press("Space");
    const after = await time();
    check(after > 0, `space plays (${after} s)`);
    await page.keyboard.press(".");
    const stepped = await time();
    await page.keyboard.press(",");
    check(stepped > after - 0.04 && (await time()) <= stepped, "full stop and comma step");
    await page.keyboard.press("f");
    await page.waitForTimeout(400);
    await picture("library");
    await looksRight("Library");
  },
  async labels() {
    await page.getByLabel("Label to paint").fill("sneak");
    await page.getByRole("button", { name: "Add lane" }).click();
    const lane = await boxOf('[data-lane="sneak"]');
    await drag([[lane.x + 40, lane.y + 10], [lane.x + lane.width * 0.6, lane.y + 10]]);
    await page.waitForFunction(() => window.afoot.bench.shown?.label_spans.some((span) => span.label === "sneak"));
    check(true, "a label is painted onto a clip");
    await page.keyboard.press("Escape");
    await page.locator("canvas[role=img]").click({ position: { x: 40, y: 300 } });
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => !window.afoot.bench.shown?.label_spans.some((span) => span.label === "sneak"));
    check(true, "Ctrl-Z takes it back");
  },
  async renamesAndDeletes() {
    await page.locator(".clip.selected .name").dblclick();
    await page.getByLabel("New name").fill("renamed");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.afoot.bench.clips.some((clip) => clip.name === "renamed"));
    await page.getByRole("button", { name: "Delete" }).click();
    await page.waitForFunction(() => !window.afoot.bench.clips.some((clip) => clip.name === "renamed"));
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => window.afoot.bench.clips.some((clip) => clip.name === "renamed"));
    check(true, "a clip is renamed, deleted and brought back");
    await page.evaluate(() => window.afoot.bench.undo("undo"));
    await page.evaluate(() => window.afoot.bench.undo("undo"));
    await page.waitForFunction(() => !window.afoot.bench.clips.some((clip) => clip.name === "brought"));
    check(true, "the import itself is undone");
  },
  async graph() {
    await mode("Graph");
    await page.getByRole("button", { name: "Build graph" }).click();
    const job = await ended("build_graph");
    check(job.state === "done", `the graph is built (${job.report?.transitions} transitions)`);
    await page.getByTestId("transitions").waitFor();
    const slider = page.locator("#threshold");
    const at = async (value) => {
      await slider.fill(String(value));
      return [await number("transitions"), await number("share")];
    };
    const [few] = await at(2);
    const [many] = await at(9);
    check(many > few, `the threshold's figures are live (${few} and ${many} transitions)`);
    await page.getByRole("button", { name: "Compare" }).click();
    await ended("matrix");
    await page.waitForSelector(".minima button");
    await page.locator(".minima button").first().click();
    const preview = await ended("join");
    check(preview.state === "done", `a minimum is previewed ${preview.failure?.message ?? ""}`);
    await page.waitForTimeout(500);
    await picture("graph");
    await looksRight("Graph");
  },
  async path() {
    await mode("Path");
    const view = await boxOf("canvas[role=img]");
    await page.evaluate(() => {
      window.afootScene.controls.target.set(0, 0, 0);
      window.afootScene.camera.position.set(0, 17, 0.01);
    });
    await page.waitForTimeout(400);
    // An S of some 10 m, by where its points are on the screen.
    const metres = Array.from({ length: 40 }, (_, k) => [1.2 * Math.sin((k / 39) * 2 * Math.PI), -4 + (8 * k) / 39]);
    const pixels = await page.evaluate((points) => {
      const { camera } = window.afootScene;
      camera.updateMatrixWorld();
      const box = document.querySelector("canvas[role=img]").getBoundingClientRect();
      return points.map(([x, z]) => {
        const at = camera.position.clone().set(x, 0, z).project(camera);
        return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
      });
    }, metres);
    void view;
    await page.getByRole("button", { name: "Draw" }).click();
    const before = await lastJob();
    await drag(pixels, 1);
    let job = await ended("follow", before);
    check(job.state === "done", `a sketched path is walked ${job.failure?.message ?? ""}`);
    await page.getByTestId("path-mean").waitFor();
    const [length, mean, most] = [await number("path-length"), await number("path-mean"), await number("path-max")];
    check(length > 8 && length < 13 && mean < 25 && most < 90, `the fit is shown: ${length} m, ${mean} cm in the mean, ${most} cm at most`);
    console.log(`     first frame of the first sketch after ${await number("latency")} ms`);
    const times = [];
    for (let round = 0; round < 3; round++) {
      const before = job.id;
      await page.getByRole("button", { name: "Clear" }).click();
      await page.getByRole("button", { name: "Draw" }).click();
      await page.evaluate(() => {
        window.afoot.bench.actors = [];
        window.afootScene.controls.target.set(0, 0, 0);
        window.afootScene.camera.position.set(0, 17, 0.01);
      });
      await page.waitForTimeout(300);
      await drag(pixels, 1);
      const mouseUp = await page.evaluate(() => performance.now());
      await page.waitForFunction(() => window.afoot.bench.actors.length > 0, null, { polling: "raf" });
      times.push((await page.evaluate(() => performance.now())) - mouseUp);
      job = await ended("follow", before);
    }
    console.log(`     mouse-up to first played frame: ${times.map((time) => time.toFixed(0)).join(", ")} ms`);
    await page.evaluate(() => window.afootScene.fromAbove(false));
    await page.keyboard.press("f");
    await page.evaluate(() => { window.afoot.player?.seek?.(2); });
    await page.waitForTimeout(800);
    await picture("path");
    await looksRight("Path");
  },
  async exports() {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("export").click()]);
    const file = join(scratch, "motion.glb");
    await download.saveAs(file);
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
    check(report.issues.numErrors === 0, `the exported GLB is valid (${report.issues.numErrors} errors, ${report.issues.numWarnings} warnings)`);
    await page.getByLabel("Name in the library").fill("my walk");
    await page.getByRole("button", { name: "Keep" }).click();
    await page.waitForFunction(() => window.afoot.bench.clips.some((clip) => clip.name === "my walk"));
    check(true, "made motion is kept in the library");
    await page.reload();
    await page.waitForSelector(".clip");
    check(await page.evaluate(() => window.afoot.bench.clips.some((clip) => clip.name === "my walk")), "a reload loses nothing that was kept");
    await page.evaluate(() => window.afoot.bench.undo("undo"));
  },
  async score() {
    await mode("Score");
    await page.getByLabel("Label to paint").fill("walk");
    await page.getByRole("button", { name: "Add lane" }).click();
    await page.waitForSelector('[data-lane="walk"]');
    const paint = async (label, from, to) => {
      const lane = await boxOf(`[data-lane="${label}"]`);
      await drag([[lane.x + lane.width * from, lane.y + 10], [lane.x + lane.width * to, lane.y + 10]]);
    };
    await paint("walk", 0.02, 0.95);
    await ended("perform");
    await page.waitForFunction(() => !window.afoot.bench.jobs.some((job) => job.ask === "perform" && job.state !== "done" && job.state !== "failed"));
    await page.evaluate(() => { window.afoot.bench.actors = []; });
    await paint("walk", 0.02, 0.8);
    const mouseUp = await page.evaluate(() => performance.now());
    await page.waitForFunction(() => window.afoot.bench.actors.length > 0, null, { polling: "raf" });
    console.log(`     painting to first motion: ${((await page.evaluate(() => performance.now())) - mouseUp).toFixed(0)} ms`);
    await page.getByTestId("label-share").waitFor();
    const share = await number("label-share");
    check(share >= 90, `what is painted is performed (${share} %)`);
    await page.waitForFunction(() => !window.afoot.bench.jobs.some((job) => job.ask === "perform" && (job.state === "running" || job.state === "waiting")), null, { timeout: 60_000 });
    await page.waitForTimeout(600);
    await picture("score");
    await looksRight("Score");
  },
  async drives() {
    await mode("Drive");
    await page.getByTestId("poses").waitFor({ timeout: 120_000 });
    await page.locator("canvas[role=img]").click({ position: { x: 300, y: 300 } });
    const begun = Date.now();
    for (const key of ["w", "d", "s", "a", "w"]) {
      await page.keyboard.down(key);
      await page.waitForTimeout(2000);
      await page.keyboard.up(key);
    }
    const [poses, median, worst] = [await number("poses"), await number("pose-latency"), await number("pose-worst")];
    // A pose is asked for with every frame that is drawn, and software draws few.
    check(poses > 20, `driven for ${((Date.now() - begun) / 1000).toFixed(1)} s: ${poses} poses, latency ${median} ms median, ${worst} ms for 99 of 100`);
    await picture("drive");
    await looksRight("Drive");
  },
  async limbs() {
    await mode("Limbs");
    const sliders = page.locator(".slider input[type=range]");
    await sliders.first().fill("1.2");
    const job = await ended("stride");
    check(job.state === "done", `a slider changes a walk's stride ${job.failure?.message ?? ""}`);
    await page.waitForTimeout(800);
    await picture("limbs");
    await looksRight("Limbs");
  },
  async story() {
    await mode("Story");
    const script = page.getByLabel("Script");
    const wrong = (await script.inputValue()).replace("ann.stroll", "ann.strol");
    await script.fill(wrong);
    const told = page.getByTestId("story-check");
    await told.locator(".problem").first().waitFor();
    check((await told.innerText()).includes("strol"), `an error is told as it is typed: ${(await told.innerText()).split("\n")[0]}`);
    await picture("story-error");
    await script.fill(wrong.replace("ann.strol ", "ann.stroll "));
    await told.getByText("No errors").waitFor();
    await page.locator(".inspector").getByRole("button", { name: "Play", exact: true }).click();
    const job = await ended("play_story");
    check(job.state === "done", `the script is mended and played ${job.failure?.message ?? ""}`);
    await page.waitForFunction(() => window.afoot.bench.actors.some((actor) => actor.name === "ann"));
    await page.waitForTimeout(600);
    await picture("story");
    await looksRight("Story");
  },
  async others() {
    await mode("Learn");
    await picture("learn");
    await looksRight("Learn");
    await mode("Clusters");
    await page.getByRole("button", { name: "Cluster like frames" }).click();
    const job = await ended("clusters");
    check(job.state === "done", `like frames are clustered (${job.report?.nodes} nodes)`);
    await page.waitForTimeout(500);
    await picture("clusters");
    await looksRight("Clusters");
    for (const name of ["Plan", "Survey"]) {
      await mode(name);
      await page.waitForTimeout(300);
      await picture(name.toLowerCase());
      await looksRight(name);
    }
    await mode("Library");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("ghosts");
    await picture("palette");
    await page.keyboard.press("Enter");
    check(true, "the palette finds a command");
  },
  async crowds() {
    await mode("Library");
    await page.locator(".clip").first().click();
    await page.waitForFunction(() => window.afoot.bench.actors.length === 1);
    await page.evaluate(() => {
      const { bench, ui } = window.afoot;
      const one = bench.actors[0];
      const shifted = (k) => {
        const places = one.frames.places.slice();
        for (let p = 0; p < places.length; p += 3) {
          places[p] += (k % 5) * 1.2 - 2.4;
          places[p + 2] += Math.floor(k / 5) * 1.2;
        }
        return { ...one, name: `actor ${k + 1}`, frames: { ...one.frames, places } };
      };
      bench.actors = Array.from({ length: 20 }, (_, k) => shifted(k));
      void ui;
    });
    await page.keyboard.press("Escape");
    await page.locator("canvas[role=img]").click({ position: { x: 40, y: 300 } });
    await page.keyboard.press("Space");
    await page.evaluate(() => { window.afootView.cost = 0; });
    await page.waitForFunction(() => window.afootView.cost > 0, null, { polling: 200 });
    const cost = await page.evaluate(() => window.afootView.cost);
    check(cost > 0, `20 characters: ${cost.toFixed(2)} ms of own work a frame, without drawing`);
    await picture("characters");
    await page.keyboard.press("Space");
  },
  async reconnects() {
    await page.evaluate(() => window.afoot.bench.line.drop());
    await page.getByText("Reconnecting…").waitFor();
    await page.waitForFunction(() => window.afoot.bench.online);
    check(true, "a lost line is taken up again");
    const made = await page.evaluate(async () => {
      let frames = 0;
      const job = window.afoot.bench.ask({ ask: "wander", seconds: 60 }, (heard) => (frames = heard.count));
      window.afoot.bench.line.drop();
      const late = new Promise((done) => setTimeout(() => done({ state: "late" }), 60_000));
      const { state } = await Promise.race([job, late]);
      return { state, frames };
    });
    check(made.state === "done" && made.frames >= 1800, `a job that is under way while the line is lost is heard whole (${made.state}, ${made.frames} frames)`);
  },
};

const only = option("only", null)?.split(",");
try {
  for (const [name, part] of Object.entries(parts)) {
    if (only && name !== "opens" && !only.includes(name)) continue;
    await part().catch(async (error) => {
      check(false, `${name}: ${error.message.split("\n")[0]}`);
      if (pictures) await page.screenshot({ path: join(pictures, `failed-${name}.png`) }).catch(() => {});
    });
  }
  check(!errors.length, `no console errors ${errors.slice(0, 3).join("; ")}`);
} finally {
  await browser.close();
  server?.kill("SIGINT");
  if (server) await once(server, "exit").catch(() => {});
  rmSync(scratch, { recursive: true, force: true });
}
console.log(failures.length ? `${failures.length} failed` : "all well");
process.exit(failures.length ? 1 : 0);
