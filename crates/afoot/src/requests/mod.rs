//! What can be asked for, a file for each request or small family. A request is a plain struct with
//! `Default` that any surface can fill in or read from JSON; running it gives a plain report.
//! Those that make one motion implement [`MotionRequest`](crate::MotionRequest).

mod bake;
mod by_hand;
mod check;
mod choice;
mod clean;
mod clips;
mod clusters;
mod crowd;
mod drive;
mod edit;
mod export;
mod follow;
mod graft;
mod grafts;
mod graph;
mod import;
mod join;
mod joining;
mod judge;
mod labels;
mod learn;
mod like;
mod live;
mod looping;
mod marking;
mod matrix;
mod motion_input;
mod moving;
mod perform;
mod plan;
mod player_page;
mod reach;
mod request;
mod retarget;
mod roles;
mod samples;
mod schema;
mod show;
mod story;
mod stride;
mod survey;
mod through;
mod tiles;
mod wander;

pub use bake::{Bake, CharacterBaked, JointOff};
pub use check::{Check, CheckError, Checked};
pub use choice::Choice;
pub(crate) use choice::matches;
pub use clean::{Clean, CleanDetails};
pub use clips::{List, Listed, ListedClip, Remove, Rename};
pub use clusters::{
    ClipReach, Clusters, ClustersFound, CycleFound, LeapFound, Loops, Moment, NodeListed,
    SequenceListed, Transitions, WayFound, WaysFound,
};
pub use crowd::{CharacterMade, Crowd, CrowdFiles, CrowdMade};
pub use drive::{Drive, DriveDetails, ReactionTimes, SteeringTimes, Wish};
pub use edit::{Edit, EditDetails, Goal, JointKey, RootKey, Shift, Stretch, TimeMark, Warped};
pub use export::{Convert, Export, FileWritten, Receiver, write_clip};
pub use follow::{Follow, FollowDetails, HardStretch, LabelSwitch, SearchDetails, Start};
pub use graft::{Donor, Graft, GraftDetails, GraftPartMade, GraftPosture, InStep};
pub use grafts::{GraftAll, GraftFailed, GraftFound, GraftsFound};
pub use graph::{
    BuildGraph, GraphBuilt, GraphPictures, SetKept, StageSeconds, Threshold, ThresholdGives,
};
pub use import::Import;
pub use join::Join;
pub(crate) use joining::Resequenced;
pub use joining::{JoinDetails, JoinMade, PlayedPart};
pub use judge::{Judge, Judged};
pub use labels::{
    ExportLabels, ImportLabels, Label, Labelled, LabelsExported, LabelsImported, Say,
};
pub use learn::{KernelShape, LabelFailed, LabelLearned, Learn, Learned, ReviewStretch};
pub use like::{Like, LikeFound, LikeStretch};
pub use live::{LiveFigure, LiveFrame, LiveLimb};
pub use looping::Loop;
pub use marking::{ConfirmLabels, FramesSaid, Mark, MarkRule, Marked, UseTimes, VerifyLabels};
pub use matrix::{Matrix, MatrixDrawn, MatrixMinimum};
pub use motion_input::MotionInput;
pub use moving::{FacingWish, FacingWord, Moving, OddMotion, Standing};
pub use perform::{BetterFound, Perform, PerformDetails, PerformanceFound, is_there};
pub(crate) use plan::LibraryContacts;
pub use plan::{
    ConstraintMet, GraphSearched, GuidanceWord, Plan, PlanDetails, PlanEnd, SolutionFound,
};
pub use player_page::{PageWritten, PlayerPage};
pub use reach::{Reach, ReachDetails, Standpoint};
pub use request::{Gives, Request};
pub use retarget::{Retarget, Retargeted, RetargetedClip};
pub use roles::{JointRole, Roles, RolesShown, SkeletonRoles};
pub use samples::{WriteSamples, WriteTaskSamples};
pub use schema::{SCHEMAS, Schema};
pub use show::{
    ArtefactListed, ClipPictures, ClipShown, GroundShown, JointShown, LabelTimes, LibraryShown,
    PlantTimes, ShowClip, ShowLibrary, SkeletonListed, SkeletonShown,
};
pub use story::{
    ActionPlayed, ActorPlayed, CheckStory, FormatStory, PlayStory, ScenePlayed, StoryChecked,
    StoryFormatted, StoryPlayed, StoryProblem,
};
pub use stride::{
    FootprintWish, HeightGrid, ObstacleWish, StairsWish, StepReport, Stride, StrideDetails,
};
pub use survey::{
    Capability, CellSurveyed, EditCoverage, EditSurveyed, HoleFound, Intervals, PathsTold,
    SetSurveyed, Survey, SurveyMade, SurveySeconds, SurveySet,
};
pub use through::{Through, ThroughDetails};
pub use tiles::{MergeTiles, PlanTiles, RunTiles, TilesMerged, TilesPlanned, TilesRun};
pub use wander::{Wander, WanderDetails};
