// The stage: bodies of tapered capsules in one draw call, ground, soft shadow, trails, what is drawn on the ground.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Frames } from "../api/client";
import type { Ground } from "../state/bench.svelte";

const MOST_CAPSULES = 24_000;
const BACK = 0x14171b;
const COLOURS = { left: [0.3, 0.56, 0.98], right: [0.95, 0.51, 0.2], middle: [0.74, 0.77, 0.82] } as const;

/** Patches a material so that each instance is a capsule between two points with a radius at both ends. */
function asCapsules(material: THREE.Material) {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        `#include <common>
        attribute vec4 iFrom; attribute vec4 iTo; attribute vec3 iColour; attribute float end;
        varying vec3 vLimb;
        mat3 alongLimb(vec3 axis) {
          float size = length(axis);
          vec3 y = size > 1e-5 ? axis / size : vec3(0.0, 1.0, 0.0);
          vec3 aside = abs(y.y) < 0.98 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
          vec3 x = normalize(cross(aside, y));
          return mat3(x, y, cross(x, y));
        }`,
      )
      .replace(
        "#include <beginnormal_vertex>",
        "vec3 objectNormal = alongLimb(iTo.xyz - iFrom.xyz) * normal; vLimb = iColour;",
      )
      .replace(
        "#include <begin_vertex>",
        `vec3 transformed = mix(iFrom.xyz, iTo.xyz, end)
          + alongLimb(iTo.xyz - iFrom.xyz) * position * mix(iFrom.w, iTo.w, end);`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vLimb;")
      .replace("#include <color_fragment>", "diffuseColor.rgb *= vLimb;");
  };
  return material;
}

function capsuleGeometry() {
  const sphere = new THREE.SphereGeometry(1, 14, 10);
  const place = sphere.attributes.position;
  // The equator's ring belongs to both ends: rows above it go with one, the rest with the other.
  const geometry = new THREE.InstancedBufferGeometry();
  const positions: number[] = [];
  const normals: number[] = [];
  const ends: number[] = [];
  const index: number[] = [];
  const [across, down] = [14, 10];
  const row = (r: number, end: number) => {
    const first = positions.length / 3;
    for (let c = 0; c <= across; c++) {
      const k = r * (across + 1) + c;
      positions.push(place.getX(k), place.getY(k), place.getZ(k));
      normals.push(place.getX(k), place.getY(k), place.getZ(k));
      ends.push(end);
    }
    return first;
  };
  const rows: number[] = [];
  for (let r = 0; r <= down / 2; r++) rows.push(row(r, 1));
  for (let r = down / 2; r <= down; r++) rows.push(row(r, 0));
  for (let r = 0; r + 1 < rows.length; r++) {
    for (let c = 0; c < across; c++) {
      const [a, b] = [rows[r] + c, rows[r + 1] + c];
      index.push(a, b, a + 1, a + 1, b, b + 1);
    }
  }
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  geometry.setAttribute("end", new THREE.Float32BufferAttribute(ends, 1));
  geometry.setIndex(index);
  return geometry;
}

const GRID_VERTEX = `varying vec3 place; void main() { vec4 world = modelMatrix * vec4(position, 1.0); place = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world; }`;
const GRID_FRAGMENT = `varying vec3 place; uniform vec3 middle;
  float lines(vec2 at, float size) { vec2 cell = at / size; vec2 wide = fwidth(cell);
    vec2 near = abs(fract(cell - 0.5) - 0.5) / max(wide, 1e-5); return (1.0 - min(min(near.x, near.y), 1.0)) * clamp(0.5 / max(wide.x, wide.y), 0.0, 1.0); }
  void main() { float far = length(place.xz - middle.xz); float fade = exp(-far * far / 260.0);
    float fine = lines(place.xz, 1.0), strong = lines(place.xz, 5.0);
    float axisX = 1.0 - min(abs(place.z) / max(fwidth(place.z) * 1.2, 1e-5), 1.0), axisZ = 1.0 - min(abs(place.x) / max(fwidth(place.x) * 1.2, 1e-5), 1.0);
    vec3 colour = mix(vec3(0.36, 0.4, 0.46), vec3(0.62, 0.52, 0.32), max(axisX, axisZ));
    float strength = max(max(fine * 0.32, strong * 0.6), max(axisX, axisZ) * 0.75);
    gl_FragColor = vec4(colour, strength * fade); }`;

export interface Shown {
  frames: Frames;
  pale: boolean;
  /** Frame to show; fractions are blended. */
  at: number;
}

export interface Drawing {
  ghosts: number;
  contacts: boolean;
  lockRoot: boolean;
}

export class Scene {
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.05, 300);
  readonly controls: OrbitControls;
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private sun = new THREE.DirectionalLight(0xfff4e2, 2.1);
  private capsules = capsuleGeometry();
  private from = new Float32Array(MOST_CAPSULES * 4);
  private to = new Float32Array(MOST_CAPSULES * 4);
  private colour = new Float32Array(MOST_CAPSULES * 3);
  private count = 0;
  private grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private floor: THREE.Mesh;
  private feet: THREE.InstancedMesh;
  private lines = new Map<string, Line2>();
  private handles: THREE.InstancedMesh;
  private marks = new THREE.Group();
  private focus = new THREE.Vector3(0, 0.9, 0);
  private scratch = new THREE.Matrix4();
  /** Whether something other than the camera has changed since it was drawn. */
  stale = true;

  constructor(private canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.scene.background = new THREE.Color(BACK);
    this.scene.fog = new THREE.Fog(BACK, 22, 60);
    this.scene.add(new THREE.HemisphereLight(0xc9d6ea, 0x2a2723, 1.05));
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 5;
    this.sun.shadow.bias = -0.001;
    this.sun.shadow.normalBias = 0.03;
    const box = this.sun.shadow.camera;
    [box.left, box.right, box.top, box.bottom, box.near, box.far] = [-7, 7, 7, -7, 1, 30];
    this.scene.add(this.sun, this.sun.target);
    this.floor = new THREE.Mesh(new THREE.PlaneGeometry(200, 200), new THREE.MeshStandardMaterial({ color: 0x1b1f25, roughness: 1 }));
    this.floor.rotation.x = -Math.PI / 2;
    this.floor.receiveShadow = true;
    this.scene.add(this.floor);
    this.grid = new THREE.Mesh(
      new THREE.PlaneGeometry(200, 200),
      new THREE.ShaderMaterial({
        vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, transparent: true, depthWrite: false,
        uniforms: { middle: { value: new THREE.Vector3() } },
      }),
    );
    this.grid.rotation.x = -Math.PI / 2;
    this.grid.position.y = 0.002;
    this.scene.add(this.grid);
    this.addCapsules();
    this.feet = new THREE.InstancedMesh(
      new THREE.RingGeometry(0.07, 0.1, 24).rotateX(-Math.PI / 2),
      new THREE.MeshBasicMaterial({ color: 0x57b97a, transparent: true, opacity: 0.9, depthWrite: false }), 128,
    );
    this.feet.frustumCulled = false;
    this.handles = new THREE.InstancedMesh(
      new THREE.SphereGeometry(0.05, 16, 12), new THREE.MeshBasicMaterial({ color: 0xe8c878 }), 256,
    );
    this.handles.frustumCulled = false;
    this.handles.count = 0;
    this.scene.add(this.feet, this.handles, this.marks);
    this.camera.position.set(3.4, 2.1, 4.6);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.copy(this.focus);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.maxPolarAngle = Math.PI * 0.499;
    this.controls.minDistance = 0.6;
    this.controls.maxDistance = 80;
  }

  private addCapsules() {
    const dynamic = (array: Float32Array, size: number) => {
      const attribute = new THREE.InstancedBufferAttribute(array, size);
      attribute.setUsage(THREE.DynamicDrawUsage);
      return attribute;
    };
    this.capsules.setAttribute("iFrom", dynamic(this.from, 4));
    this.capsules.setAttribute("iTo", dynamic(this.to, 4));
    this.capsules.setAttribute("iColour", dynamic(this.colour, 3));
    const material = asCapsules(new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.02 }));
    const mesh = new THREE.Mesh(this.capsules, material);
    mesh.customDepthMaterial = asCapsules(new THREE.MeshDepthMaterial());
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    this.scene.add(mesh);
  }

  resize(width: number, height: number) {
    if (!width || !height) return;
    this.stale = true;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    for (const line of this.lines.values()) (line.material as LineMaterial).resolution.set(width, height);
  }

  /** Puts the bodies where they are; their feet, their ghosts. */
  pose(shown: Shown[], drawing: Drawing) {
    this.stale = true;
    this.count = 0;
    let feet = 0;
    for (const { frames, pale, at } of shown) {
      const last = frames.count - 1;
      const here = Math.min(Math.max(at, 0), last);
      const [low, share] = [Math.floor(here), here - Math.floor(here)];
      const offset = drawing.lockRoot ? this.rootOffset(frames, here) : [0, 0];
      this.addBody(frames, low, share, offset, 1, pale ? 0.42 : 1);
      if (drawing.ghosts > 0) {
        for (let frame = 0; frame <= last; frame += drawing.ghosts) this.addBody(frames, frame, 0, offset, 0.45, 0.36);
      }
      if (!drawing.contacts) continue;
      frames.body.feet.forEach((foot, side) => {
        if (foot == null || !((frames.planted[low] >> side) & 1) || feet >= 128) return;
        const k = (low * frames.points + foot) * 3;
        this.scratch.makeTranslation(frames.places[k] - offset[0], 0.006, frames.places[k + 2] - offset[1]);
        this.feet.setMatrixAt(feet++, this.scratch);
      });
    }
    this.feet.count = feet;
    this.feet.instanceMatrix.needsUpdate = true;
    this.capsules.instanceCount = this.count;
    for (const name of ["iFrom", "iTo", "iColour"]) {
      const attribute = this.capsules.getAttribute(name) as THREE.InstancedBufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }

  private rootOffset(frames: Frames, at: number): [number, number] {
    const k = Math.floor(at) * frames.points * 3;
    return [frames.places[k] - frames.places[0], frames.places[k + 2] - frames.places[2]];
  }

  private addBody(frames: Frames, frame: number, share: number, [ox, oz]: number[], thick: number, bright: number) {
    const { places, points, body, floor } = frames;
    const a = frame * points * 3;
    const b = share > 0 ? a + points * 3 : a;
    const place = (p: number, axis: number) => places[a + 3 * p + axis] * (1 - share) + places[b + 3 * p + axis] * share;
    for (const limb of body.limbs) {
      if (this.count >= MOST_CAPSULES) return;
      const k = this.count++;
      const [rx, ry] = limb.radii;
      this.from[4 * k] = place(limb.from, 0) - ox;
      this.from[4 * k + 1] = place(limb.from, 1) - floor;
      this.from[4 * k + 2] = place(limb.from, 2) - oz;
      this.from[4 * k + 3] = rx * thick;
      this.to[4 * k] = place(limb.to, 0) - ox;
      this.to[4 * k + 1] = place(limb.to, 1) - floor;
      this.to[4 * k + 2] = place(limb.to, 2) - oz;
      this.to[4 * k + 3] = ry * thick;
      const colour = COLOURS[(limb.side ?? "middle") as keyof typeof COLOURS];
      for (let c = 0; c < 3; c++) this.colour[3 * k + c] = colour[c] * bright;
    }
  }

  /** A line on the ground, or none. */
  line(name: string, points: Ground[] | null, colour: number, width: number, height = 0.012, dashed = false) {
    this.stale = true;
    const old = this.lines.get(name);
    if (old) {
      this.scene.remove(old);
      old.geometry.dispose();
      old.material.dispose();
      this.lines.delete(name);
    }
    if (!points || points.length < 2) return;
    const geometry = new LineGeometry();
    geometry.setPositions(points.flatMap(([x, z]) => [x, height, z]));
    const material = new LineMaterial({ color: colour, linewidth: width, dashed, dashSize: 0.12, gapSize: 0.08, transparent: true, opacity: 0.95 });
    const size = this.renderer.getSize(new THREE.Vector2());
    material.resolution.copy(size);
    const line = new Line2(geometry, material);
    if (dashed) line.computeLineDistances();
    this.lines.set(name, line);
    this.scene.add(line);
  }

  knobs(points: Ground[]) {
    this.stale = true;
    const shown = points.slice(0, 256);
    shown.forEach(([x, z], k) => this.handles.setMatrixAt(k, this.scratch.makeTranslation(x, 0.04, z)));
    this.handles.count = shown.length;
    this.handles.instanceMatrix.needsUpdate = true;
  }

  /** Obstacles, bounds, goals and cells of a map. */
  world(parts: {
    circles: [number, number, number][]; bounds: [Ground, Ground] | null; start: Ground | null; goal: Ground | null;
    cells: [number, number, number, number][];
  }) {
    this.stale = true;
    for (const child of [...this.marks.children]) this.marks.remove(child);
    const stone = new THREE.MeshStandardMaterial({ color: 0x515a67, roughness: 0.9 });
    for (const [x, z, radius] of parts.circles) {
      const pillar = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 0.6, 40), stone);
      pillar.position.set(x, 0.3, z);
      pillar.castShadow = pillar.receiveShadow = true;
      this.marks.add(pillar);
    }
    const disc = (at: Ground, colour: number) => {
      const ring = new THREE.Mesh(
        new THREE.RingGeometry(0.18, 0.24, 40).rotateX(-Math.PI / 2), new THREE.MeshBasicMaterial({ color: colour, depthWrite: false, transparent: true }),
      );
      ring.position.set(at[0], 0.01, at[1]);
      this.marks.add(ring);
    };
    if (parts.start) disc(parts.start, 0x9aa2af);
    if (parts.goal) disc(parts.goal, 0xd9b25f);
    const b = parts.bounds;
    const rectangle: Ground[] | null = b ? [b[0], [b[1][0], b[0][1]], b[1], [b[0][0], b[1][1]], b[0]] : null;
    this.line("bounds", rectangle, 0x6c7685, 1.6, 0.008, true);
    if (parts.cells.length) {
      const size = parts.cells[0][2];
      const tiles = new THREE.InstancedMesh(
        new THREE.PlaneGeometry(size * 0.96, size * 0.96).rotateX(-Math.PI / 2),
        new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.6, depthWrite: false }), parts.cells.length,
      );
      const colour = new THREE.Color();
      parts.cells.forEach(([x, z, , value], k) => {
        tiles.setMatrixAt(k, this.scratch.makeTranslation(x, 0.005, z));
        tiles.setColorAt(k, colour.setHSL(0.02 + 0.1 * value, 0.3 + 0.25 * value, 0.1 + 0.42 * value));
      });
      tiles.frustumCulled = false;
      this.marks.add(tiles);
    }
  }

  /** Where a pixel meets the ground. [m] */
  ground(x: number, y: number): Ground | null {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    const hit = ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0), 0), new THREE.Vector3());
    return hit && hit.distanceTo(this.camera.position) < 120 ? [hit.x, hit.z] : null;
  }

  /** The camera goes along with what it looks at. */
  moveTo(x: number, z: number, height: number, ease: number) {
    const dx = (x - this.focus.x) * ease;
    const dy = (height - this.focus.y) * ease;
    const dz = (z - this.focus.z) * ease;
    if (Math.abs(dx) + Math.abs(dy) + Math.abs(dz) < 1e-4) return;
    this.focus.add(new THREE.Vector3(dx, dy, dz));
    this.controls.target.add(new THREE.Vector3(dx, dy, dz));
    this.camera.position.add(new THREE.Vector3(dx, dy, dz));
  }

  /** Shows a box of the ground whole. [m] */
  frame(low: Ground, high: Ground, height = 1.8) {
    const middle = new THREE.Vector3((low[0] + high[0]) / 2, height / 2, (low[1] + high[1]) / 2);
    const size = Math.max(1.6, Math.hypot(high[0] - low[0], high[1] - low[1], height) / 2);
    const away = this.camera.position.clone().sub(this.controls.target);
    away.y = Math.max(away.y, 0.25 * away.length());
    const narrow = Math.min(1, this.camera.aspect);
    away.setLength((size / Math.sin((this.camera.fov * Math.PI) / 360)) / narrow * 1.02);
    this.focus.copy(middle);
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).add(away);
  }

  /** Straight from above, or from aside again. */
  fromAbove(above: boolean) {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const away = above ? new THREE.Vector3(0, 1, 0.001) : new THREE.Vector3(0.55, 0.42, 0.75);
    this.camera.position.copy(this.controls.target).add(away.setLength(distance));
  }

  /** Turns and lifts the camera. [rad] */
  turn(across: number, up: number) {
    const away = this.camera.position.clone().sub(this.controls.target);
    const round = new THREE.Spherical().setFromVector3(away);
    round.theta += across;
    round.phi = Math.min(1.55, Math.max(0.05, round.phi - up));
    this.camera.position.copy(this.controls.target).add(away.setFromSpherical(round));
  }

  /** Draws, if anything has changed; gives how long the drawing itself took. [ms] */
  render(): number {
    const moved = this.controls.update();
    if (!moved && !this.stale) return 0;
    this.stale = false;
    const at = this.controls.target;
    this.sun.target.position.set(at.x, 0, at.z);
    this.sun.position.set(at.x + 4, 9, at.z + 3.2);
    this.floor.position.set(at.x, 0, at.z);
    this.grid.position.set(at.x, 0.002, at.z);
    this.grid.material.uniforms.middle.value.copy(at);
    const begun = performance.now();
    this.renderer.render(this.scene, this.camera);
    return performance.now() - begun;
  }

  dispose() {
    this.controls.dispose();
    this.renderer.dispose();
  }
}
