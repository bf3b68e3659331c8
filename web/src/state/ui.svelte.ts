// What is open on the page, and commands that keys, bar and palette share.
import { bench, MODES, player, type Mode } from "./bench.svelte";
import { score } from "./score.svelte";
import { view } from "./view.svelte";

export interface Command {
  words: string;
  keys?: string;
  run: () => void;
}

const stored = (name: string, otherwise: number) => Number(localStorage.getItem(`afoot.${name}`) ?? otherwise);

class UiState {
  palette = $state(false);
  help = $state(false);
  jobs = $state(false);
  tour = $state(-1);
  left = $state(stored("left", 280));
  right = $state(stored("right", 320));
  below = $state(stored("below", 220));

  go(mode: Mode) {
    if (bench.mode === mode) return;
    view.clear();
    bench.mode = mode;
  }

  undo() {
    if (bench.mode === "Score" && score.undo()) return;
    if (bench.history.undo.length) void bench.undo("undo");
  }

  /** Folds a panel, or opens it at its usual size. */
  fold(panel: "left" | "right" | "below") {
    const usual = { left: 280, right: 320, below: 220 }[panel];
    this.size(panel, this[panel] > 0 ? 0 : usual);
  }

  size(panel: "left" | "right" | "below", pixels: number) {
    const least = { left: 200, right: 260, below: 120 }[panel];
    const most = { left: 480, right: 520, below: 420 }[panel];
    this[panel] = pixels < least / 2 ? 0 : Math.min(most, Math.max(least, pixels));
    localStorage.setItem(`afoot.${panel}`, String(this[panel]));
  }

  get commands(): Command[] {
    return [
      ...MODES.map((mode) => ({ words: `Go to ${mode}`, run: () => this.go(mode) })),
      { words: "Play or pause", keys: "Space", run: () => player.toggle() },
      { words: "One frame on", keys: ".", run: () => player.step(1) },
      { words: "One frame back", keys: ",", run: () => player.step(-1) },
      { words: "Frame the figure", keys: "F", run: () => view.frame?.() },
      { words: "Undo", keys: "Ctrl Z", run: () => this.undo() },
      { words: "Redo", keys: "Ctrl Shift Z", run: () => void bench.undo("redo") },
      { words: "Follow with the camera", run: () => (view.follow = !view.follow) },
      { words: "Ghosts", run: () => (view.ghosts = !view.ghosts) },
      { words: "Lock root", run: () => (view.lockRoot = !view.lockRoot) },
      { words: "Trails", run: () => (view.trails = !view.trails) },
      { words: "Mouse as in Blender", run: () => this.mouse(false) },
      { words: "Mouse as in Maya", run: () => this.mouse(true) },
      { words: "Fold clips", run: () => this.fold("left") },
      { words: "Fold inspector", run: () => this.fold("right") },
      { words: "Fold timeline", run: () => this.fold("below") },
      { words: "Messages and jobs", run: () => (this.jobs = true) },
      { words: "Tour", run: () => (this.tour = 0) },
      { words: "Help and about", run: () => (this.help = true) },
      ...bench.clips.slice(0, 500).map((clip) => ({ words: `Show ${clip.name}`, run: () => void bench.select(clip.name) })),
    ];
  }

  mouse(maya: boolean) {
    view.maya = maya;
    localStorage.setItem("afoot.mouse", maya ? "maya" : "blender");
  }

  /** Keys that work wherever no text is typed. */
  key(event: KeyboardEvent) {
    const typed = event.target instanceof HTMLElement && event.target.matches("input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]");
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key.toLowerCase() === "k") {
      this.palette = true;
    } else if (event.key === "Escape") {
      this.palette = this.help = this.jobs = false;
      view.tool = "look";
      return;
    } else if (typed) {
      return;
    } else if (command && event.key.toLowerCase() === "z") {
      event.shiftKey ? void bench.undo("redo") : this.undo();
    } else if (event.key === " " && !(event.target instanceof HTMLButtonElement)) player.toggle();
    else if (event.key === ",") player.step(-1);
    else if (event.key === ".") player.step(1);
    else if (event.key === "f" && !command) view.frame?.();
    else return;
    event.preventDefault();
  }
}

export const ui = new UiState();
