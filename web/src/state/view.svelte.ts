// How the view shows what plays, and what is drawn in it by hand.
import type { Ground } from "./bench.svelte";

export type Tool = "look" | "draw" | "edit" | "place";

class ViewState {
  follow = $state(true);
  lockRoot = $state(false);
  ghosts = $state(false);
  /** A ghost every so many frames. */
  ghostEvery = $state(15);
  contacts = $state(true);
  trails = $state(true);
  maya = $state(localStorage.getItem("afoot.mouse") === "maya");
  tool = $state<Tool>("look");
  /** Control points of the path that is drawn. [m] */
  points = $state.raw<Ground[]>([]);
  /** Obstacles of the world, circles as x, z, radius. [m] */
  circles = $state.raw<[number, number, number][]>([]);
  bounds = $state.raw<[Ground, Ground] | null>(null);
  goal = $state.raw<Ground | null>(null);
  start = $state.raw<Ground | null>(null);
  /** Filled cells of a map: x, z, size, value 0 to 1. */
  cells = $state.raw<[number, number, number, number][]>([]);
  /** Told when a path was drawn or changed by hand. */
  drawn: ((points: Ground[]) => void) | null = null;
  placed: ((point: Ground) => void) | null = null;
  /** Script time of the last frames, as the view measured it. [ms] */
  cost = $state(0);
  frame: (() => void) | null = null;
  record: (() => Promise<Blob>) | null = null;

  clear() {
    this.tool = "look";
    this.points = [];
    this.circles = [];
    this.bounds = null;
    this.goal = null;
    this.start = null;
    this.cells = [];
    this.drawn = null;
    this.placed = null;
  }
}

export const view = new ViewState();

/** A smooth curve through control points, a point about every `step` metres. */
export function smooth(points: Ground[], step = 0.1): Ground[] {
  if (points.length < 3) return points.slice();
  const out: Ground[] = [];
  for (let k = 0; k + 1 < points.length; k++) {
    const [p0, p1, p2, p3] = [points[k - 1] ?? points[k], points[k], points[k + 1], points[k + 2] ?? points[k + 1]];
    const length = Math.hypot(p2[0] - p1[0], p2[1] - p1[1]);
    const count = Math.max(1, Math.round(length / step));
    for (let s = 0; s < count; s++) {
      const t = s / count;
      const at = (i: 0 | 1) =>
        0.5 *
        (2 * p1[i] + (p2[i] - p0[i]) * t + (2 * p0[i] - 5 * p1[i] + 4 * p2[i] - p3[i]) * t * t +
          (3 * p1[i] - p0[i] - 3 * p2[i] + p3[i]) * t * t * t);
      out.push([at(0), at(1)]);
    }
  }
  out.push(points[points.length - 1]);
  return out;
}

export function lengthOf(points: Ground[]): number {
  let sum = 0;
  for (let k = 1; k < points.length; k++) sum += Math.hypot(points[k][0] - points[k - 1][0], points[k][1] - points[k - 1][1]);
  return sum;
}

/** Fewer points that stay within `off` metres of the others (Douglas and Peucker 1973). */
export function thinned(points: Ground[], off: number): Ground[] {
  if (points.length < 3) return points.slice();
  const [a, b] = [points[0], points[points.length - 1]];
  const [dx, dz] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dz);
  let [farthest, at] = [0, 0];
  for (let k = 1; k + 1 < points.length; k++) {
    const [x, z] = [points[k][0] - a[0], points[k][1] - a[1]];
    const distance = length > 1e-6 ? Math.abs(x * dz - z * dx) / length : Math.hypot(x, z);
    if (distance > farthest) [farthest, at] = [distance, k];
  }
  if (farthest <= off) return [a, b];
  return [...thinned(points.slice(0, at + 1), off).slice(0, -1), ...thinned(points.slice(at), off)];
}
