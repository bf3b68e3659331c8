// Baked characters of Afoot (`afoot bake LIB -o hero.afootpack`), steered: time and a wish in, a pose out.
// The same controller as in the program, as WebAssembly. Metres, seconds, radians; y up, a yaw of 0 looks along +z.

const TROUBLE = ["done", "a pointer is null", "a buffer is too short", "a file can't be read", "this is no usable pack",
  "there is no such joint, point or word", "a number is not finite", "a fault of the library"];

/** The runtime; one is enough for many packs. */
export class Afoot {
  /** Of the bytes of `afoot.wasm`, or of a compiled module. */
  static async load(wasm) {
    const made = await WebAssembly.instantiate(wasm, {});
    return new Afoot((made.instance ?? made).exports);
  }

  constructor(exports) {
    this.calls = exports;
  }

  /** Opens a baked character from the bytes of its file. */
  open(bytes) {
    return new Pack(this, bytes);
  }

  bytes(at, size) {
    return new Uint8Array(this.calls.memory.buffer, at, size);
  }

  // Takes memory for as long as `use` runs.
  lend(size, use) {
    const at = this.calls.afoot_memory_take(size);
    if (at === 0) throw new Error("afoot: no memory is left");
    try {
      return use(at);
    } finally {
      this.calls.afoot_memory_free(at, size);
    }
  }

  text(at, size) {
    const bytes = this.bytes(at, size);
    return new TextDecoder().decode(bytes.subarray(0, Math.max(0, bytes.indexOf(0))));
  }

  check(code, words = "") {
    if (code !== 0) throw new Error(`afoot: ${words || (TROUBLE[code] ?? `code ${code}`)}`);
  }
}

const MESSAGE = 512;

/** A baked character's motion, of which many can be steered. */
export class Pack {
  constructor(afoot, bytes) {
    this.afoot = afoot;
    const { calls } = afoot;
    this.at = afoot.lend(bytes.length, given => afoot.lend(MESSAGE + 8, out => {
      afoot.bytes(given, bytes.length).set(bytes);
      afoot.bytes(out, MESSAGE + 8).fill(0);
      const code = calls.afoot_pack_open_bytes(given, bytes.length, out, out + 8, MESSAGE);
      afoot.check(code, code === 4 ? afoot.text(out + 8, MESSAGE) : "");
      return new Uint32Array(calls.memory.buffer, out, 1)[0];
    }));
    const texts = (count, ask) => afoot.lend(MESSAGE, to => Array.from({ length: count }, (_, index) => {
      afoot.check(ask(this.at, index, to, MESSAGE));
      return afoot.text(to, MESSAGE);
    }));
    /** Names of the joints, parents first. */
    this.joints = texts(calls.afoot_pack_joint_count(this.at), calls.afoot_pack_joint_name);
    /** The joint that each point (joints, then ends of limbs) hangs on; -1 for the root. */
    this.parents = Array.from({ length: calls.afoot_pack_point_count(this.at) }, (_, point) =>
      calls.afoot_pack_point_parent(this.at, point));
    /** Words that can be wished for. */
    this.words = texts(calls.afoot_pack_word_count(this.at), calls.afoot_pack_word);
    /** Frames per second of the captured motion; characters are advanced at any rate. */
    this.fps = calls.afoot_pack_fps(this.at);
  }

  /** Puts a character at a place [m], facing a yaw [rad]; `variant` says which moment it begins in. */
  character({ x = 0, z = 0, yaw = 0, variant = 0 } = {}) {
    return new Character(this, x, z, yaw, variant);
  }

  /** Frees it; its characters go on. */
  close() {
    this.afoot.calls.afoot_pack_close(this.at);
    this.at = 0;
  }
}

/** A steered character. */
export class Character {
  constructor(pack, x, z, yaw, variant) {
    const { afoot } = pack, { calls } = afoot;
    this.afoot = afoot;
    this.words = pack.words;
    this.poseSize = 3 + 4 * pack.joints.length;
    this.pointsSize = 3 * pack.parents.length;
    this.at = afoot.lend(8, out => {
      afoot.check(calls.afoot_character_open(pack.at, x, z, yaw, variant, out));
      return new Uint32Array(calls.memory.buffer, out, 1)[0];
    });
    this.size = 4 * (this.poseSize + this.pointsSize);
    this.buffer = calls.afoot_memory_take(this.size);
  }

  /**
   * Lets `seconds` pass (at most a quarter) with the wish to move towards `direction`, a yaw, as `word` says;
   * nothing leaves the kind of motion open. The root's place (x, y, z), then each joint's rotation against its parent
   * (x, y, z, w); the numbers are overwritten by the next call.
   */
  advance(seconds, direction, word = null) {
    const number = word === null ? -1 : this.words.indexOf(word);
    if (word !== null && number < 0) throw new Error(`afoot: ${word} is not known; words are ${this.words.join(", ")}`);
    const { calls } = this.afoot;
    this.afoot.check(calls.afoot_character_advance(this.at, seconds, direction, number, this.buffer, this.poseSize));
    return new Float32Array(calls.memory.buffer, this.buffer, this.poseSize);
  }

  /** Where its joints and ends of limbs are in the world (x, y, z each); overwritten by the next call. */
  points() {
    const { calls } = this.afoot, to = this.buffer + 4 * this.poseSize;
    this.afoot.check(calls.afoot_character_points(this.at, to, this.pointsSize));
    return new Float32Array(calls.memory.buffer, to, this.pointsSize);
  }

  /** What touches the ground, a bit each: 1 left heel, 2 left ball, 4 right heel, 8 right ball. */
  get contacts() {
    return this.afoot.calls.afoot_character_contacts(this.at);
  }

  /** Frees it. */
  close() {
    this.afoot.calls.afoot_character_close(this.at);
    this.afoot.calls.afoot_memory_free(this.buffer, this.size);
    this.at = 0;
  }
}
