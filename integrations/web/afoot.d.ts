/** The runtime; one is enough for many packs. */
export class Afoot {
  /** Of the bytes of `afoot.wasm`, or of a compiled module. */
  static load(wasm: BufferSource | WebAssembly.Module): Promise<Afoot>;
  /** Opens a baked character from the bytes of its file; throws what is wrong with them. */
  open(bytes: Uint8Array): Pack;
}

/** A baked character's motion, of which many can be steered. */
export class Pack {
  /** Names of the joints, parents first. */
  readonly joints: readonly string[];
  /** The joint that each point (joints, then ends of limbs) hangs on; -1 for the root. */
  readonly parents: readonly number[];
  /** Words that can be wished for. */
  readonly words: readonly string[];
  /** Frames per second of the captured motion; characters are advanced at any rate. */
  readonly fps: number;
  /** Puts a character at a place [m], facing a yaw [rad]; `variant` says which moment of the motion it begins in. */
  character(start?: { x?: number; z?: number; yaw?: number; variant?: number }): Character;
  /** Frees it; its characters go on. */
  close(): void;
}

/** A steered character. */
export class Character {
  /**
   * Lets `seconds` pass (at most a quarter) with the wish to move towards `direction`, a yaw [rad], as `word` says;
   * null leaves the kind of motion open. The root's place (x, y, z), then each joint's rotation against its parent
   * (x, y, z, w); the numbers are overwritten by the next call.
   */
  advance(seconds: number, direction: number, word?: string | null): Float32Array;
  /** Where its joints and ends of limbs are in the world (x, y, z each) [m]; overwritten by the next call. */
  points(): Float32Array;
  /** What touches the ground, a bit each: 1 left heel, 2 left ball, 4 right heel, 8 right ball. */
  readonly contacts: number;
  /** Frees it. */
  close(): void;
}
