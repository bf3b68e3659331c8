// The score that is painted, and the search that goes on while it is.
import { bench } from "./bench.svelte";

export interface Paint {
  label: string;
  from: number;
  to: number;
  want: boolean;
}

export interface PoseAt {
  at: number;
  clip: string;
  time: number;
}

export type Brush = "yes" | "no" | "erase";

class ScoreState {
  seconds = $state(10);
  paint = $state<Paint[]>([]);
  poses = $state<PoseAt[]>([]);
  lanes = $state<string[]>([]);
  brush = $state<Brush>("yes");
  searching = $state(false);
  private past: string[] = [];
  private turn = 0;

  /** Paints or erases a stretch of a lane. */
  stroke(label: string, from: number, to: number) {
    if (to - from < 0.05) return;
    this.past.push(JSON.stringify([this.paint, this.poses]));
    this.paint = [
      ...this.paint.flatMap((entry) => (entry.label === label ? without(entry, from, to) : [entry])),
      ...(this.brush === "erase" ? [] : [{ label, from, to, want: this.brush === "yes" }]),
    ];
    void this.perform();
  }

  pose(clip: string, at: number, time: number) {
    this.past.push(JSON.stringify([this.paint, this.poses]));
    this.poses = [...this.poses, { at, clip, time }];
    void this.perform();
  }

  undo(): boolean {
    const last = this.past.pop();
    if (!last) return false;
    [this.paint, this.poses] = JSON.parse(last);
    void this.perform();
    return true;
  }

  clear() {
    this.past.push(JSON.stringify([this.paint, this.poses]));
    this.paint = [];
    this.poses = [];
  }

  get score() {
    const { seconds, paint, poses } = this;
    return { seconds, paint: $state.snapshot(paint), poses: $state.snapshot(poses) };
  }

  /** A first motion at once, then better ones for as long as nothing is painted anew. */
  async perform() {
    if (!this.paint.length && !this.poses.length) return;
    const turn = ++this.turn;
    for (const job of bench.jobs) {
      if (job.ask === "perform" && (job.state === "running" || job.state === "waiting")) bench.stop(job.id);
    }
    this.searching = true;
    const options = { ...bench.asked.perform };
    for (const budget of [0.08, 1, 4]) {
      if (turn !== this.turn) return;
      const request = { ...options, ask: "perform", score: this.score, seconds_budget: budget, best_effort: true, watch: false };
      // How long the first one takes is what a person waits for.
      const job = await bench.make(request, "performance", [], budget < 0.5);
      if (job.state !== "done") break;
    }
    if (turn === this.turn) this.searching = false;
  }
}

function without(entry: Paint, from: number, to: number): Paint[] {
  if (entry.to <= from || entry.from >= to) return [entry];
  const out: Paint[] = [];
  if (entry.from < from) out.push({ ...entry, to: from });
  if (entry.to > to) out.push({ ...entry, from: to });
  return out;
}

export const score = new ScoreState();
