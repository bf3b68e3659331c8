// Made from the Rust sources by crates/afoot-serve/tests/types.rs; not to be edited.

export type Judged = unknown
;
export type List = Choice
;
export type Remove = Choice
;

/** Something that was done. */
export interface ActionPlayed {
  /** Who. */
  actor: string;
  /** What. */
  action: string;
  /** When it starts. [s] */
  start: number;
  /** When it is over. [s] */
  end: number;
}

/** Somebody of a scene. */
export interface ActorPlayed {
  /** Who. */
  name: string;
  /** His motion's file. */
  file: string;
  /** The same on his own body, if he has one. */
  body_file?: string | null;
  /** For how long he does his idle action. [s] */
  idle_seconds: number;
  /** For how long he holds still, because he has none. [s] */
  still_seconds: number;
  /** How good his motion is. */
  quality: unknown;
  /** Where his frames come from. */
  sources: unknown[];
}

/** Something made from clips and kept. */
export interface ArtefactListed {
  /** What it is. */
  kind: string;
  /** What it was made with. */
  options: string;
  /** How much space it takes. */
  bytes: number;
}

/** Asks for a baked character, to be steered by a game or a page without this library. */
export interface Bake {
  /** Farthest that a joint may be from where it was captured. [mm, > 0, at most 1] */
  error_mm: number;
}

/** A job that was begun. */
export interface Begun {
  /** Its number. */
  job: number;
}

/** A performance that was better than those before it. */
export interface BetterFound {
  /** After how many restarts. */
  iteration: number;
  /** Its cost. */
  cost: number;
  /** Since the search began. [s] */
  seconds: number;
}

/** What a skeleton looks like. */
export interface Body {
  /** Joints by name, then end sites as `NAME end`. */
  names: string[];
  /** What each point hangs from; none of the root. */
  parents: (number | null)[];
  /** The limbs. */
  limbs: BodyLimb[];
  /** The ankles, left and right, where it has legs. */
  feet: (number | null)[];
}

/** A tapered capsule between two points. */
export interface BodyLimb {
  /** One end. */
  from: number;
  /** The other. */
  to: number;
  /** `left`, `right`, or none in the middle. */
  side: string | null;
  /** Radius at both ends. [m] */
  radii: number[];
}

/** Asks for the graph of a recipe. */
export interface BuildGraph {
  /** What it is made of and how. */
  recipe: unknown;
  /** Build anew even if the graph is there. */
  rebuild: boolean;
}

/** Where motion that carries a word passes. */
export interface Capability {
  /** The word. */
  label: string;
  /** Share of the free ground. */
  share: number;
}

/** The same library on another grid: what cells that are too large lose (§5.4, figure 4). */
export interface CellSurveyed extends EditCoverage {
  /** Width of a cell. [m] */
  cell_m: number;
  /** Angle between headings, in proportion. [degrees] */
  yaw_deg: number;
  /** Share of edit regions that hold no cell's middle. */
  empty_edit_share: number;
}

/** A character that was baked. */
export interface CharacterBaked {
  /** Its file, if it was written. */
  file: string | null;
  /** How large all of it is. */
  bytes: number;
  /** Of that, frames of clips. */
  clip_bytes: number;
  /** The same frames as they were, four bytes a number. */
  clip_bytes_unpacked: number;
  /** Of that, nodes, edges and transitions. */
  graph_bytes: number;
  /** Of that, best first edges. */
  control_bytes: number;
  /** How many clips it plays. */
  clips: number;
  /** How long they are together. [s] */
  seconds: number;
  /** Transitions between them. */
  transitions: number;
  /** Words that can be wished for. */
  words: string[];
  /** Farthest that any joint is off. [mm] */
  most_mm: number;
  /** How far each joint and end site is off. */
  joints: JointOff[];
}

/** One of a crowd. */
export interface CharacterMade {
  /** Its file in the folder. */
  file: string;
  /** Its style. */
  as: string | null;
  /** Where it starts. [m] */
  start: number[];
  /** The goals that it reached, and the one on its way to at the end. [m] */
  goals: number[][];
  /** How good its file is. */
  quality: unknown;
  /** Where its frames come from. */
  sources: unknown[];
  /** What it does that was not asked for, longest first. */
  oddities: OddMotion[];
}

/** Asks whether a library is whole. */
export interface Check {
  /** Remove what can't be read; what was made from clips is made again when it is asked for. */
  repair: boolean;
}

/** Something that is wrong. */
export interface CheckError {
  /** What is wrong. */
  message: string;
  /** What would help. */
  hint: string | null;
}

/** Asks what is wrong with a script. */
export interface CheckStory {
  /** The script; names in it are paths from its folder. */
  story: string;
  /** Its text, where that is not what the file says: an editor's. */
  text: string | null;
}

/** What was found. */
export interface Checked {
  /** Whether all is well now. */
  whole: boolean;
  /** How many clips are whole. */
  clips: number;
  /** How many artefacts are. */
  artefacts: number;
  /** What is, or before the repair was, damaged: a sentence each. */
  damage: string[];
  /** Whether that was repaired. */
  repaired: boolean;
  /** The same as problems: this is what scripts that are checked give too. */
  errors: CheckError[];
}

/** Some clips of a library. What is left open admits all. */
export interface Choice {
  /** Names, or patterns with `*` (anything) and `?` (one letter); each must stand for some clip. */
  clips: string[];
  /** Only clips whose name, label or type contains this word, in any case. */
  search: string | null;
  /** Only clips of this type: walk, run, jump or stand, which at least three quarters of their frames are, or other. */
  type: string | null;
  /** With a type: clips with at least this share of it, instead of 0.75. [0 to 1] */
  min_share: number | null;
  /** Only clips with this label; a type serves where no clip has such a label. */
  label: string | null;
}

/** Asks for a motion file without foot skate, and with nothing else changed. Written in the input's unit if the output leaves it open. */
export interface Clean {
  /** What to clean. */
  input: MotionFile;
  /** Share of their length by which legs may grow before knees straighten. [0 to 0.1] */
  lengthen: number;
}

/** What cleaning tells of itself. */
export interface CleanDetails {
  /** How good the file was. */
  before: unknown;
  /** Why the motion was left as it was, where cleaning would have made it worse. */
  left?: string | null;
}

/** Where pictures of a clip go. */
export interface ClipPictures {
  /** The clip as stick figures, a PNG. */
  picture: string | null;
  /** In it every frame around this moment, instead of figures from all of the clip. [s, 0 to 1000000] */
  around: number | null;
  /** Heights, speeds and contacts over time, a PNG. */
  plot: string | null;
  /** A page that plays the clip, one HTML file. */
  page: string | null;
}

/** How soon a clip can be reached. */
export interface ClipReach {
  /** Which. */
  clip: string;
  /** From the worst place. [s] */
  worst_seconds: number;
  /** Share of the library that it can be reached from. */
  share: number;
}

/** What is known of a clip. */
export interface ClipShown extends ListedClip {
  /** Its skeleton. */
  skeleton: SkeletonShown;
  /** The skeleton's chains, each by the names of its joints. */
  chains: string[][];
  /** When feet are planted. */
  contacts: PlantTimes;
  /** What is said of its frames. */
  label_spans: LabelTimes[];
  /** What is said not to be. */
  denied_spans: LabelTimes[];
  /** The floor that was found. */
  ground: GroundShown | null;
  /** The file it comes from. */
  source: string | null;
  /** Its rate at capture. [frames/s] */
  source_fps: number | null;
  /** What was repaired. */
  repairs: string[];
  /** What is suspected. */
  warnings: string[];
}

/** How a library's frames are clustered. */
export interface ClusterRecipe {
  /** Largest error within a cluster. [cm, > 0, at most 10000] */
  error_cm: number;
  /** Compare these parts of the body and the root alone: chains (`left_leg`, `torso`, ...) or groups of them (`legs`, `arms`, `upper_body`); the whole body if empty. */
  chains: string[];
  /** Weights of position, velocity and acceleration of `root` and chains, instead of the usual. [0 to 1000] */
  weights: Record<string, number[]>;
  /** What a velocity is multiplied with, and an acceleration twice, to be a length. [s, > 0, at most 10] */
  tau: number;
  /** Compare where figures are and look too. */
  absolute: boolean;
  /** Let the mean of the two that merge stand for a cluster, instead of the mean of all its frames. */
  pair_centres: boolean;
}

/** Asks for the cluster graph of all clips. */
export interface Clusters {
  /** How frames are clustered. */
  recipe: ClusterRecipe;
  /** List all nodes with their sequences. */
  nodes: boolean;
  /** Say how long it takes at worst to get to each clip. */
  reach: boolean;
}

/** A cluster graph. */
export interface ClustersFound {
  /** Frames of all clips. */
  frames: number;
  /** Nodes. */
  nodes: number;
  /** Edges between them. */
  edges: number;
  /** Clip-frame sequences in them. */
  sequences: number;
  /** Clips that repeat themselves. */
  cycles: CycleFound[];
  /** How long it takes at worst to get to each clip, if that was asked. */
  reach: ClipReach[];
  /** All nodes, if they were asked for. */
  list: NodeListed[];
  /** Time taken, with reading the clips. [s] */
  seconds: number;
}

/** Says that what was learned of a stretch is right, either way. */
export interface ConfirmLabels {
  /** The clip. */
  clip: string;
  /** Labels; all that something was learned of if none is named. */
  labels: string[];
  /** From there; from the start if it is left open. [s, 0 to 1000000] */
  from: number | null;
  /** To there; to the end if it is left open. [s, 0 to 1000000] */
  to: number | null;
}

/** A constraint in the motion. */
export interface ConstraintMet {
  /** What. */
  kind: string;
  /** When. [s] */
  at: number;
  /** How far from where it should be. [m] */
  error_m: number;
}

/** How a library's graph of contact changes is built. */
export interface ContactRecipe {
  /** Largest error of a transition. [cm, > 0, at most 1000] */
  threshold_cm: number;
  /** Largest error between changes of contact that become one; 0 merges none. [cm, 0 to 1000] */
  merge_cm: number;
  /** What is to be least: torques, acceleration, time, distance. */
  objective: ObjectiveWord;
  /** What a transition at the threshold costs, in seconds of average motion. [0 to 1000] */
  transition: number;
}

/** Asks for a motion file as another; needs no library. In the input's unit if the output leaves it open. */
export interface Convert {
  /** What to read. */
  input: MotionFile;
  /** Who it is for. */
  receiver: Receiver;
  /** Resampled to this rate; as it is if it is left open. [frames/s, > 0, at most 1000] */
  fps: number | null;
}

/** Asks for characters who keep clear of each other. */
export interface Crowd {
  /** The world: bounds, obstacles, radius. */
  world: unknown;
  /** How many characters. [1 to 10000] */
  count: number;
  /** How long. [s, > 0, at most 86400] */
  seconds: number;
  /** Styles: each character keeps to one of these labels or types, in turn. */
  as: string[];
  /** How they are to move. */
  moving: Moving;
  /** Walk on the graph embedded into the world: no dead ends, and its regions are kept to. */
  embedded: boolean;
  /** How the graph is embedded. */
  embed: EmbedRecipe;
  /** Take away characters of an earlier, larger crowd in the folder. */
  force: boolean;
}

/** Where a crowd goes. */
export interface CrowdFiles {
  /** Folder for a motion file a character, a picture and the report. */
  folder: string;
  /** All characters in one glTF file: a skeleton and an animation each. */
  scene: string | null;
  /** A page that plays all of them, one HTML file. */
  page: string | null;
  /** A character or skeleton that all of them get, as [`Output::onto`]; of a `.glb` character each gets a file with its mesh, while `scene` has skeletons alone. */
  onto: string | null;
}

/** A crowd that was made. */
export interface CrowdMade {
  /** Who walks. */
  characters: CharacterMade[];
  /** Of the disc that a character takes up. [m] */
  radius_m: number;
  /** Least distance of two roots at any frame; infinite for one character. [m] */
  least_distance_m: number;
  /** Least distance of a root from an obstacle or the border. [m] */
  least_clearance_m: number;
  /** Searches run. */
  attempts: number;
  /** Time taken. [s] */
  compute_seconds: number;
}

/** A clip that repeats itself. */
export interface CycleFound {
  /** Which. */
  clip: string;
  /** A cycle. [s] */
  period: number;
  /** Where the first one starts: a left foot comes down. [s] */
  phase: number;
  /** How many it holds. */
  cycles: number;
  /** How unlike frames a cycle apart are. [cm] */
  error_cm: number;
}

/** A clip that gives limbs. */
export interface Donor {
  /** The clip, or a part of it as `NAME[2.0s..4.5s]`. */
  clip: string;
  /** Its chains: `left_arm`, `right_arm`, `torso`, `head`, ..., or `arms`, `upper`, `lower`. */
  chains: string[];
}

/** Asks for motion that is steered. */
export interface Drive {
  /** What is wanted when, in any order; random directions, by the run's seed, if there are none. */
  steer: Wish[];
  /** How long. [s, > 0, at most 100000] */
  seconds: number;
  /** Measure too how soon a new direction is taken, and how long the controller's calls take: an hour of random directions. */
  reaction: boolean;
  /** How the figure is to move; other wishes than the usual ones need a table of their own, which is not kept. */
  moving: Moving;
  /** How long steps are, in parts of the captured. [0.05 to 2] */
  stride: number;
  /** How high feet are lifted, in parts of the captured. [0 to 5] */
  lift: number;
  /** Walk up a slope from where it begins, or down where it is negative. [degrees, -30 to 30] */
  incline: number;
}

/** What steering tells of itself. */
export interface DriveDetails extends SteeringTimes {
  /** What was not asked for, longest first. */
  oddities: OddMotion[];
}

/** Asks for a motion changed by hand. */
export interface Edit {
  /** What to change. */
  input: MotionInput;
  /** Only this part of it. */
  trim: Stretch | null;
  /** Play it backwards. */
  backwards: boolean;
  /** Let these moments happen sooner or later; what lies before and between them goes faster or slower, what comes after the last of them as it went. */
  times: TimeMark[];
  /** Smooth the step into the frames at these times. [s, 0 to 1000000] */
  seams: number[];
  /** Let the last frame lead into the first, as of a motion that is repeated. */
  loop_seam: boolean;
  /** Bend the root's way along this path, as far as people do not notice. */
  along: unknown | null;
  /** Bend the root's way so that it ends there. */
  to: Goal | null;
  /** Displace the root at these moments. */
  shifts: RootKey[];
  /** Turn joints at these moments. */
  keys: JointKey[];
  /** Move the whole motion. */
  place: Shift | null;
  /** How far seams and keys are felt to either side. [s, > 0, at most 600] */
  ease: number;
  /** Leave feet where the changes bring them, instead of putting plants still again. */
  leave_feet: boolean;
}

/** What an editing size gives. */
export interface EditCoverage {
  /**  */
  coverage_xz: number;
  /**  */
  coverage_xza: number;
  /**  */
  nodes: number;
  /**  */
  links: number;
}

/** What editing tells of itself. */
export interface EditDetails {
  /** How much the root's way was bent, where it was; the most of each where it was bent along a path and to a place. */
  warped: Warped | null;
}

/** The same library with another editing size. */
export interface EditSurveyed {
  /** In cm and degrees, for a metre. */
  edit: number;
  /** Where all motion is linked to the nearest cell at least. */
  always: EditCoverage;
  /** Where limits are respected. */
  within: EditCoverage;
  /** Share of edit regions that hold no cell's middle. */
  empty_edit_share: number;
}

/** How a graph is made and embedded. */
export interface EmbedRecipe {
  /** The graph: other than the one in use, it has a minimum clip length. */
  graph: unknown;
  /** Width of a cell. [m, 0.01 to 100] */
  cell_m: number;
  /** Angle between headings. [degrees, 1 to 120] */
  yaw_deg: number;
  /** How far motion may be bent: cm and degrees, for a metre. [0 to 1000] */
  edit: number;
  /** The same for a second. [0 to 1000] */
  edit_in_time: number;
  /** Whether to shift and turn to the limit at once. */
  edit_shape: unknown;
  /** What becomes of motion that can end in no cell's middle. */
  connect: unknown;
  /** Whether good transitions may be bent more than poor ones. */
  edit_by_slack: boolean;
  /** Room beyond the world's radius. [m, 0 to 100] */
  margin_m: number;
  /** Most memory for the embedded graph and searches in it, beside the library. [MB, 1 to 10000000] */
  memory_mb: number;
}

/** Asks for a clip, or a part of it, as a motion file. */
export interface Export {
  /** `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`. */
  clip: string;
  /** Who it is for. */
  receiver: Receiver;
  /** Resampled to this rate; as it is if it is left open. [frames/s, > 0, at most 1000] */
  fps: number | null;
}

/** Asks for all annotations as a file. */
export interface ExportLabels {
  /** Those that were learned too, said to be so. */
  learned: boolean;
}

/** Which way a figure faces: a word, or so many degrees to the left of where it goes. */
export type FacingWish =
  | FacingWord
  | number;

/** Which way a figure faces, as a word. */
export type FacingWord =
  | "ahead"
  | "any";

/** Why a request gave nothing. */
export interface Failure {
  /** What kind of end it is. */
  kind: FailureKind;
  /** The request's field that is wrong, if it is a field; the message then starts with its value. */
  field?: string | null;
  /** What happened: names the file, the line or the value, and what was expected. */
  message: string;
  /** What would help; each surface words it in its own terms. */
  hint?: unknown | null;
}

/** The ways in which a request can end without a result. */
export type FailureKind =
  | "bad_request"
  | "no_motion"
  | "cancelled"
  | "failed";

/** A motion file that was written. */
export interface FileWritten {
  /** The file. */
  file: string;
  /** Its frames. */
  frames: number;
  /** Its rate. [frames/s] */
  fps: number;
  /** Its length. [s] */
  seconds: number;
  /** A file that was written beside it: the skeleton of an `.amc` file. */
  beside?: string | null;
}

/** Asks for motion along a path. */
export interface Follow {
  /** The path. */
  path: unknown;
  /** How it lies on the ground, if it is a drawing. */
  drawing: unknown;
  /** Use only motion with these labels, or of these types, all along it. */
  as: string[];
  /** End where the path began. */
  closed: boolean;
  /** Leave captured motion where it is: do not warp the root's path. */
  exact_source: boolean;
  /** Where in the library to start; else wherever it fits best. */
  start: Start | null;
  /** How the figure is to move. */
  moving: Moving;
  /** Whether it begins and ends in a stand. */
  standing: Standing;
  /** How the walk is searched for. */
  search: unknown;
  /** Instead of a path: from one place of a world to another, around what stands there. */
  through: Through | null;
}

/** What following tells of itself. */
export interface FollowDetails {
  /** Length of the path. [m] */
  path_m: number;
  /** What was not asked for, longest first. */
  oddities: OddMotion[];
  /** Places of the path that the library's motion can't do as asked, in order. */
  hard_places: HardStretch[];
  /** Whether it begins and ends in a stand. */
  stands: boolean[];
  /** What the search did. */
  search: SearchDetails;
  /** Where labels changed along it. */
  switches: LabelSwitch[];
  /** Of a way through a world. */
  through?: ThroughDetails | null;
}

/** A place for a foot. */
export interface FootprintWish {
  /** `left` or `right`. */
  foot: string;
  /** Where its ball goes. [m, -100000 to 100000] */
  x: number;
  /** [m, -100000 to 100000] */
  z: number;
  /** Where its toes point; as captured if it is left open. [degrees, -36000 to 36000] */
  heading: number | null;
}

/** Asks for a script as everybody writes it. */
export interface FormatStory {
  /** The script. */
  story: string;
  /** Its text, where that is not what the file says. */
  text: string | null;
}

/** What many clips were told. */
export interface FramesSaid {
  /** Clips that something new is said of. */
  clips: number;
  /** Frames and labels together that something new is said of. */
  frames: number;
}

/** What comes of a request beside its report, and so what is said of where it goes. */
export type Gives =
  | "report"
  | "motion"
  | "made_motion"
  | "file"
  | "folder";

/** A place on the ground to end at. */
export interface Goal {
  /** [m, -100000 to 100000] */
  x: number;
  /** [m, -100000 to 100000] */
  z: number;
  /** 0 looks along +z, 90 along +x; as it is if it is left open. [degrees, -36000 to 36000] */
  heading: number | null;
}

/** Asks for limbs of some clips on the body of another. */
export interface Graft {
  /** The clip whose legs, root and all else that is not grafted stay. */
  base: string;
  /** Who gives what. */
  donors: Donor[];
  /** How the clips are brought into step. */
  in_step: InStep;
  /** How postures are taken over. */
  posture: GraftPosture;
  /** Length of the blend where a graft begins or ends within the base. [s, > 0, at most 60] */
  blend: number;
  /** How fast a donor plays that stands, and so keeps its own time. [> 0, at most 100] */
  tempo: number;
  /** Share of a clip's frames that must be of one type. [0.5 to 1] */
  share: number;
  /** Graft against the rules too. */
  force: boolean;
  /** Keep the graft as a new clip of the library, of this name. */
  keep: string | null;
}

/** Asks for all grafts that the rules allow. */
export interface GraftAll {
  /** What donors give. */
  chains: string[];
  /** How clips are brought into step. */
  in_step: InStep;
  /** How postures are taken over. */
  posture: GraftPosture;
  /** Length of blends. [s, > 0, at most 60] */
  blend: number;
  /** Share of a clip's frames that must be of one type. [0.5 to 1] */
  share: number;
  /** List only what scores this much. [0 to 1] */
  least_score: number;
  /** Keep these as clips of the library, `BASE+DONOR`. */
  accept: string[];
  /** Keep all that score this much. [0 to 1] */
  accept_above: number | null;
  /** Never list these again. */
  reject: string[];
}

/** What a graft tells of itself. */
export interface GraftDetails {
  /** How believable it is. [0 to 1] */
  score: number;
  /** Deepest that limbs pass into each other. [cm] */
  penetration_cm: number;
  /** How much of that is beyond base and donors. [cm] */
  penetration_beyond_cm: number;
  /** Farthest that the centre of mass is from the base's. [cm] */
  balance_cm: number;
  /** What was grafted. */
  grafts: GraftPartMade[];
  /** The clip that was added to the library, if one was. */
  kept?: string | null;
}

/** A graft that can't. */
export interface GraftFailed {
  /** `BASE+DONOR`. */
  name: string;
  /** Why. */
  error: string;
}

/** A graft that can be had. */
export interface GraftFound {
  /** `BASE+DONOR`. */
  name: string;
  /** Whose legs. */
  base: string;
  /** Whose upper body. */
  donor: string;
  /** How believable it is. [0 to 1] */
  score: number;
  /** How long the graft is. [s] */
  seconds: number;
  /** The largest step of a joint over the sources' largest. */
  jump_ratio: number;
  /** How deep limbs pass into each other beyond the sources. [cm] */
  penetration_beyond_cm: number;
  /** How far the centre of mass is off. [cm] */
  balance_cm: number;
  /** How the clips were brought into step. */
  in_step: string;
}

/** What one donor gave. */
export interface GraftPartMade {
  /** Who gave it. */
  donor: string;
  /** The chains. */
  chains: string[];
  /** Where it starts in the base. [s] */
  from: number;
  /** Where it ends in it. [s] */
  to: number;
  /** How the clips were brought into step. */
  in_step: string;
  /** Whether there are transition points that are in phase with the steps; none where there are no such. */
  in_phase: boolean | null;
}

/** How postures are taken over. */
export type GraftPosture =
  | "angles"
  | "space";

/** Grafts of a library, best first. */
export interface GraftsFound {
  /** Pairs that the rules allow. */
  allowed: number;
  /** Pairs of different clips that they forbid. */
  forbidden: number;
  /** Clips that are not of one type, and so are left out. */
  mixed: number;
  /** How many were rejected before or now. */
  rejected: number;
  /** What could be made. */
  grafts: GraftFound[];
  /** What could not. */
  failed: GraftFailed[];
  /** Clips that were added to the library. */
  kept: string[];
}

/** A graph that was built. */
export interface GraphBuilt {
  /** Frames of all clips. */
  frames: number;
  /** Pairs of frames that there are to compare. */
  pairs: number;
  /** Local minima of the error up to the ceiling. */
  candidates: number;
  /** Transitions under their threshold, before pruning. */
  transitions: number;
  /** Transitions in the graph. */
  kept_transitions: number;
  /** Nodes of the graph. */
  nodes: number;
  /** Edges of the graph. */
  edges: number;
  /** Captured frames in it. */
  component_frames: number;
  /** Their share of all frames. */
  component_share: number;
  /** Mean error of its transitions. [cm] */
  mean_error_cm: number;
  /** How much of each label set is kept. */
  sets: SetKept[];
  /** The thresholds that were found, if they were to be. */
  thresholds: Threshold[];
  /** What other thresholds would give. */
  trade_off: ThresholdGives[];
  /** What a person should know, a sentence each. */
  warnings: string[];
  /** How long it took. */
  seconds: StageSeconds;
}

/** Where pictures of a graph go. */
export interface GraphPictures {
  /** What other thresholds would give, a PNG. */
  plot: string | null;
  /** The kept transition with the largest error, cleaned, as a PNG or a motion file. */
  preview: string | null;
}

/** The graph that a plan was searched in. */
export interface GraphSearched {
  /** Frames of the library. */
  frames: number;
  /** Transitions between them, plain succession included. */
  transitions: number;
  /** Contact changes, and cheapest ways between them. */
  culled_states: number;
  /** As above. */
  culled_steps: number;
  /** After like ones were merged. */
  states: number;
  /** As above. */
  steps: number;
  /** Time taken to build or load it. [s] */
  seconds: number;
}

/** A floor. */
export interface GroundShown {
  /** Its height. [m] */
  height_m: number;
  /** How much it leans. [degrees] */
  tilt_deg: number;
}

/** A lower bound, as a word. */
export type GuidanceWord =
  | "euclidean"
  | "place"
  | "graph"
  | "combined"
  | "paper_sum";

/** A place of a path that is missed, or dwelt at for long. */
export interface HardStretch {
  /** Where, along the path. [m] */
  along_m: number;
  /** How much the path turns there within a metre. [degrees, left positive] */
  turn_deg: number;
  /** How far the walker stays from it. [m] */
  missed_m: number;
  /** How long a metre takes there. [s] */
  seconds: number;
  /** How long a metre takes as a rule. [s] */
  usual_seconds: number;
}

/** Heights over the floor on a grid, linear in between and level beyond. */
export interface HeightGrid {
  /** Where the first height is: x, z. [m, -100000 to 100000] */
  origin: number[];
  /** Distance of neighbours. [m, > 0, at most 1000] */
  cell: number;
  /** Rows along z, each along x. [m, -10000 to 10000] */
  heights: number[][];
}

/** What can be undone. */
export interface History {
  /** What undo would take back, the last one first. */
  undo: string[];
  /** What redo would do again, the next one first. */
  redo: string[];
}

/** A hole in coverage. */
export interface HoleFound {
  /** Where. [m] */
  x: number;
  /** Where. [m] */
  z: number;
  /** The heading. [degrees] */
  heading: number;
  /** How far the nearest motion is, turns counted as the options say. [m] */
  distance_m: number;
}

/** Asks for motion files to be read into a library: resampled, repaired, with facts. */
export interface Import {
  /** Motion files, or folders of them. */
  paths: string[];
  /** Frames per second in the library; 0 keeps each file's own. [frames/s, 0 to 1000] */
  fps: number;
  /** The rate at capture, where the files are wrong about it. [frames/s, 1 to 1000] */
  source_fps: number | null;
  /** The files' unit of length. */
  unit: LengthUnit;
  /** The axis that points up in the files. */
  up: Up;
  /** Leave out this many frames at the start of each file; found by itself if it is left open. [0 to 1000000] */
  drop_first: number | null;
  /** Labels for all frames. */
  labels: string[];
  /** Add each clip's mirror image too. */
  mirror: boolean;
  /** Bring all clips onto this clip's skeleton. */
  retarget: string | null;
  /** Which animation of files with several: a name, or `all`. */
  take: string;
  /** A JSON file that says which joint is which body part. */
  map: string | null;
  /** Give walks in place the path that their feet make. */
  root_motion: boolean;
  /** Take files that are cut off as far as they go. */
  partial: boolean;
  /** Repair nothing: spikes, T-poses and rates stay as they are in the files. */
  as_is: boolean;
}

/** Asks for annotations to be read from a file. */
export interface ImportLabels {
  /** The labels file. */
  file: string;
}

/** How clips are brought into step. */
export type InStep =
  | "plants"
  | "clusters"
  | "time_warp"
  | "zero_crossings";

/** Intervals of what is estimated. */
export interface Intervals {
  /**  */
  median: number[];
  /**  */
  p95: number[];
  /**  */
  above_1_1: number[];
  /**  */
  above_1_25: number[];
}

/** A request that was asked for, and what became of it. */
export interface Job {
  /** Its number. */
  id: number;
  /** The request's name. */
  ask: string;
  /** How it stands. */
  state: JobState;
  /** How far it is, while it runs. */
  progress: JobProgress | null;
  /** What a person should know. */
  warnings: string[];
  /** What it told, once it is done. */
  report: unknown | null;
  /** Why it failed. */
  failure: Failure | null;
  /** What would help, in words, where it failed and that is known. */
  help: string | null;
  /** Frames of motion that it has made so far. */
  frames: number;
  /** Files that can be had of it. */
  files: string[];
  /** Time since it began to run, until it ended. [s] */
  seconds: number;
}

/** How far a job is. */
export interface JobProgress {
  /** What is being done. */
  stage: string;
  /** Units of work done. */
  done: number;
  /** Units of work in all. */
  total: number;
}

/** How a job stands. */
export type JobState =
  | "waiting"
  | "running"
  | "done"
  | "failed";

/** Asks for clips one after the other, each joined to the next where they are alike. */
export interface Join {
  /** Clips, or parts of them as `NAME[1.5s..3s]`. */
  clips: string[];
  /** Nodes of the cluster graph instead, each with an edge to the next; `NODE:CLIP` chooses the clip whose sequence is played in it. */
  nodes: string[];
  /** Sequences of the cluster graph instead: each follows the one before in its clip, or lies in one node with it or with what follows it. [0 to 1000000000] */
  sequences: number[];
  /** Length of the blends, where the clips allow it; if not said, as long as frames stay alike, up to a second. [s, > 0, at most 10] */
  blend: number | null;
  /** Where the cluster graph knows no way, blend where frames are least unlike. */
  synthetic: boolean;
  /** How frames are clustered. */
  recipe: ClusterRecipe;
}

/** What joining tells of itself. */
export interface JoinDetails {
  /** The changes of clip, in order. */
  joins: JoinMade[];
  /** What plays, in order. */
  played: PlayedPart[];
}

/** A change of clip. */
export interface JoinMade {
  /** The last frame of the clip that was left. */
  from: Moment;
  /** The first frame of the clip that was entered. */
  to: Moment;
  /** How unlike the frames are. [cm] */
  error_cm: number;
  /** How long the blend is, unless others lie too near. [s] */
  blend: number;
  /** Whether no node of the cluster graph holds both frames. */
  synthetic: boolean;
}

/** A joint turned at a moment, beyond what it does, and less and less so before and after it. */
export interface JointKey {
  /** When. [s, 0 to 1000000] */
  at: number;
  /** The joint's name. */
  joint: string;
  /** About x, then y, then z of what it hangs from. [degrees, -36000 to 36000] */
  turn: number[];
}

/** How far a joint is from where it was captured, over all frames. */
export interface JointOff {
  /** The joint; an end site is named after the joint that it is on. */
  joint: string;
  /** Farthest. [mm] */
  most_mm: number;
  /** In the mean. [mm] */
  mean_mm: number;
}

/** A joint and the body part that it is. */
export interface JointRole {
  /** The joint's name. */
  joint: string;
  /** The body part, such as `left_up_leg`; `none` for nothing. */
  role: string;
}

/** A joint. */
export interface JointShown {
  /** Its name. */
  name: string;
  /** What it hangs from. */
  parent: string | null;
  /** Where it is from there, at rest. [m] */
  offset_m: number[];
  /** The body part that it is. */
  role: string | null;
}

/** Asks how good a motion file is; of what is usual in the library, where one is open. */
export interface Judge {
  /** The motion. */
  input: MotionFile;
  /** The path it was to follow. */
  path: unknown | null;
  /** The score it was to perform; painted labels need a library. */
  score: unknown | null;
  /** How that path lies on the ground, if it is a drawing. */
  drawing: unknown;
  /** The world it was to go through. */
  world: unknown | null;
}

/** A name under which made motion is kept in the library. */
export interface Keep {
  /** The clip's name. */
  name: string;
  /** Labels for all of its frames. */
  labels: string[];
}

/** How likeness falls off with distance. */
export type KernelShape =
  | "gaussian"
  | "exponential";

/** Says of a clip, or a part of it, whether it carries a label. */
export interface Label {
  /** The clip. */
  clip: string;
  /** A word such as sneak. */
  label: string;
  /** From there; from the start if it is left open. [s, 0 to 1000000] */
  from: number | null;
  /** To there; to the end if it is left open. [s, 0 to 1000000] */
  to: number | null;
  /** What is said. */
  say: Say;
}

/** A label that could not be learned. */
export interface LabelFailed {
  /** Which. */
  label: string;
  /** Why. */
  error: string;
}

/** A label that was learned. */
export interface LabelLearned {
  /** Which. */
  label: string;
  /** Frames that taught it, mirror images included. */
  trained_frames: number;
  /** Those of them that hold the boundary. */
  support_vectors: number;
  /** Time that training took; 0 where nothing that was marked has changed. [s] */
  seconds: number;
  /** F1 of marked frames that were told without having seen their clip, where that could be tried. */
  held_out_f1: number | null;
  /** How narrow the kernels are, against how much motion varies in the library. */
  narrowness: number;
  /** What a frame on the wrong side costs. */
  cost: number;
  /** Stretches that were annotated. */
  stretches: number;
  /** Their length together. [s] */
  annotated_seconds: number;
}

/** A change from one section's labels to the next one's. */
export interface LabelSwitch {
  /** Where it was asked for, along the path. [m] */
  asked_m: number;
  /** Where it happened. [m] */
  at_m: number;
}

/** A label and when it is meant. [s] */
export interface LabelTimes {
  /**  */
  label: string;
  /**  */
  from: number;
  /**  */
  to: number;
}

/** What is said of a clip. */
export interface Labelled {
  /** The clip. */
  clip: string;
  /** Labels that it carries somewhere. */
  labels: string[];
  /** Labels that it is said not to carry somewhere. */
  denied: string[];
}

/** Annotations that were written. */
export interface LabelsExported {
  /** How many clips have any. */
  clips: number;
  /** The file. */
  file: string;
}

/** Annotations that were read. */
export interface LabelsImported {
  /** How many clips were annotated. */
  clips: number;
}

/** A change of clip. */
export interface LeapFound {
  /** The last frame of the one. */
  from: Moment;
  /** The first of the other. */
  to: Moment;
  /** The node that holds both; none of a synthetic leap. */
  node: number | null;
  /** How unlike they are. [cm] */
  error_cm: number;
}

/** Trains on what is annotated, annotates the rest, and lists what is worth a look. */
export interface Learn {
  /** Labels; all that some frame is marked with if none is named. */
  labels: string[];
  /** How many stretches to list for a person to look at, of all these labels together. [0 to 100000] */
  review: number;
  /** The kernel's shape. */
  kernel: KernelShape;
  /** No stretch that is annotated lasts less. [s, 0 to 10] */
  least_seconds: number;
}

/** What was learned. */
export interface Learned {
  /** Each label. */
  labels: LabelLearned[];
  /** Labels that could not be learned, and why. */
  failed: LabelFailed[];
  /** Stretches that are most worth a look, the first one most. */
  review: ReviewStretch[];
  /** Time taken with all that was read and written. [s] */
  seconds: number;
}

/** A unit of length in a motion file. */
export type LengthUnit =
  | "auto"
  | "m"
  | "cm"
  | "mm"
  | "in"
  | "cmu";

/** What there is in a library. */
export interface LibraryShown {
  /**  */
  clips: number;
  /**  */
  frames: number;
  /**  */
  seconds: number;
  /**  */
  labels: string[];
  /** How the graph in use was made. */
  recipe: unknown | null;
  /** What can't be read, in words. */
  damage: string[];
  /**  */
  skeletons: SkeletonListed[];
  /**  */
  artefacts: ArtefactListed[];
}

/** Asks for all stretches like one. */
export interface Like {
  /** The example: `NAME[2.0s..4.5s]`, or a whole clip. */
  example: string;
  /** Mean error of the frames of a stretch and of what it was found by. [cm, > 0, at most 1000] */
  error_cm: number;
  /** How often what was found is asked for in turn; 0 compares with the example alone. [0 to 1000] */
  steps: number;
  /** Most stretches that are looked for. [1 to 1000000] */
  most: number;
  /** What frames are compared by; its error is not used. */
  recipe: ClusterRecipe;
}

/** Stretches that were found. */
export interface LikeFound {
  /** By how many lie between each and the example, then by error. */
  found: LikeStretch[];
  /** Time taken, with reading the clips. [s] */
  seconds: number;
}

/** A stretch that does the same. */
export interface LikeStretch {
  /** Whose frames. */
  clip: string;
  /** From. [s] */
  from: number;
  /** To, half-open. [s] */
  to: number;
  /** Mean error of its frames and of those that it was found by. [cm] */
  error_cm: number;
  /** What lies between it and the example, as it would be selected. */
  through: string[];
}

/** Clips of a library. */
export interface Listed {
  /** In the library's order. */
  clips: ListedClip[];
}

/** A clip as it is listed. */
export interface ListedClip {
  /** Its name. */
  name: string;
  /** How many frames it has. */
  frames: number;
  /** Its rate. [frames/s] */
  fps: number;
  /** Its length. [s] */
  seconds: number;
  /** What it is as a whole: walk, run, jump, stand or other. */
  type: string;
  /** Shares of its frames of each type, to three digits; none of 0. */
  shares: Record<string, number>;
  /** The labels that it carries somewhere. */
  labels: string[];
}

/** Asks for a clip that is repeated. If nothing says for how long, two cycles. */
export interface Loop {
  /** The clip, or the part of it that loops are looked for in. */
  clip: string;
  /** How many cycles; parts of one too. [> 0, at most 100000] */
  cycles: number | null;
  /** Until so much time has passed. [s, > 0, at most 600] */
  seconds: number | null;
  /** Until the root has gone so far over ground. [m, > 0, at most 7200] */
  metres: number | null;
  /** Let the way back lead over other clips. */
  through: boolean;
  /** Which of the loops that `loops` lists, from 1 on; if not said, of the best ones that which turns as the clip does. [1 to 1000000] */
  choice: number | null;
  /** Length of the blends, where the clip allows it; if not said, as long as frames stay alike, up to a second. [s, > 0, at most 10] */
  blend: number | null;
  /** How frames are clustered. */
  recipe: ClusterRecipe;
}

/** Asks for the ways of a clip into itself. */
export interface Loops {
  /** The clip, or a part of it. */
  clip: string;
  /** Those over other clips, instead of those within the clip. */
  through: boolean;
  /** How many to list. [1 to 100000] */
  count: number;
  /** How frames are clustered. */
  recipe: ClusterRecipe;
}

/** Says how frames of a clip may be used. */
export interface Mark {
  /** The clip. */
  clip: string;
  /** From there; from the start if it is left open. [s, 0 to 1000000] */
  from: number | null;
  /** To there; to the end if it is left open. [s, 0 to 1000000] */
  to: number | null;
  /** What holds for them. */
  rule: MarkRule;
  /** With bias: how much they are sought (above 0) or avoided, against what a wrong label costs. [-100 to 100] */
  bias: number | null;
}

/** How frames may be used. */
export type MarkRule =
  | "exclude"
  | "no_entry"
  | "bias"
  | "clear";

/** How a clip's frames may be used. */
export interface Marked {
  /** The clip. */
  clip: string;
  /** All stretches with rules. */
  uses: UseTimes[];
}

/** Asks for the error of every transition from one clip to another. */
export interface Matrix {
  /** The clip that is left, down the picture. */
  a: string;
  /** The clip that is entered, across it. */
  b: string;
  /** Mark minima up to this error. [cm, > 0, at most 1000] */
  threshold_cm: number;
  /** Length of the compared windows. [s, > 0, at most 60] */
  window: number;
}

/** A matrix that was drawn. */
export interface MatrixDrawn {
  /** The picture's file, if it was written. */
  file: string | null;
  /** Minima up to the threshold. */
  minima: number;
  /** The least error. [cm] */
  least_cm: number;
  /** The best minima, best first. */
  best: MatrixMinimum[];
}

/** A local minimum of the error: a good place for a transition. */
export interface MatrixMinimum {
  /** Where the first clip is left, in the window's middle. [s] */
  from: number;
  /** Where the second one is entered. [s] */
  to: number;
  /** The error there. [cm] */
  error_cm: number;
}

/** Asks for the pieces to be put together and the graph to be stored. */
export interface MergeTiles {
  /** The plan. */
  plan: string;
  /** The folder with the results. */
  folder: string;
}

/** A moment of a clip. */
export interface Moment {
  /** The clip. */
  clip: string;
  /** Since its start. [s] */
  time: number;
}

/** A motion file, and what it does not say itself. */
export interface MotionFile {
  /** The file. */
  file: string;
  /** Its unit of length. */
  unit: LengthUnit;
  /** Take a file that is cut off as far as it goes. */
  partial: boolean;
  /** Which animation of a file with several; the first that moves if it is left open. */
  take: string | null;
  /** A JSON file that says which joint is which body part. */
  map: string | null;
  /** The rate at capture, where the file is wrong about it or silent. [frames/s, 1 to 1000] */
  source_fps: number | null;
}

/** The head of motion in bytes. */
export interface MotionHead {
  /** The job that makes it; none of a clip or a pose. */
  job: number | null;
  /** The stamp of the call that a pose answers. */
  stamp: number | null;
  /** Frames a second. */
  fps: number;
  /** The first one's number. */
  first: number;
  /** How many. */
  frames: number;
  /** Points in each. */
  points: number;
  /** Height of the floor. [m] */
  floor: number;
  /** Speed over the ground, of a pose. [m/s] */
  speed: number | null;
  /** How long the last new direction took, of a pose. [s] */
  reaction: number | null;
  /** What it looks like; with the first frames alone. */
  body: Body | null;
}

/** A motion to change. */
export type MotionInput =
  | { file: MotionFile }
  | { clip: string };

/** How a figure is to move. By default it faces where it goes and walks upright on the floor, unless labels say otherwise. */
export interface Moving {
  /** Which way it faces. */
  facing: FacingWish;
  /** How fast it goes; left to the library if it is left open. [m/s, > 0, at most 20] */
  speed: number | null;
  /** Labels, or types, that its motion had better carry, though it need not. */
  style: string[];
}

/** A node of a cluster graph. */
export interface NodeListed {
  /** Its number. */
  node: number;
  /** Which feet are planted, and were before: L, LB, LN, R, RB, RN, N, B. */
  state: string;
  /** The highest merge within it. [cm] */
  error_cm: number;
  /** Its sequences. */
  sequences: SequenceListed[];
  /** Nodes that it leads to. */
  next: number[];
  /** Nodes that lead to it. */
  previous: number[];
}

/** An objective, as a word. */
export type ObjectiveWord =
  | "torques"
  | "acceleration"
  | "time"
  | "distance";

/** Something across the way. */
export interface ObstacleWish {
  /** From where the walk begins. [m, -100000 to 100000] */
  at: number;
  /** [m, 0 to 10] */
  height: number;
  /** Along the way. [m, 0 to 100] */
  depth: number;
}

/** Something that a motion does though nobody asked for it. */
export interface OddMotion {
  /** What. */
  what: unknown;
  /** For how long; 0 of an end in mid-step. [s] */
  seconds: number;
}

/** A library to open or to make. */
export interface OpenLibrary {
  /** The name of its file, beside the one that is open. */
  library: string;
  /** Make an empty one of that name. */
  create: boolean;
}

/** Where made or exported motion goes. */
export interface Output {
  /** The motion file: `.bvh`, `.amc` (with an `.asf` beside it), `.glb`, `.fbx` or `.usda`. What is judged is read back, which `.usda` is not: made motion is written to another first. */
  file: string;
  /** The same motion in files of other formats. They are not judged. */
  also: string[];
  /** Unit of length in a `.bvh` or `.amc` file; centimetres, or the source's, if it is left open. */
  unit: LengthUnit;
  /** The motion as stick figures, a PNG. */
  picture: string | null;
  /** Replace what would else be kept: the file that is read, a skeleton file of other motion. */
  force: boolean;
  /** The way asked for and the way walked, from above, a PNG. */
  plan_picture: string | null;
  /** The motion as a page that plays it, one HTML file. */
  page: string | null;
  /** The user's own character or skeleton that gets the motion. A `.glb` one in a `.glb` file keeps its mesh and materials. */
  onto: string | null;
}

/** A page that was written. */
export interface PageWritten {
  /** Its file. */
  page: string;
  /** The figures on it, in their order. */
  figures: string[];
}

/** How good paths are. */
export interface PathsTold {
  /** Half of the relative lengths are below. */
  median: number;
  /** 95 % of them are below. */
  p95: number;
  /** Share above 1.1. */
  above_1_1: number;
  /** Share above 1.25. */
  above_1_25: number;
  /** Pairs of places that a free way joins. */
  samples: number;
  /** Of them, pairs that no motion joins. */
  unreached: number;
  /** Pairs that no free way joins. */
  closed_off: number;
  /** Between which values the true ones lie, with 95 %. */
  intervals: Intervals;
  /** States that a search looked at, in the mean. */
  expanded: number;
}

/** Asks for a score to be performed. If nothing says for how long to search, a number of iterations that takes a few seconds. */
export interface Perform {
  /** What should happen when. */
  score: unknown;
  /** Restarts of the search; the same number and seed give the same motion. [1 to 1000000] */
  iterations: number | null;
  /** Search for so long instead. [s, > 0, at most 86400] */
  seconds_budget: number | null;
  /** Blocks that a restart begins with: 0.53, 0.27 or 0.13, whichever is nearest. [s, > 0, at most 10] */
  block: number;
  /** Look for the best motion of all at the end, where library and score are small enough. */
  exact: boolean;
  /** Give the nearest that was found, also where the library can't do what is asked. */
  best_effort: boolean;
  /** Look at the score's file while searching, and go on with what it says then. */
  watch: boolean;
}

/** What performing tells of itself. */
export interface PerformDetails {
  /** Painted entries, in the score's order, by the labels of the frames that play. */
  entries: unknown[];
  /** Places, in the order of time. */
  places: unknown[];
  /** Poses, in the order of time. */
  poses: unknown[];
  /** Stretches that no captured frame does as asked. */
  missing: unknown[];
  /** Cost of the motion: paint, joins and places. */
  cost: number;
  /** What the best motion of all costs, where it was looked for; places do not count in it. */
  bound?: number | null;
  /** Paint and joins of what the search had found, to be held against that. */
  searched?: number | null;
  /** Restarts of the search. */
  iterations: number;
  /** When better ones were found. */
  better: BetterFound[];
  /** Time taken to make the footage ready, which is kept. [s] */
  prepared_s: number;
  /** Time taken by the search. [s] */
  searched_s: number;
}

/** Asks for the best motion for a task. */
export interface Plan {
  /** What is to be done: start, goal, sketch, constraints. */
  task: unknown;
  /** Longest to search, instead of the task's own. [s, > 0, at most 86400] */
  seconds: number | null;
  /** Most states to expand: unlike time, the same on every machine. [1 to 1000000000000] */
  expansions: number | null;
  /** Stop as soon as the plan is proven to cost at most so many times the least. [1 to 1000] */
  bound: number | null;
  /** Which lower bound leads the search. */
  guidance: GuidanceWord;
  /** Most steps of a plan that interpolate two paths, none if left out. [0 to 255] */
  interpolation: number | null;
  /** How the library's graph of contact changes is built. */
  recipe: ContactRecipe;
}

/** What planning tells of itself. */
export interface PlanDetails {
  /** Each better plan, or better bound, in order. */
  solutions: SolutionFound[];
  /** How the constraints were met in the motion, in order; the goal last. */
  constraints: ConstraintMet[];
  /** Why the search ended. */
  ended: PlanEnd;
  /** The graph that was searched. */
  graph: GraphSearched;
}

/** Why a search ended. */
export type PlanEnd =
  | "optimal"
  | "good_enough"
  | "out_of_budget"
  | "out_of_memory"
  | "stopped";

/** Asks for a build to be cut into pieces. */
export interface PlanTiles {
  /** The graph that is to be built. */
  recipe: unknown;
  /** Frames of motion on a side of a piece. [1 to 100000000] */
  size: number;
}

/** When feet are planted, from and to. [s] */
export interface PlantTimes {
  /**  */
  left: number[][];
  /**  */
  right: number[][];
}

/** Asks for a script to be played. */
export interface PlayStory {
  /** The script; names in it are paths from its folder. */
  story: string;
  /** Its text, where that is not what the file says. */
  text: string | null;
  /** Play this action alone, `ACTION` or `ACTOR.ACTION`, instead of the story. */
  action: string | null;
}

/** A part of a clip that plays. */
export interface PlayedPart {
  /** Which clip. */
  clip: string;
  /** Where it starts in it. [s] */
  from: number;
  /** Where it ends in it. [s] */
  to: number;
  /** Whether it was asked for, or only leads from one that was to another. */
  asked: boolean;
  /** How much of what was asked for is left out before it, and after it. [s] */
  left_out: number[];
  /** How far it turns, to the left. [degrees] */
  turns: number;
}

/** Asks for a page that plays several motions. */
export interface PlayerPage {
  /** What stands above them. */
  title: string;
  /** Clips of the library. */
  captured: string[];
  /** Motion files. */
  made: string[];
}

/** Asks for motion that ends in a clip. */
export interface Reach {
  /** The clip: `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`. */
  clip: string;
  /** Where its root is to be at its first frame, x and z. [m, -100000 to 100000] */
  at: number[];
  /** Which way it is to face there; any if it is left open. [degrees, -36000 to 36000] */
  heading: number | null;
  /** Where to start, and in which direction. */
  from: Standpoint;
  /** Up to the clip use only motion with these labels, or of these types. */
  as: string[];
  /** How the figure is to move up to the clip. */
  moving: Moving;
  /** Whether it begins in a stand. */
  from_stand: unknown;
  /** Farthest from the place that still counts as there. [m, > 0, at most 1000] */
  tolerance: number;
  /** Give the nearest that was found, also where it is farther. */
  best_effort: boolean;
}

/** What reaching tells of itself. */
export interface ReachDetails {
  /** How far the root is from the place. [m] */
  place_error_m: number;
  /** How far it faces another way. [degrees] */
  place_error_deg: number;
  /** How far off the place it was before the correction. [m] */
  place_error_before_warp_m: number;
  /** When it is there. [s] */
  at: number;
  /** The clip. */
  clip: string;
  /** Where its part that plays begins. [s] */
  from: number;
  /** Where it ends. [s] */
  to: number;
  /** What was not asked for, longest first. */
  oddities: OddMotion[];
}

/** From a new direction to moving within 30 degrees of it, over half an hour of random ones. [s] */
export interface ReactionTimes {
  /**  */
  median: number;
  /**  */
  p90: number;
  /**  */
  p95: number;
  /** The least that captured motion and transitions alone would allow. */
  bound_median: number;
  /**  */
  bound_p95: number;
  /** How many directions were timed. */
  wishes: number;
  /** Of how many the figure moved that way already. */
  kept: number;
  /** How many were not reached before the next. */
  given_up: number;
}

/** Who motion is written for. */
export interface Receiver {
  /** Axes, unit, root and order of angles as this program takes them. */
  for: unknown | null;
  /** A character or skeleton that gets the motion, as [`Output::onto`]. */
  onto: string | null;
}

/** Asks for a clip to be renamed, or several. */
export interface Rename {
  /** The clip, or a pattern with one `*`. */
  clip: string;
  /** Its new name; of a pattern, with a `*` for what that stood for. */
  name: string;
}

/** Asks for all clips on one skeleton, in place of what they were captured on. */
export interface Retarget {
  /** A clip whose skeleton they get, a skeleton of the library by its name, or a motion file. */
  skeleton: string;
}

/** What was changed. */
export interface Retargeted {
  /** The clips that had another skeleton. */
  clips: RetargetedClip[];
}

/** A clip that had another skeleton. */
export interface RetargetedClip {
  /** Its name. */
  name: string;
  /** How its skeleton differed. */
  was: string;
}

/** A stretch that is worth a look. */
export interface ReviewStretch {
  /** The clip. */
  clip: string;
  /** The label. */
  label: string;
  /** From. [s] */
  from: number;
  /** To. [s] */
  to: number;
  /** That it carries the label, in the mean of its frames. [0 to 1] */
  probability: number;
  /** How uncertain and how unlike what was taught it is. [0 to 2] */
  worth: number;
}

/** Asks for the body parts of a library's skeletons, and says what some joints are. */
export interface Roles {
  /** What some joints are. */
  set: JointRole[];
}

/** The skeletons of a library. */
export interface RolesShown {
  /** One by one. */
  skeletons: SkeletonRoles[];
}

/** The root elsewhere at a moment, and less and less so before and after it. */
export interface RootKey {
  /** When. [s, 0 to 1000000] */
  at: number;
  /** By how much. */
  by: Shift;
}

/** Asks for some of the pieces to be done. */
export interface RunTiles {
  /** The plan. */
  plan: string;
  /** Which pieces: numbers and half-open ranges, such as `0..10,12`; all that are not done if it is left open. */
  pieces: string | null;
}

/** What a page says without being asked. */
export type Said =
  | { say: "begin" }
  | { say: "steer"; seconds: number; degrees: number; label: string | null; stamp: number }
  | { say: "end" };

/** What is said of a stretch and a label. */
export type Say =
  | "is"
  | "is_not"
  | "unsure"
  | "unsure_not"
  | "nothing";

/** A scene that was played. */
export interface ScenePlayed {
  /** As written. */
  name: string;
  /** Its folder in the one that was asked for. */
  folder: string;
  /** How long it is. [s] */
  seconds: number;
  /** When everything happens, in the order in which it is written. */
  actions: ActionPlayed[];
  /** Who is in it. */
  actors: ActorPlayed[];
  /** All actors and the camera in one file. */
  scene_file: string;
  /** Moments of it, as the camera sees them. */
  strip_file: string;
  /** All ways from above. */
  plan_file: string;
  /** The same as a video, where `ffmpeg` is at hand. */
  video_file: string | null;
}

/** Asks for the schema of a file. */
export interface Schema {
  /** What the file is called: a name of [`SCHEMAS`]. */
  name: string;
}

/** What a search did. */
export interface SearchDetails {
  /** States whose successors were tried. */
  expanded: number;
  /** Squared distances summed over frames, and what was added. [m²] */
  error_m2: number;
}

/** A clip-frame sequence. */
export interface SequenceListed {
  /** Its number, to choose it by. */
  sequence: number;
  /** Whose frames. */
  clip: string;
  /** From. [s] */
  from: number;
  /** To, half-open. [s] */
  to: number;
  /** Where motion leaves it for another of the node. [s] */
  aligned: number;
  /** How unlike it is to the node's first sequence there. [cm] */
  error_cm: number;
  /** The node that its clip leads to; none where the clip ends. */
  next: number | null;
}

/** What a page needs to know first. */
export interface Session {
  /** The library that is open, by its file's name. */
  library: string;
  /** Libraries beside it that can be opened. */
  libraries: string[];
  /** Whether a newcomer is to be shown around. */
  tour: boolean;
  /** The program's version. */
  version: string;
  /** What can be undone, and done again. */
  history: History;
}

/** How much of a label set is kept. */
export interface SetKept {
  /** The labels. */
  labels: string;
  /** Frames that carry them. */
  frames: number;
  /** Of them, frames in the graph. */
  kept: number;
}

/** One set of clips in the world. */
export interface SetSurveyed {
  /** What it is called. */
  name: string;
  /** Frames of its clips. */
  source_frames: number;
  /** Captured frames that its graph plays. */
  graph_frames: number;
  /** Places of the graph where one may choose. */
  choices: number;
  /** Ways from choice to choice. */
  moves: number;
  /** States of the embedded graph: cell, heading and choice. */
  nodes: number;
  /** Its links. */
  links: number;
  /** States of the components that are not kept, largest first. */
  other_components: number[];
  /** Links that are not there, and why. */
  culled: unknown;
  /** Share of edit regions that hold no cell's middle. */
  empty_edit_share: number;
  /** What it was said to take at most. [MB] */
  memory_mb: number;
  /** Covered share of the free places. */
  coverage_xz: number;
  /** Covered share of the free places with headings. */
  coverage_xza: number;
  /** How much longer paths are than they need be. */
  paths: PathsTold;
  /** Time taken. [s] */
  seconds: SurveySeconds;
}

/** A change on the ground. */
export interface Shift {
  /** [m, -100000 to 100000] */
  x: number;
  /** [m, -100000 to 100000] */
  z: number;
  /** To the left, about where the root is. [degrees, -36000 to 36000] */
  turn: number;
}

/** Asks what is known of a clip. */
export interface ShowClip {
  /** The clip. */
  clip: string;
}

/** Asks what there is in a library. */
export interface ShowLibrary {
}

/** A skeleton of a library. */
export interface SkeletonListed {
  /** Its name. */
  name: string;
  /** How many joints it has. */
  joints: number;
  /** How many clips have it. */
  clips: number;
  /** Length of a leg, if it has any. [m] */
  leg_m: number | null;
}

/** A skeleton's joints. */
export interface SkeletonRoles {
  /** Its name. */
  name: string;
  /** How many clips have it. */
  clips: number;
  /** Every joint's body part, if it has one. */
  joints: Record<string, string | null>;
}

/** A skeleton joint by joint. */
export interface SkeletonShown {
  /** In the order of the skeleton. */
  joints: JointShown[];
  /** How many end sites there are. */
  end_sites: number;
  /** Length of a leg, if it has any. [m] */
  leg_m: number | null;
}

/** A plan that was found. */
export interface SolutionFound {
  /** When. [s] */
  seconds: number;
  /** What it costs: about a second of average motion each. */
  cost: number;
  /** It costs at most so many times what the best plan costs. */
  bound: number;
  /** Factor on the heuristic. */
  epsilon: number;
  /** States expanded until then. */
  expanded: number;
}

/** How long each stage took. [s] */
export interface StageSeconds {
  /**  */
  distance: number;
  /**  */
  minima: number;
  /**  */
  transitions: number;
  /**  */
  total: number;
}

/** Stairs, a foot to a tread. */
export interface StairsWish {
  /** From a tread to the next; down where it is negative. [m, -5 to 5] */
  rise: number;
  /** How deep a tread is. [m, > 0, at most 100] */
  tread: number;
  /** Where the first edge is, from where the walk begins; after two steps if it is left open. [m, -100000 to 100000] */
  from: number | null;
}

/** Whether motion begins and ends in a stand: by default where the library can. */
export interface Standing {
  /** At its beginning. */
  from_stand: unknown;
  /** At its end. */
  to_stand: unknown;
}

/** A place on the ground and a heading. */
export interface Standpoint {
  /** To the left of a figure that faces along z. [m, -100000 to 100000] */
  x: number;
  /** [m, -100000 to 100000] */
  z: number;
  /** 0 looks along +z, 90 along +x. [degrees, -36000 to 36000] */
  heading: number;
}

/** A moment of a clip. */
export interface Start {
  /** The clip. */
  clip: string;
  /** Its time. [s, 0 to 1000000] */
  seconds: number;
}

/** How quick a controller is. */
export interface SteeringTimes {
  /** The longest call of the controller in ten minutes of random directions, each call at its fastest in three equal drives. [ms] */
  worst_call_ms: number;
  /** The same in one drive, with whatever else the computer did. [ms] */
  worst_call_with_interruptions_ms: number;
  /** How long a new direction takes. */
  reaction_s: ReactionTimes;
}

/** A step. */
export interface StepReport {
  /** `left` or `right`. */
  foot: string;
  /** As captured. [m] */
  captured_m: number;
  /** As it was to be; none of footprints. [m] */
  asked_m: number | null;
  /** As it is. [m] */
  made_m: number;
}

/** What is wrong with a script. */
export interface StoryChecked {
  /** What keeps it from being played, in the order of places. */
  errors: StoryProblem[];
  /** What is done otherwise than written. */
  warnings: StoryProblem[];
  /** Who can play. */
  actors: number;
  /** What they can do. */
  actions: number;
  /** What is played. */
  scenes: number;
}

/** A script in its usual form. */
export interface StoryFormatted {
  /** The text. */
  text: string;
  /** Whether it was otherwise. */
  changed: boolean;
}

/** A story that was played. */
export interface StoryPlayed {
  /** Scenes in the order in which they are played. */
  scenes: ScenePlayed[];
  /** Filters that were worked on. */
  computed: unknown[];
  /** Filters whose motion was kept from before. */
  cached: unknown[];
  /** What is done otherwise than written. */
  warnings: StoryProblem[];
  /** Time taken for all motion, without writing. [s] */
  compute_seconds: number;
}

/** Something that is wrong in a script. */
export interface StoryProblem {
  /** The script, or the one that it imports. */
  file: string;
  /** [1..] */
  line: number;
  /** [1..] */
  column: number;
  /** What is wrong. */
  message: string;
  /** What would help. */
  hint: string | null;
}

/** A part of a motion. */
export interface Stretch {
  /** [s, 0 to 1000000] */
  from: number;
  /** [s, > 0, at most 1000000; after `from`] */
  to: number;
}

/** Asks for a walk with other steps. Nothing asked gives the walk back. */
export interface Stride {
  /** What to change: a walk, or a part of one. */
  input: MotionInput;
  /** How long steps are, in parts of the captured. [> 0, at most 10] */
  stride: number;
  /** The same in metres, in the mean. [m, > 0, at most 10] */
  stride_m: number | null;
  /** How high feet are lifted, in parts of the captured. [> 0, at most 20] */
  lift: number;
  /** The same in metres, in the mean. [m, > 0, at most 5] */
  lift_m: number | null;
  /** What is added to the factor of each step after the first. [-10 to 10] */
  ramp: number;
  /** Come to the stride that is asked for step by step, from the captured one. */
  ramp_to: boolean;
  /** Walk exactly so far, repeating or cutting the clip. [m, > 0, at most 10000] */
  metres: number | null;
  /** Begin out of a stand, over so many steps. [0 to 1000] */
  from_stand: number;
  /** End in a stand, over so many steps. [0 to 1000] */
  to_stand: number;
  /** Walk so many times as fast, half by longer steps and half by quicker ones. [0.25 to 4] */
  speed: number;
  /** Walk a curve of this radius, to the left; to the right if it is negative. [m, -100000 to 100000, not 0] */
  radius: number | null;
  /** Walk up a slope, or down where it is negative. [degrees, -30 to 30] */
  incline: number;
  /** Walk on stairs. */
  stairs: StairsWish | null;
  /** Walk on uneven ground. */
  terrain: HeightGrid | null;
  /** Step over these. */
  obstacles: ObstacleWish[];
  /** Step on these, one for each footfall; strides, ramps and curves don't count then. */
  footprints: FootprintWish[];
  /** Don't put feet still before anything is changed. */
  leave_feet: boolean;
}

/** What a change of stride tells of itself. */
export interface StrideDetails {
  /** Mean factor of the steps. */
  factor: number;
  /** Factor of the lift. */
  lift: number;
  /** Every step. */
  steps: StepReport[];
  /** How far it goes, from the root's first place to its last. [m] */
  metres: number;
  /** Most that hips were lowered so that legs reach. [m] */
  lowered_m: number;
  /** Farthest that a planted foot is from the surface. [mm] */
  planted_off_mm: number;
  /** Deepest that a sole is below the surface. [mm] */
  through_mm: number;
  /** Where the first edge of stairs is, from where the walk begins. [m] */
  first_edge_m?: number | null;
}

/** Asks what a library's motion can do in a world. */
export interface Survey {
  /** The world. */
  world: unknown;
  /** Only clips whose names fit one of these, in which `*` stands for anything; all if there are none. */
  clips: string[];
  /** The graph, and how it is embedded. */
  embed: EmbedRecipe;
  /** A place is covered if motion passes that near. [m, > 0, at most 100] */
  epsilon_m: number;
  /** The turn that counts as much as a metre. [degrees, > 0, at most 36000] */
  turn_per_metre_deg: number;
  /** Pairs of places between which paths are sought. [1 to 10000000] */
  samples: number;
  /** Other sets of clips to put beside it. */
  compare: SurveySet[];
  /** Other editing sizes to try. [cm and degrees for a metre, 0 to 1000] */
  edits: number[];
  /** Other widths of cells to try, headings in proportion. [m, 0.01 to 100] */
  cells: number[];
  /** Whether to try what could be captured next. */
  suggest: boolean;
}

/** A survey that was made. */
export interface SurveyMade extends SetSurveyed {
  /** Places and headings that no motion comes near, worst first. */
  holes: HoleFound[];
  /** Where what can be done. */
  capabilities: Capability[];
  /** How long it takes to get from doing one thing to another. */
  switches: unknown[];
  /** What to capture next, best first. */
  suggestions: unknown[];
  /** Other clips or libraries in the same world, with the same pairs of places. */
  compare: SetSurveyed[];
  /** The same with other editing sizes. */
  edits: EditSurveyed[];
  /** The same on other grids. */
  cells: CellSurveyed[];
  /** What a person should know. */
  warnings: string[];
}

/** Where time went. */
export interface SurveySeconds {
  /**  */
  graph: number;
  /**  */
  embed: number;
  /**  */
  coverage: number;
  /**  */
  paths: number;
}

/** A set of clips to compare with. */
export interface SurveySet {
  /** What it is called. */
  name: string;
  /** The clips, by names or patterns; all if there are none. */
  clips: string[];
  /** Another library. */
  library: string | null;
}

/** A threshold between two label sets. */
export interface Threshold {
  /** One set. */
  a: string;
  /** The other. */
  b: string;
  /** Largest error of a transition between them. [cm] */
  threshold_cm: number;
}

/** What a threshold gives. */
export interface ThresholdGives {
  /** The threshold. [cm] */
  threshold_cm: number;
  /** Transitions. */
  transitions: number;
  /** Share of the frames that are connected. */
  share: number;
  /** Mean error of the transitions. [cm] */
  mean_error_cm: number;
}

/** A start and a goal in a world. */
export interface Through {
  /** The world. */
  world: unknown;
  /** Where it starts. [m, -100000 to 100000] */
  from: number[];
  /** Where it ends. [m, -100000 to 100000] */
  to: number[];
  /** The heading to start with, if it matters. [degrees, -36000 to 36000] */
  from_heading: number | null;
  /** The heading to end with, if it matters. [degrees, -36000 to 36000] */
  to_heading: number | null;
  /** The graph, and how it is embedded. */
  embed: EmbedRecipe;
}

/** What a way through a world tells of itself. */
export interface ThroughDetails {
  /** Of the root's way. [m] */
  length_m: number;
  /** Of the shortest free way. [m] */
  shortest_m: number;
  /** States of the embedded graph. */
  nodes: number;
  /** Its links. */
  links: number;
  /** Moves that were strung together. */
  moves: number;
  /** What these were bent by, as a share of what is allowed, in the mean. */
  edit_share: number;
}

/** A graph that was put together. */
export interface TilesMerged {
  /** How many pieces there were. */
  pieces: number;
  /** Transitions under their threshold, before pruning. */
  transitions: number;
  /** Nodes of the graph. */
  nodes: number;
  /** Edges of the graph. */
  edges: number;
  /** Share of all frames in it. */
  component_share: number;
}

/** A plan that was written. */
export interface TilesPlanned {
  /** The plan. */
  plan: string;
  /** How many pieces there are. */
  pieces: number;
}

/** Pieces that were done. */
export interface TilesRun {
  /** Now. */
  done: number;
  /** Before. */
  already_there: number;
}

/** A moment that happens at another time. */
export interface TimeMark {
  /** When it happens as it is. [s, 0 to 3600] */
  at: number;
  /** When it shall happen. [s, 0 to 3600] */
  then: number;
}

/** What a page is told without asking. */
export type Told =
  | { event: "job"; job: Job }
  | { event: "note"; job: number; words: string }
  | { event: "library"; history: History }
  | { event: "steering"; body: Body; words: string[] }
  | { event: "no_steering"; failure: Failure }
  | { event: "missed" };

/** Asks for the best ways from one clip into another. */
export interface Transitions {
  /** The clip to leave. */
  from: string;
  /** The clip to enter. */
  to: string;
  /** Leave about here. [s, 0 to 1000000] */
  near: number | null;
  /** Enter before what happens here. [s, 0 to 1000000] */
  into: number | null;
  /** How many to list. [1 to 100000] */
  count: number;
  /** How frames are clustered. */
  recipe: ClusterRecipe;
}

/** The axis that points up in a motion file. */
export type Up =
  | "auto"
  | "x"
  | "y"
  | "z";

/** A file that was uploaded. */
export interface Uploaded {
  /** The name that requests know it by. */
  file: string;
  /** Its size. */
  bytes: number;
}

/** A stretch with a rule. */
export interface UseTimes {
  /** From. [s] */
  from: number;
  /** To. [s] */
  to: number;
  /** What holds. */
  rule: MarkRule;
  /** How much they are sought or avoided, with bias. */
  bias?: number | null;
}

/** Says that frames of which nothing was said do not carry a label: whoever marked these clips looked at all of them. */
export interface VerifyLabels {
  /** Clips, by name or pattern. */
  clips: string[];
  /** Labels; all that the library knows if none is named. */
  labels: string[];
}

/** Asks for motion that wanders and uses the library evenly. */
export interface Wander {
  /** How long. [s, > 0, at most 1000000] */
  seconds: number;
  /** Use only motion with these labels, or of these types, and what joins it where it leads nowhere. */
  as: string[];
  /** How the figure is to move. */
  moving: Moving;
}

/** What wandering tells of itself. */
export interface WanderDetails {
  /** What was not asked for, longest first. */
  oddities: OddMotion[];
  /** How evenly the library is used. */
  evenness: unknown;
}

/** How much a way was bent. People put up with 0.25 m and 25 degrees a metre. */
export interface Warped {
  /** Farthest that a frame was moved. [m] */
  moved_m: number;
  /** Farthest that a frame was turned. [degrees] */
  turned_deg: number;
  /** Most that it was moved on a metre. [m/m] */
  moved_a_metre: number;
  /** Most that it was turned on a metre. [degrees/m] */
  turned_a_metre_deg: number;
}

/** A way from clip to clip. */
export interface WayFound {
  /** The last frame that plays before the first leap. */
  from: Moment;
  /** The first frame that plays after the last one. */
  to: Moment;
  /** How unlike the frames are where it leaps, all leaps together. [cm] */
  error_cm: number;
  /** Clips in between. */
  through: string[];
  /** Time between the first leap and the last; of a loop, a cycle. [s] */
  seconds: number;
  /** How it answers what was asked: `exact`, `direct`, `through`. */
  kind: string;
  /** Every change of clip on the way. */
  leaps: LeapFound[];
}

/** Ways that were found, the best first. */
export interface WaysFound {
  /** In the order in which a person would try them. */
  found: WayFound[];
}

/** A direction that is wanted from some time on. */
export interface Wish {
  /** From then on; before the first one the figure goes along +z. [s, 0 to 100000] */
  at: number;
  /** Where to: 0 goes along +z, 90 along +x. [degrees, -36000 to 36000] */
  degrees: number;
  /** As what; `None` leaves it open. */
  label: string | null;
}

/** Asks for the sample clips as BVH files. */
export interface WriteSamples {
  /** Only clips of these names; all if there are none. */
  only: string[];
}

/** Asks for the sample clips that plans are tried on as BVH files: walks, picks at five heights and three reaches with either hand, steps and jumps of several lengths. */
export interface WriteTaskSamples {
  /** Only clips of these names; all if there are none. */
  only: string[];
}

/** What is said of an option: its words, its unit and range, and its type. */
export interface OptionSaid {
  words: string;
  range: string;
  kind: string;
}

/** What is said of the options of every request. */
export const OPTIONS: Record<string, Record<string, OptionSaid>> = {
  Bake: {
    error_mm: { words: "Farthest that a joint may be from where it was captured.", range: "mm, > 0, at most 1", kind: "number" },
  },
  BuildGraph: {
    recipe: { words: "What it is made of and how.", range: "", kind: "GraphRecipe" },
    rebuild: { words: "Build anew even if the graph is there.", range: "", kind: "boolean" },
  },
  Check: {
    repair: { words: "Remove what can't be read; what was made from clips is made again when it is asked for.", range: "", kind: "boolean" },
  },
  CheckStory: {
    story: { words: "The script; names in it are paths from its folder.", range: "", kind: "string" },
    text: { words: "Its text, where that is not what the file says: an editor's.", range: "", kind: "string | null" },
  },
  Choice: {
    clips: { words: "Names, or patterns with `*` (anything) and `?` (one letter); each must stand for some clip.", range: "", kind: "string[]" },
    search: { words: "Only clips whose name, label or type contains this word, in any case.", range: "", kind: "string | null" },
    type: { words: "Only clips of this type: walk, run, jump or stand, which at least three quarters of their frames are, or other.", range: "", kind: "string | null" },
    min_share: { words: "With a type: clips with at least this share of it, instead of 0.75.", range: "0 to 1", kind: "number | null" },
    label: { words: "Only clips with this label; a type serves where no clip has such a label.", range: "", kind: "string | null" },
  },
  Clean: {
    input: { words: "What to clean.", range: "", kind: "MotionFile" },
    lengthen: { words: "Share of their length by which legs may grow before knees straighten.", range: "0 to 0.1", kind: "number" },
  },
  ClipPictures: {
    picture: { words: "The clip as stick figures, a PNG.", range: "", kind: "string | null" },
    around: { words: "In it every frame around this moment, instead of figures from all of the clip.", range: "s, 0 to 1000000", kind: "number | null" },
    plot: { words: "Heights, speeds and contacts over time, a PNG.", range: "", kind: "string | null" },
    page: { words: "A page that plays the clip, one HTML file.", range: "", kind: "string | null" },
  },
  ClusterRecipe: {
    error_cm: { words: "Largest error within a cluster.", range: "cm, > 0, at most 10000", kind: "number" },
    chains: { words: "Compare these parts of the body and the root alone: chains (`left_leg`, `torso`, ...) or groups of them (`legs`, `arms`, `upper_body`); the whole body if empty.", range: "", kind: "string[]" },
    weights: { words: "Weights of position, velocity and acceleration of `root` and chains, instead of the usual.", range: "0 to 1000", kind: "Record<string, number[]>" },
    tau: { words: "What a velocity is multiplied with, and an acceleration twice, to be a length.", range: "s, > 0, at most 10", kind: "number" },
    absolute: { words: "Compare where figures are and look too.", range: "", kind: "boolean" },
    pair_centres: { words: "Let the mean of the two that merge stand for a cluster, instead of the mean of all its frames.", range: "", kind: "boolean" },
  },
  Clusters: {
    recipe: { words: "How frames are clustered.", range: "", kind: "ClusterRecipe" },
    nodes: { words: "List all nodes with their sequences.", range: "", kind: "boolean" },
    reach: { words: "Say how long it takes at worst to get to each clip.", range: "", kind: "boolean" },
  },
  ConfirmLabels: {
    clip: { words: "The clip.", range: "", kind: "string" },
    labels: { words: "Labels; all that something was learned of if none is named.", range: "", kind: "string[]" },
    from: { words: "From there; from the start if it is left open.", range: "s, 0 to 1000000", kind: "number | null" },
    to: { words: "To there; to the end if it is left open.", range: "s, 0 to 1000000", kind: "number | null" },
  },
  ContactRecipe: {
    threshold_cm: { words: "Largest error of a transition.", range: "cm, > 0, at most 1000", kind: "number" },
    merge_cm: { words: "Largest error between changes of contact that become one; 0 merges none.", range: "cm, 0 to 1000", kind: "number" },
    objective: { words: "What is to be least: torques, acceleration, time, distance.", range: "", kind: "ObjectiveWord" },
    transition: { words: "What a transition at the threshold costs, in seconds of average motion.", range: "0 to 1000", kind: "number" },
  },
  Convert: {
    input: { words: "What to read.", range: "", kind: "MotionFile" },
    receiver: { words: "Who it is for.", range: "", kind: "Receiver" },
    fps: { words: "Resampled to this rate; as it is if it is left open.", range: "frames/s, > 0, at most 1000", kind: "number | null" },
  },
  Crowd: {
    world: { words: "The world: bounds, obstacles, radius.", range: "", kind: "Input" },
    count: { words: "How many characters.", range: "1 to 10000", kind: "number" },
    seconds: { words: "How long.", range: "s, > 0, at most 86400", kind: "number" },
    as: { words: "Styles: each character keeps to one of these labels or types, in turn.", range: "", kind: "string[]" },
    moving: { words: "How they are to move.", range: "", kind: "Moving" },
    embedded: { words: "Walk on the graph embedded into the world: no dead ends, and its regions are kept to.", range: "", kind: "boolean" },
    embed: { words: "How the graph is embedded.", range: "", kind: "EmbedRecipe" },
    force: { words: "Take away characters of an earlier, larger crowd in the folder.", range: "", kind: "boolean" },
  },
  CrowdFiles: {
    folder: { words: "Folder for a motion file a character, a picture and the report.", range: "", kind: "string" },
    scene: { words: "All characters in one glTF file: a skeleton and an animation each.", range: "", kind: "string | null" },
    page: { words: "A page that plays all of them, one HTML file.", range: "", kind: "string | null" },
    onto: { words: "A character or skeleton that all of them get, as [`Output::onto`]; of a `.glb` character each gets a file with its mesh, while `scene` has skeletons alone.", range: "", kind: "string | null" },
  },
  Donor: {
    clip: { words: "The clip, or a part of it as `NAME[2.0s..4.5s]`.", range: "", kind: "string" },
    chains: { words: "Its chains: `left_arm`, `right_arm`, `torso`, `head`, ..., or `arms`, `upper`, `lower`.", range: "", kind: "string[]" },
  },
  Drive: {
    steer: { words: "What is wanted when, in any order; random directions, by the run's seed, if there are none.", range: "", kind: "Wish[]" },
    seconds: { words: "How long.", range: "s, > 0, at most 100000", kind: "number" },
    reaction: { words: "Measure too how soon a new direction is taken, and how long the controller's calls take: an hour of random directions.", range: "", kind: "boolean" },
    moving: { words: "How the figure is to move; other wishes than the usual ones need a table of their own, which is not kept.", range: "", kind: "Moving" },
    stride: { words: "How long steps are, in parts of the captured.", range: "0.05 to 2", kind: "number" },
    lift: { words: "How high feet are lifted, in parts of the captured.", range: "0 to 5", kind: "number" },
    incline: { words: "Walk up a slope from where it begins, or down where it is negative.", range: "degrees, -30 to 30", kind: "number" },
  },
  Edit: {
    input: { words: "What to change.", range: "", kind: "MotionInput" },
    trim: { words: "Only this part of it.", range: "", kind: "Stretch | null" },
    backwards: { words: "Play it backwards.", range: "", kind: "boolean" },
    times: { words: "Let these moments happen sooner or later; what lies before and between them goes faster or slower, what comes after the last of them as it went.", range: "", kind: "TimeMark[]" },
    seams: { words: "Smooth the step into the frames at these times.", range: "s, 0 to 1000000", kind: "number[]" },
    loop_seam: { words: "Let the last frame lead into the first, as of a motion that is repeated.", range: "", kind: "boolean" },
    along: { words: "Bend the root's way along this path, as far as people do not notice.", range: "", kind: "Input | null" },
    to: { words: "Bend the root's way so that it ends there.", range: "", kind: "Goal | null" },
    shifts: { words: "Displace the root at these moments.", range: "", kind: "RootKey[]" },
    keys: { words: "Turn joints at these moments.", range: "", kind: "JointKey[]" },
    place: { words: "Move the whole motion.", range: "", kind: "Shift | null" },
    ease: { words: "How far seams and keys are felt to either side.", range: "s, > 0, at most 600", kind: "number" },
    leave_feet: { words: "Leave feet where the changes bring them, instead of putting plants still again.", range: "", kind: "boolean" },
  },
  EmbedRecipe: {
    graph: { words: "The graph: other than the one in use, it has a minimum clip length.", range: "", kind: "GraphRecipe" },
    cell_m: { words: "Width of a cell.", range: "m, 0.01 to 100", kind: "number" },
    yaw_deg: { words: "Angle between headings.", range: "degrees, 1 to 120", kind: "number" },
    edit: { words: "How far motion may be bent: cm and degrees, for a metre.", range: "0 to 1000", kind: "number" },
    edit_in_time: { words: "The same for a second.", range: "0 to 1000", kind: "number" },
    edit_shape: { words: "Whether to shift and turn to the limit at once.", range: "", kind: "EditShape" },
    connect: { words: "What becomes of motion that can end in no cell's middle.", range: "", kind: "Connect" },
    edit_by_slack: { words: "Whether good transitions may be bent more than poor ones.", range: "", kind: "boolean" },
    margin_m: { words: "Room beyond the world's radius.", range: "m, 0 to 100", kind: "number" },
    memory_mb: { words: "Most memory for the embedded graph and searches in it, beside the library.", range: "MB, 1 to 10000000", kind: "number" },
  },
  Export: {
    clip: { words: "`NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.", range: "", kind: "string" },
    receiver: { words: "Who it is for.", range: "", kind: "Receiver" },
    fps: { words: "Resampled to this rate; as it is if it is left open.", range: "frames/s, > 0, at most 1000", kind: "number | null" },
  },
  ExportLabels: {
    learned: { words: "Those that were learned too, said to be so.", range: "", kind: "boolean" },
  },
  Failure: {
    kind: { words: "What kind of end it is.", range: "", kind: "FailureKind" },
    field: { words: "The request's field that is wrong, if it is a field; the message then starts with its value.", range: "", kind: "string | null" },
    message: { words: "What happened: names the file, the line or the value, and what was expected.", range: "", kind: "string" },
    hint: { words: "What would help; each surface words it in its own terms.", range: "", kind: "Hint | null" },
  },
  Follow: {
    path: { words: "The path.", range: "", kind: "Input" },
    drawing: { words: "How it lies on the ground, if it is a drawing.", range: "", kind: "DrawingOptions" },
    as: { words: "Use only motion with these labels, or of these types, all along it.", range: "", kind: "string[]" },
    closed: { words: "End where the path began.", range: "", kind: "boolean" },
    exact_source: { words: "Leave captured motion where it is: do not warp the root's path.", range: "", kind: "boolean" },
    start: { words: "Where in the library to start; else wherever it fits best.", range: "", kind: "Start | null" },
    moving: { words: "How the figure is to move.", range: "", kind: "Moving" },
    standing: { words: "Whether it begins and ends in a stand.", range: "", kind: "Standing" },
    search: { words: "How the walk is searched for.", range: "", kind: "FollowSearch" },
    through: { words: "Instead of a path: from one place of a world to another, around what stands there.", range: "", kind: "Through | null" },
  },
  FootprintWish: {
    foot: { words: "`left` or `right`.", range: "", kind: "string" },
    x: { words: "Where its ball goes.", range: "m, -100000 to 100000", kind: "number" },
    z: { words: "", range: "m, -100000 to 100000", kind: "number" },
    heading: { words: "Where its toes point; as captured if it is left open.", range: "degrees, -36000 to 36000", kind: "number | null" },
  },
  FormatStory: {
    story: { words: "The script.", range: "", kind: "string" },
    text: { words: "Its text, where that is not what the file says.", range: "", kind: "string | null" },
  },
  Goal: {
    x: { words: "", range: "m, -100000 to 100000", kind: "number" },
    z: { words: "", range: "m, -100000 to 100000", kind: "number" },
    heading: { words: "0 looks along +z, 90 along +x; as it is if it is left open.", range: "degrees, -36000 to 36000", kind: "number | null" },
  },
  Graft: {
    base: { words: "The clip whose legs, root and all else that is not grafted stay.", range: "", kind: "string" },
    donors: { words: "Who gives what.", range: "", kind: "Donor[]" },
    in_step: { words: "How the clips are brought into step.", range: "", kind: "InStep" },
    posture: { words: "How postures are taken over.", range: "", kind: "GraftPosture" },
    blend: { words: "Length of the blend where a graft begins or ends within the base.", range: "s, > 0, at most 60", kind: "number" },
    tempo: { words: "How fast a donor plays that stands, and so keeps its own time.", range: "> 0, at most 100", kind: "number" },
    share: { words: "Share of a clip's frames that must be of one type.", range: "0.5 to 1", kind: "number" },
    force: { words: "Graft against the rules too.", range: "", kind: "boolean" },
    keep: { words: "Keep the graft as a new clip of the library, of this name.", range: "", kind: "string | null" },
  },
  GraftAll: {
    chains: { words: "What donors give.", range: "", kind: "string[]" },
    in_step: { words: "How clips are brought into step.", range: "", kind: "InStep" },
    posture: { words: "How postures are taken over.", range: "", kind: "GraftPosture" },
    blend: { words: "Length of blends.", range: "s, > 0, at most 60", kind: "number" },
    share: { words: "Share of a clip's frames that must be of one type.", range: "0.5 to 1", kind: "number" },
    least_score: { words: "List only what scores this much.", range: "0 to 1", kind: "number" },
    accept: { words: "Keep these as clips of the library, `BASE+DONOR`.", range: "", kind: "string[]" },
    accept_above: { words: "Keep all that score this much.", range: "0 to 1", kind: "number | null" },
    reject: { words: "Never list these again.", range: "", kind: "string[]" },
  },
  GraphPictures: {
    plot: { words: "What other thresholds would give, a PNG.", range: "", kind: "string | null" },
    preview: { words: "The kept transition with the largest error, cleaned, as a PNG or a motion file.", range: "", kind: "string | null" },
  },
  HeightGrid: {
    origin: { words: "Where the first height is: x, z.", range: "m, -100000 to 100000", kind: "number[]" },
    cell: { words: "Distance of neighbours.", range: "m, > 0, at most 1000", kind: "number" },
    heights: { words: "Rows along z, each along x.", range: "m, -10000 to 10000", kind: "number[][]" },
  },
  Import: {
    paths: { words: "Motion files, or folders of them.", range: "", kind: "string[]" },
    fps: { words: "Frames per second in the library; 0 keeps each file's own.", range: "frames/s, 0 to 1000", kind: "number" },
    source_fps: { words: "The rate at capture, where the files are wrong about it.", range: "frames/s, 1 to 1000", kind: "number | null" },
    unit: { words: "The files' unit of length.", range: "", kind: "LengthUnit" },
    up: { words: "The axis that points up in the files.", range: "", kind: "Up" },
    drop_first: { words: "Leave out this many frames at the start of each file; found by itself if it is left open.", range: "0 to 1000000", kind: "number | null" },
    labels: { words: "Labels for all frames.", range: "", kind: "string[]" },
    mirror: { words: "Add each clip's mirror image too.", range: "", kind: "boolean" },
    retarget: { words: "Bring all clips onto this clip's skeleton.", range: "", kind: "string | null" },
    take: { words: "Which animation of files with several: a name, or `all`.", range: "", kind: "string" },
    map: { words: "A JSON file that says which joint is which body part.", range: "", kind: "string | null" },
    root_motion: { words: "Give walks in place the path that their feet make.", range: "", kind: "boolean" },
    partial: { words: "Take files that are cut off as far as they go.", range: "", kind: "boolean" },
    as_is: { words: "Repair nothing: spikes, T-poses and rates stay as they are in the files.", range: "", kind: "boolean" },
  },
  ImportLabels: {
    file: { words: "The labels file.", range: "", kind: "string" },
  },
  Join: {
    clips: { words: "Clips, or parts of them as `NAME[1.5s..3s]`.", range: "", kind: "string[]" },
    nodes: { words: "Nodes of the cluster graph instead, each with an edge to the next; `NODE:CLIP` chooses the clip whose sequence is played in it.", range: "", kind: "string[]" },
    sequences: { words: "Sequences of the cluster graph instead: each follows the one before in its clip, or lies in one node with it or with what follows it.", range: "0 to 1000000000", kind: "number[]" },
    blend: { words: "Length of the blends, where the clips allow it; if not said, as long as frames stay alike, up to a second.", range: "s, > 0, at most 10", kind: "number | null" },
    synthetic: { words: "Where the cluster graph knows no way, blend where frames are least unlike.", range: "", kind: "boolean" },
    recipe: { words: "How frames are clustered.", range: "", kind: "ClusterRecipe" },
  },
  JointKey: {
    at: { words: "When.", range: "s, 0 to 1000000", kind: "number" },
    joint: { words: "The joint's name.", range: "", kind: "string" },
    turn: { words: "About x, then y, then z of what it hangs from.", range: "degrees, -36000 to 36000", kind: "number[]" },
  },
  JointRole: {
    joint: { words: "The joint's name.", range: "", kind: "string" },
    role: { words: "The body part, such as `left_up_leg`; `none` for nothing.", range: "", kind: "string" },
  },
  Judge: {
    input: { words: "The motion.", range: "", kind: "MotionFile" },
    path: { words: "The path it was to follow.", range: "", kind: "Input | null" },
    score: { words: "The score it was to perform; painted labels need a library.", range: "", kind: "Input | null" },
    drawing: { words: "How that path lies on the ground, if it is a drawing.", range: "", kind: "DrawingOptions" },
    world: { words: "The world it was to go through.", range: "", kind: "Input | null" },
  },
  Keep: {
    name: { words: "The clip's name.", range: "", kind: "string" },
    labels: { words: "Labels for all of its frames.", range: "", kind: "string[]" },
  },
  Label: {
    clip: { words: "The clip.", range: "", kind: "string" },
    label: { words: "A word such as sneak.", range: "", kind: "string" },
    from: { words: "From there; from the start if it is left open.", range: "s, 0 to 1000000", kind: "number | null" },
    to: { words: "To there; to the end if it is left open.", range: "s, 0 to 1000000", kind: "number | null" },
    say: { words: "What is said.", range: "", kind: "Say" },
  },
  Learn: {
    labels: { words: "Labels; all that some frame is marked with if none is named.", range: "", kind: "string[]" },
    review: { words: "How many stretches to list for a person to look at, of all these labels together.", range: "0 to 100000", kind: "number" },
    kernel: { words: "The kernel's shape.", range: "", kind: "KernelShape" },
    least_seconds: { words: "No stretch that is annotated lasts less.", range: "s, 0 to 10", kind: "number" },
  },
  Like: {
    example: { words: "The example: `NAME[2.0s..4.5s]`, or a whole clip.", range: "", kind: "string" },
    error_cm: { words: "Mean error of the frames of a stretch and of what it was found by.", range: "cm, > 0, at most 1000", kind: "number" },
    steps: { words: "How often what was found is asked for in turn; 0 compares with the example alone.", range: "0 to 1000", kind: "number" },
    most: { words: "Most stretches that are looked for.", range: "1 to 1000000", kind: "number" },
    recipe: { words: "What frames are compared by; its error is not used.", range: "", kind: "ClusterRecipe" },
  },
  Loop: {
    clip: { words: "The clip, or the part of it that loops are looked for in.", range: "", kind: "string" },
    cycles: { words: "How many cycles; parts of one too.", range: "> 0, at most 100000", kind: "number | null" },
    seconds: { words: "Until so much time has passed.", range: "s, > 0, at most 600", kind: "number | null" },
    metres: { words: "Until the root has gone so far over ground.", range: "m, > 0, at most 7200", kind: "number | null" },
    through: { words: "Let the way back lead over other clips.", range: "", kind: "boolean" },
    choice: { words: "Which of the loops that `loops` lists, from 1 on; if not said, of the best ones that which turns as the clip does.", range: "1 to 1000000", kind: "number | null" },
    blend: { words: "Length of the blends, where the clip allows it; if not said, as long as frames stay alike, up to a second.", range: "s, > 0, at most 10", kind: "number | null" },
    recipe: { words: "How frames are clustered.", range: "", kind: "ClusterRecipe" },
  },
  Loops: {
    clip: { words: "The clip, or a part of it.", range: "", kind: "string" },
    through: { words: "Those over other clips, instead of those within the clip.", range: "", kind: "boolean" },
    count: { words: "How many to list.", range: "1 to 100000", kind: "number" },
    recipe: { words: "How frames are clustered.", range: "", kind: "ClusterRecipe" },
  },
  Mark: {
    clip: { words: "The clip.", range: "", kind: "string" },
    from: { words: "From there; from the start if it is left open.", range: "s, 0 to 1000000", kind: "number | null" },
    to: { words: "To there; to the end if it is left open.", range: "s, 0 to 1000000", kind: "number | null" },
    rule: { words: "What holds for them.", range: "", kind: "MarkRule" },
    bias: { words: "With bias: how much they are sought (above 0) or avoided, against what a wrong label costs.", range: "-100 to 100", kind: "number | null" },
  },
  Matrix: {
    a: { words: "The clip that is left, down the picture.", range: "", kind: "string" },
    b: { words: "The clip that is entered, across it.", range: "", kind: "string" },
    threshold_cm: { words: "Mark minima up to this error.", range: "cm, > 0, at most 1000", kind: "number" },
    window: { words: "Length of the compared windows.", range: "s, > 0, at most 60", kind: "number" },
  },
  MergeTiles: {
    plan: { words: "The plan.", range: "", kind: "string" },
    folder: { words: "The folder with the results.", range: "", kind: "string" },
  },
  MotionFile: {
    file: { words: "The file.", range: "", kind: "string" },
    unit: { words: "Its unit of length.", range: "", kind: "LengthUnit" },
    partial: { words: "Take a file that is cut off as far as it goes.", range: "", kind: "boolean" },
    take: { words: "Which animation of a file with several; the first that moves if it is left open.", range: "", kind: "string | null" },
    map: { words: "A JSON file that says which joint is which body part.", range: "", kind: "string | null" },
    source_fps: { words: "The rate at capture, where the file is wrong about it or silent.", range: "frames/s, 1 to 1000", kind: "number | null" },
  },
  Moving: {
    facing: { words: "Which way it faces.", range: "", kind: "FacingWish" },
    speed: { words: "How fast it goes; left to the library if it is left open.", range: "m/s, > 0, at most 20", kind: "number | null" },
    style: { words: "Labels, or types, that its motion had better carry, though it need not.", range: "", kind: "string[]" },
  },
  ObstacleWish: {
    at: { words: "From where the walk begins.", range: "m, -100000 to 100000", kind: "number" },
    height: { words: "", range: "m, 0 to 10", kind: "number" },
    depth: { words: "Along the way.", range: "m, 0 to 100", kind: "number" },
  },
  OpenLibrary: {
    library: { words: "The name of its file, beside the one that is open.", range: "", kind: "string" },
    create: { words: "Make an empty one of that name.", range: "", kind: "boolean" },
  },
  Output: {
    file: { words: "The motion file: `.bvh`, `.amc` (with an `.asf` beside it), `.glb`, `.fbx` or `.usda`. What is judged is read back, which `.usda` is not: made motion is written to another first.", range: "", kind: "string" },
    also: { words: "The same motion in files of other formats. They are not judged.", range: "", kind: "string[]" },
    unit: { words: "Unit of length in a `.bvh` or `.amc` file; centimetres, or the source's, if it is left open.", range: "", kind: "LengthUnit" },
    picture: { words: "The motion as stick figures, a PNG.", range: "", kind: "string | null" },
    force: { words: "Replace what would else be kept: the file that is read, a skeleton file of other motion.", range: "", kind: "boolean" },
    plan_picture: { words: "The way asked for and the way walked, from above, a PNG.", range: "", kind: "string | null" },
    page: { words: "The motion as a page that plays it, one HTML file.", range: "", kind: "string | null" },
    onto: { words: "The user's own character or skeleton that gets the motion. A `.glb` one in a `.glb` file keeps its mesh and materials.", range: "", kind: "string | null" },
  },
  Perform: {
    score: { words: "What should happen when.", range: "", kind: "Input" },
    iterations: { words: "Restarts of the search; the same number and seed give the same motion.", range: "1 to 1000000", kind: "number | null" },
    seconds_budget: { words: "Search for so long instead.", range: "s, > 0, at most 86400", kind: "number | null" },
    block: { words: "Blocks that a restart begins with: 0.53, 0.27 or 0.13, whichever is nearest.", range: "s, > 0, at most 10", kind: "number" },
    exact: { words: "Look for the best motion of all at the end, where library and score are small enough.", range: "", kind: "boolean" },
    best_effort: { words: "Give the nearest that was found, also where the library can't do what is asked.", range: "", kind: "boolean" },
    watch: { words: "Look at the score's file while searching, and go on with what it says then.", range: "", kind: "boolean" },
  },
  Plan: {
    task: { words: "What is to be done: start, goal, sketch, constraints.", range: "", kind: "Input" },
    seconds: { words: "Longest to search, instead of the task's own.", range: "s, > 0, at most 86400", kind: "number | null" },
    expansions: { words: "Most states to expand: unlike time, the same on every machine.", range: "1 to 1000000000000", kind: "number | null" },
    bound: { words: "Stop as soon as the plan is proven to cost at most so many times the least.", range: "1 to 1000", kind: "number | null" },
    guidance: { words: "Which lower bound leads the search.", range: "", kind: "GuidanceWord" },
    interpolation: { words: "Most steps of a plan that interpolate two paths, none if left out.", range: "0 to 255", kind: "number | null" },
    recipe: { words: "How the library's graph of contact changes is built.", range: "", kind: "ContactRecipe" },
  },
  PlanTiles: {
    recipe: { words: "The graph that is to be built.", range: "", kind: "GraphRecipe" },
    size: { words: "Frames of motion on a side of a piece.", range: "1 to 100000000", kind: "number" },
  },
  PlayStory: {
    story: { words: "The script; names in it are paths from its folder.", range: "", kind: "string" },
    text: { words: "Its text, where that is not what the file says.", range: "", kind: "string | null" },
    action: { words: "Play this action alone, `ACTION` or `ACTOR.ACTION`, instead of the story.", range: "", kind: "string | null" },
  },
  PlayerPage: {
    title: { words: "What stands above them.", range: "", kind: "string" },
    captured: { words: "Clips of the library.", range: "", kind: "string[]" },
    made: { words: "Motion files.", range: "", kind: "string[]" },
  },
  Reach: {
    clip: { words: "The clip: `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.", range: "", kind: "string" },
    at: { words: "Where its root is to be at its first frame, x and z.", range: "m, -100000 to 100000", kind: "number[]" },
    heading: { words: "Which way it is to face there; any if it is left open.", range: "degrees, -36000 to 36000", kind: "number | null" },
    from: { words: "Where to start, and in which direction.", range: "", kind: "Standpoint" },
    as: { words: "Up to the clip use only motion with these labels, or of these types.", range: "", kind: "string[]" },
    moving: { words: "How the figure is to move up to the clip.", range: "", kind: "Moving" },
    from_stand: { words: "Whether it begins in a stand.", range: "", kind: "Stand" },
    tolerance: { words: "Farthest from the place that still counts as there.", range: "m, > 0, at most 1000", kind: "number" },
    best_effort: { words: "Give the nearest that was found, also where it is farther.", range: "", kind: "boolean" },
  },
  Receiver: {
    for: { words: "Axes, unit, root and order of angles as this program takes them.", range: "", kind: "Program | null" },
    onto: { words: "A character or skeleton that gets the motion, as [`Output::onto`].", range: "", kind: "string | null" },
  },
  Rename: {
    clip: { words: "The clip, or a pattern with one `*`.", range: "", kind: "string" },
    name: { words: "Its new name; of a pattern, with a `*` for what that stood for.", range: "", kind: "string" },
  },
  Retarget: {
    skeleton: { words: "A clip whose skeleton they get, a skeleton of the library by its name, or a motion file.", range: "", kind: "string" },
  },
  Roles: {
    set: { words: "What some joints are.", range: "", kind: "JointRole[]" },
  },
  RootKey: {
    at: { words: "When.", range: "s, 0 to 1000000", kind: "number" },
    by: { words: "By how much.", range: "", kind: "Shift" },
  },
  RunTiles: {
    plan: { words: "The plan.", range: "", kind: "string" },
    pieces: { words: "Which pieces: numbers and half-open ranges, such as `0..10,12`; all that are not done if it is left open.", range: "", kind: "string | null" },
  },
  Schema: {
    name: { words: "What the file is called: a name of [`SCHEMAS`].", range: "", kind: "string" },
  },
  Shift: {
    x: { words: "", range: "m, -100000 to 100000", kind: "number" },
    z: { words: "", range: "m, -100000 to 100000", kind: "number" },
    turn: { words: "To the left, about where the root is.", range: "degrees, -36000 to 36000", kind: "number" },
  },
  ShowClip: {
    clip: { words: "The clip.", range: "", kind: "string" },
  },
  StairsWish: {
    rise: { words: "From a tread to the next; down where it is negative.", range: "m, -5 to 5", kind: "number" },
    tread: { words: "How deep a tread is.", range: "m, > 0, at most 100", kind: "number" },
    from: { words: "Where the first edge is, from where the walk begins; after two steps if it is left open.", range: "m, -100000 to 100000", kind: "number | null" },
  },
  Standing: {
    from_stand: { words: "At its beginning.", range: "", kind: "Stand" },
    to_stand: { words: "At its end.", range: "", kind: "Stand" },
  },
  Standpoint: {
    x: { words: "To the left of a figure that faces along z.", range: "m, -100000 to 100000", kind: "number" },
    z: { words: "", range: "m, -100000 to 100000", kind: "number" },
    heading: { words: "0 looks along +z, 90 along +x.", range: "degrees, -36000 to 36000", kind: "number" },
  },
  Start: {
    clip: { words: "The clip.", range: "", kind: "string" },
    seconds: { words: "Its time.", range: "s, 0 to 1000000", kind: "number" },
  },
  Stretch: {
    from: { words: "", range: "s, 0 to 1000000", kind: "number" },
    to: { words: "", range: "s, > 0, at most 1000000; after `from`", kind: "number" },
  },
  Stride: {
    input: { words: "What to change: a walk, or a part of one.", range: "", kind: "MotionInput" },
    stride: { words: "How long steps are, in parts of the captured.", range: "> 0, at most 10", kind: "number" },
    stride_m: { words: "The same in metres, in the mean.", range: "m, > 0, at most 10", kind: "number | null" },
    lift: { words: "How high feet are lifted, in parts of the captured.", range: "> 0, at most 20", kind: "number" },
    lift_m: { words: "The same in metres, in the mean.", range: "m, > 0, at most 5", kind: "number | null" },
    ramp: { words: "What is added to the factor of each step after the first.", range: "-10 to 10", kind: "number" },
    ramp_to: { words: "Come to the stride that is asked for step by step, from the captured one.", range: "", kind: "boolean" },
    metres: { words: "Walk exactly so far, repeating or cutting the clip.", range: "m, > 0, at most 10000", kind: "number | null" },
    from_stand: { words: "Begin out of a stand, over so many steps.", range: "0 to 1000", kind: "number" },
    to_stand: { words: "End in a stand, over so many steps.", range: "0 to 1000", kind: "number" },
    speed: { words: "Walk so many times as fast, half by longer steps and half by quicker ones.", range: "0.25 to 4", kind: "number" },
    radius: { words: "Walk a curve of this radius, to the left; to the right if it is negative.", range: "m, -100000 to 100000, not 0", kind: "number | null" },
    incline: { words: "Walk up a slope, or down where it is negative.", range: "degrees, -30 to 30", kind: "number" },
    stairs: { words: "Walk on stairs.", range: "", kind: "StairsWish | null" },
    terrain: { words: "Walk on uneven ground.", range: "", kind: "HeightGrid | null" },
    obstacles: { words: "Step over these.", range: "", kind: "ObstacleWish[]" },
    footprints: { words: "Step on these, one for each footfall; strides, ramps and curves don't count then.", range: "", kind: "FootprintWish[]" },
    leave_feet: { words: "Don't put feet still before anything is changed.", range: "", kind: "boolean" },
  },
  Survey: {
    world: { words: "The world.", range: "", kind: "Input" },
    clips: { words: "Only clips whose names fit one of these, in which `*` stands for anything; all if there are none.", range: "", kind: "string[]" },
    embed: { words: "The graph, and how it is embedded.", range: "", kind: "EmbedRecipe" },
    epsilon_m: { words: "A place is covered if motion passes that near.", range: "m, > 0, at most 100", kind: "number" },
    turn_per_metre_deg: { words: "The turn that counts as much as a metre.", range: "degrees, > 0, at most 36000", kind: "number" },
    samples: { words: "Pairs of places between which paths are sought.", range: "1 to 10000000", kind: "number" },
    compare: { words: "Other sets of clips to put beside it.", range: "", kind: "SurveySet[]" },
    edits: { words: "Other editing sizes to try.", range: "cm and degrees for a metre, 0 to 1000", kind: "number[]" },
    cells: { words: "Other widths of cells to try, headings in proportion.", range: "m, 0.01 to 100", kind: "number[]" },
    suggest: { words: "Whether to try what could be captured next.", range: "", kind: "boolean" },
  },
  SurveySet: {
    name: { words: "What it is called.", range: "", kind: "string" },
    clips: { words: "The clips, by names or patterns; all if there are none.", range: "", kind: "string[]" },
    library: { words: "Another library.", range: "", kind: "string | null" },
  },
  Through: {
    world: { words: "The world.", range: "", kind: "Input" },
    from: { words: "Where it starts.", range: "m, -100000 to 100000", kind: "number[]" },
    to: { words: "Where it ends.", range: "m, -100000 to 100000", kind: "number[]" },
    from_heading: { words: "The heading to start with, if it matters.", range: "degrees, -36000 to 36000", kind: "number | null" },
    to_heading: { words: "The heading to end with, if it matters.", range: "degrees, -36000 to 36000", kind: "number | null" },
    embed: { words: "The graph, and how it is embedded.", range: "", kind: "EmbedRecipe" },
  },
  TimeMark: {
    at: { words: "When it happens as it is.", range: "s, 0 to 3600", kind: "number" },
    then: { words: "When it shall happen.", range: "s, 0 to 3600", kind: "number" },
  },
  Transitions: {
    from: { words: "The clip to leave.", range: "", kind: "string" },
    to: { words: "The clip to enter.", range: "", kind: "string" },
    near: { words: "Leave about here.", range: "s, 0 to 1000000", kind: "number | null" },
    into: { words: "Enter before what happens here.", range: "s, 0 to 1000000", kind: "number | null" },
    count: { words: "How many to list.", range: "1 to 100000", kind: "number" },
    recipe: { words: "How frames are clustered.", range: "", kind: "ClusterRecipe" },
  },
  VerifyLabels: {
    clips: { words: "Clips, by name or pattern.", range: "", kind: "string[]" },
    labels: { words: "Labels; all that the library knows if none is named.", range: "", kind: "string[]" },
  },
  Wander: {
    seconds: { words: "How long.", range: "s, > 0, at most 1000000", kind: "number" },
    as: { words: "Use only motion with these labels, or of these types, and what joins it where it leads nowhere.", range: "", kind: "string[]" },
    moving: { words: "How the figure is to move.", range: "", kind: "Moving" },
  },
  Wish: {
    at: { words: "From then on; before the first one the figure goes along +z.", range: "s, 0 to 100000", kind: "number" },
    degrees: { words: "Where to: 0 goes along +z, 90 along +x.", range: "degrees, -36000 to 36000", kind: "number" },
    label: { words: "As what; `None` leaves it open.", range: "", kind: "string | null" },
  },
  WriteSamples: {
    only: { words: "Only clips of these names; all if there are none.", range: "", kind: "string[]" },
  },
  WriteTaskSamples: {
    only: { words: "Only clips of these names; all if there are none.", range: "", kind: "string[]" },
  },
};
