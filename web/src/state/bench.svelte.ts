// What the page knows: session, clips, jobs, what is shown and how it plays. One object, read by all panes.
import * as api from "../api/client";
import type { Frames, Stretch } from "../api/client";
import type { History, Job, Session, Told } from "../api/generated";

export interface Clip {
  name: string;
  frames: number;
  fps: number;
  seconds: number;
  type: string;
  shares: Record<string, number>;
  labels: string[];
}

export interface Span {
  label: string;
  from: number;
  to: number;
}

/** What is known of the clip that is shown. */
export interface ClipShown extends Clip {
  skeleton: { joints: { name: string; parent: string | null; role: string | null }[]; leg_m: number | null };
  chains: string[][];
  contacts: { left: [number, number][]; right: [number, number][] };
  label_spans: Span[];
  denied_spans: Span[];
  type_spans: Span[];
  ground: { height_m: number; tilt_deg: number } | null;
  source: string | null;
  source_fps: number | null;
  repairs: string[];
  warnings: string[];
}

/** Somebody in the view. */
export interface Actor {
  name: string;
  frames: Frames;
  /** Shown paler, as what something was made from. */
  pale: boolean;
  job?: number;
}

export interface Verdict {
  measure: string;
  value: number;
  bar: number;
  kept: boolean;
  words: string;
}

export const MODES = [
  "Library", "Learn", "Graph", "Clusters", "Limbs", "Path", "Score", "Plan", "Survey", "Drive", "Story",
] as const;
export type Mode = (typeof MODES)[number];

export type Ground = [number, number];

/** Whether a job has ended. */
const over = (job: Job) => job.state === "done" || job.state === "failed";

/** Whether stretches follow each other from the first frame on, up to the last one where their number is known. */
function whole(stretches: Stretch[], frames?: number | null): boolean {
  let next = 0;
  for (const { head } of stretches) {
    if (head.first !== next) return false;
    next += head.frames;
  }
  return stretches[0]?.head.body != null && (frames == null || next >= frames);
}

class Bench {
  session = $state<Session | null>(null);
  online = $state(true);
  clips = $state.raw<Clip[]>([]);
  library = $state.raw<any>(null);
  /** Defaults of every request, by its name. */
  defaults = $state.raw<Record<string, any>>({});
  /** Requests as they would be asked now: defaults, and what a person changed. */
  asked = $state<Record<string, any>>({});
  history = $state<History>({ undo: [], redo: [] });
  mode = $state<Mode>("Library");
  selected = $state<string[]>([]);
  shown = $state.raw<ClipShown | null>(null);
  actors = $state.raw<Actor[]>([]);
  jobs = $state<Job[]>([]);
  messages = $state<{ time: string; words: string; bad: boolean }[]>([]);
  /** Goes up whenever clips have changed, so that pictures of them are drawn anew. */
  version = $state(0);
  /** The job whose motion or report is shown in the mode at hand. */
  result = $state<number | null>(null);
  /** Numbers of the last measurement. [ms] */
  timing = $state<Record<string, number>>({});
  line: api.Line | null = null;
  private refreshes = 0;
  private refreshed = 0;
  private shows = 0;
  private waiting = new Map<number, (job: Job) => void>();
  private streams = new Map<number, { stretches: Stretch[]; heard: (frames: Frames) => void }>();
  poses: ((stretch: Stretch) => void) | null = null;
  steering: ((told: Told) => void) | null = null;

  get job(): Job | null {
    return this.jobs.find((job) => job.id === this.result) ?? null;
  }

  get selectedClip(): string | null {
    return this.selected.at(-1) ?? null;
  }

  async start() {
    this.line = new api.Line({
      told: (told) => this.hear(told),
      motion: (stretch) => this.hearMotion(stretch),
      line: (open) => {
        const again = open && !this.online;
        this.online = open;
        // What ended meanwhile was told to nobody.
        if (again) void this.refresh(true);
      },
    });
    this.defaults = await api.get("/api/requests");
    this.asked = structuredClone(this.defaults);
    await this.refresh();
    if (this.clips.length && !this.selected.length) await this.select(this.clips[0].name);
  }

  /** Asks anew for all that may have changed; `anew` after a time in which nothing was heard. */
  async refresh(anew = false) {
    const turn = ++this.refreshes;
    const [session, listed, library, jobs] = await Promise.all([
      api.session(),
      api.get<{ clips: Clip[] }>("/api/clips"),
      api.get<any>("/api/library"),
      api.jobs(),
    ]);
    // Answers may overtake each other: what a younger question has brought stays.
    if (turn < this.refreshed) return;
    this.refreshed = turn;
    this.session = session;
    this.history = session.history;
    this.clips = listed.clips;
    this.library = library;
    // An answer may be older than what was heard since: a job that has ended stays so.
    const ended = (job: Job) => this.jobs.find((known) => known.id === job.id && over(known));
    this.jobs = anew ? jobs : jobs.map((job) => ended(job) ?? job);
    this.settle();
    this.version += 1;
    const names = new Set(listed.clips.map((clip) => clip.name));
    this.selected = this.selected.filter((name) => names.has(name));
    if (this.shown && !names.has(this.shown.name)) {
      this.shown = null;
      this.actors = [];
    } else if (this.shown) {
      const name = this.shown.name;
      const shown = await api.get<ClipShown>(`/api/clip?${new URLSearchParams({ clip: name })}`);
      if (this.shown?.name === name && turn === this.refreshed) this.shown = shown;
    }
    document.title = `${session.library} – Afoot`;
  }

  /** Selects a clip and shows it, unless a made motion is being looked at. */
  async select(name: string, add = false) {
    if (add && this.selected.includes(name)) this.selected = this.selected.filter((other) => other !== name);
    else this.selected = add ? [...this.selected, name] : [name];
    if (this.mode === "Library" || this.mode === "Learn" || !this.actors.length) await this.show(name);
  }

  async show(name: string) {
    const turn = ++this.shows;
    const query = new URLSearchParams({ clip: name });
    const [shown, frames] = await Promise.all([api.get<ClipShown>(`/api/clip?${query}`), api.clipFrames(name)]);
    if (turn !== this.shows) return; // another clip was chosen meanwhile
    this.shown = shown;
    this.result = null;
    this.actors = [{ name, frames, pale: false }];
    player.begin();
  }

  /** Asks for something; gives the job when it has ended. `motion` hears frames as they come. */
  async ask(request: { ask: string } & Record<string, unknown>, motion?: (frames: Frames) => void): Promise<Job> {
    const id = await api.begin(request);
    if (motion) this.streams.set(id, { stretches: [], heard: motion });
    // What came before the streams were listened to, or while the line was lost, is asked for once more at the end.
    const job = await this.ended(id);
    const heard = this.streams.get(id);
    this.streams.delete(id);
    if (motion && heard && !whole(heard.stretches, job.frames) && job.state === "done" && job.frames) {
      motion(await api.jobFrames(id));
    }
    if (job.failure && job.failure.kind !== "cancelled") this.say(job.failure.message, true);
    for (const warning of job.warnings) this.say(warning, false);
    return job;
  }

  /** Asks for motion and shows it as it comes; the job is the result then. */
  async make(request: { ask: string } & Record<string, unknown>, name: string, beside: Actor[] = [], timed = true): Promise<Job> {
    const begun = performance.now();
    let first = true;
    const job = await this.ask(request, (frames) => {
      this.actors = [...beside, { name, frames, pale: false }];
      if (first) {
        if (timed) this.timing = { ...this.timing, [request.ask]: performance.now() - begun };
        player.begin(true);
        first = false;
      }
    });
    if (job.failure?.kind !== "cancelled") this.result = job.id;
    if (job.state === "done") {
      this.actors = this.actors.map((actor) => (actor.name === name ? { ...actor, job: job.id } : actor));
    }
    return job;
  }

  stop(job: number) {
    void api.stop(job).catch((error) => this.say(error.message, true));
  }

  async import(files: File[]): Promise<Job | null> {
    const wanted = files.filter((file) => /\.(bvh|amc|asf|glb|gltf|fbx)$/i.test(file.name));
    if (!wanted.length) {
      this.say("Drop BVH, AMC with ASF, GLB or FBX files", true);
      return null;
    }
    try {
      const names = [];
      for (const file of wanted) names.push(await api.upload(file));
      const motions = names.filter((name) => !/\.asf$/i.test(name));
      const job = await this.ask({ ask: "import", paths: motions.length ? motions : names });
      await this.refresh();
      const clips = (job.report as any)?.clips ?? [];
      if (clips.length) await this.select(clips[0].name);
      return job;
    } catch (error) {
      this.say((error as Error).message, true);
      return null;
    }
  }

  async undo(way: "undo" | "redo") {
    try {
      this.history = await api.post(`/api/${way}`);
      await this.refresh();
    } catch (error) {
      this.say((error as Error).message, true);
    }
  }

  say(words: string, bad: boolean) {
    const time = new Date().toLocaleTimeString([], { hour12: false });
    this.messages = [{ time, words, bad }, ...this.messages].slice(0, 200);
  }

  private ended(id: number): Promise<Job> {
    return new Promise((resolve) => {
      const there = this.jobs.find((job) => job.id === id && over(job));
      if (there) resolve(there);
      else this.waiting.set(id, resolve);
    });
  }

  private hear(told: Told) {
    switch (told.event) {
      case "job": {
        const job = told.job as Job;
        const index = this.jobs.findIndex((other) => other.id === job.id);
        if (index < 0) this.jobs = [...this.jobs, job].slice(-48);
        else this.jobs[index] = job;
        if (over(job)) {
          this.waiting.get(job.id)?.(job);
          this.waiting.delete(job.id);
        }
        break;
      }
      case "note":
        this.say(told.words, false);
        break;
      case "library":
        this.history = told.history;
        void this.refresh();
        break;
      case "missed":
        void this.refresh(true);
        break;
      default:
        this.steering?.(told);
    }
  }

  /** Jobs that have ended while nobody listened. */
  private settle() {
    for (const [id, resolve] of this.waiting) {
      const job = this.jobs.find((job) => job.id === id);
      if (job && over(job)) {
        this.waiting.delete(id);
        resolve(job);
      }
    }
  }

  private hearMotion(stretch: Stretch) {
    if (stretch.head.job == null) {
      this.poses?.(stretch);
      return;
    }
    const stream = this.streams.get(stretch.head.job);
    if (!stream) return;
    if (stretch.head.body) stream.stretches = [stretch]; // a motion begins
    else stream.stretches.push(stretch);
    if (whole(stream.stretches)) stream.heard(api.joined(stream.stretches));
  }
}

/** How what is shown plays. */
class Player {
  time = $state(0);
  playing = $state(false);
  loop = $state(true);
  speed = $state(1);
  /** Stretch of the timeline that is seen. [s] */
  from = $state(0);
  to = $state(10);

  get length(): number {
    return Math.max(0, ...bench.actors.map((actor) => (actor.frames.count - 1) / actor.frames.fps));
  }

  get fps(): number {
    return bench.actors[0]?.frames.fps ?? 30;
  }

  begin(play = false) {
    this.time = 0;
    this.from = 0;
    this.to = Math.max(1, this.length);
    if (play) this.playing = true;
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.length) this.time = 0;
  }

  step(frames: number) {
    this.playing = false;
    const frame = Math.round(this.time * this.fps) + frames;
    this.time = Math.min(this.length, Math.max(0, frame / this.fps));
  }

  seek(time: number) {
    this.time = Math.min(this.length, Math.max(0, time));
  }

  /** Time passes. [s] */
  pass(seconds: number) {
    if (!this.playing) return;
    const length = this.length;
    let time = this.time + seconds * this.speed;
    if (time > length) {
      time = this.loop && length > 0 ? time % length : length;
      if (!this.loop) this.playing = false;
    }
    this.time = time;
  }
}

export const bench = new Bench();
export const player = new Player();
