// Calls to the server, and the line on which it tells what happens.
import type { Body, Job, MotionHead, Session, Told } from "./generated";

export class Refused extends Error {}

/** A stretch of motion as it comes. */
export interface Stretch {
  head: MotionHead;
  places: Float32Array;
  planted: Uint8Array;
}

/** Frames of one figure, ready to be drawn. */
export interface Frames {
  body: Body;
  fps: number;
  count: number;
  points: number;
  floor: number;
  places: Float32Array;
  planted: Uint8Array;
}

async function call(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, init);
  if (!response.ok) {
    const said = await response.json().catch(() => null);
    throw new Refused(said?.message ?? `${response.status} ${response.statusText}`);
  }
  return response;
}

const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export const get = async <T>(path: string): Promise<T> => (await call(path)).json();
export const post = async <T>(path: string, body: unknown = {}): Promise<T> => (await call(path, json(body))).json();

export const session = () => get<Session>("/api/session");
export const jobs = () => get<Job[]>("/api/jobs");
export const begin = async (request: { ask: string }) => (await post<{ job: number }>("/api/jobs", request)).job;
export const stop = (job: number) => post(`/api/jobs/${job}/stop`);

export async function upload(file: File): Promise<string> {
  const name = encodeURIComponent(file.name);
  const response = await call(`/api/uploads/${name}`, { method: "PUT", body: file });
  return (await response.json()).file;
}

export async function clipFrames(clip: string, count?: number): Promise<Frames> {
  const query = new URLSearchParams({ clip });
  if (count) query.set("count", String(count));
  const bytes = await (await call(`/api/motion?${query}`)).arrayBuffer();
  return joined([decode(bytes)]);
}

export async function jobFrames(job: number): Promise<Frames> {
  const bytes = await (await call(`/api/jobs/${job}/motion`)).arrayBuffer();
  const view = new DataView(bytes);
  const stretches: Stretch[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const length = view.getUint32(at, true);
    stretches.push(decode(bytes.slice(at + 4, at + 4 + length)));
    at = Math.ceil((at + 4 + length) / 4) * 4;
  }
  return joined(stretches);
}

/** A motion file that a job left. */
export async function fileFrames(job: number, file: string): Promise<Frames> {
  const path = file.split("/").map(encodeURIComponent).join("/");
  return joined([decode(await (await call(`/api/jobs/${job}/frames/${path}`)).arrayBuffer())]);
}

/** Bytes as `frames.rs` packs them. */
export function decode(bytes: ArrayBuffer): Stretch {
  const length = new DataView(bytes).getUint32(0, true);
  const head: MotionHead = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const start = 4 + length;
  const places = new Float32Array(bytes, start, head.frames * head.points * 3);
  const planted = new Uint8Array(bytes, start + places.byteLength);
  return { head, places, planted };
}

export function joined(stretches: Stretch[]): Frames {
  const first = stretches[0].head;
  if (!first.body) throw new Refused("the motion has no beginning");
  const count = stretches.reduce((sum, stretch) => sum + stretch.head.frames, 0);
  const places = new Float32Array(count * first.points * 3);
  const planted = new Uint8Array(count);
  let frame = 0;
  for (const stretch of stretches) {
    places.set(stretch.places, frame * first.points * 3);
    planted.set(stretch.planted, frame);
    frame += stretch.head.frames;
  }
  return { body: first.body, fps: first.fps, count, points: first.points, floor: first.floor, places, planted };
}

export interface Listener {
  told(told: Told): void;
  motion(stretch: Stretch): void;
  line(open: boolean): void;
}

/** The line to the server; opened again whenever it is lost. */
export class Line {
  private socket: WebSocket | null = null;
  private wait = 250;

  constructor(private listener: Listener) {
    this.open();
  }

  say(words: object): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(words));
    return true;
  }

  /** Breaks the line, as a network would. */
  drop() {
    this.socket?.close();
  }

  private open() {
    const socket = new WebSocket(`ws://${location.host}/api/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wait = 250;
      this.listener.line(true);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.listener.told(JSON.parse(data));
      else this.listener.motion(decode(data));
    };
    socket.onclose = () => {
      this.listener.line(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(4000, this.wait * 2);
    };
    this.socket = socket;
  }
}
