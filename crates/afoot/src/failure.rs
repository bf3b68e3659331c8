//! How a request ends when it does not succeed: one outcome for every surface, hints as data.

use std::error::Error;
use std::fmt;
use std::path::Path;

use afoot_core::ClipMismatch;
use afoot_formats::{FormatError, Problem};
use afoot_graph::GraphError;
use afoot_graph::clusters::ClusterError;
use afoot_library::{GraphStoreError, LibraryError};
use afoot_run::Stopped;
use afoot_synth::{
    ControllerError, CrowdError, FollowError, FootageError, PerformError, ReachError,
    RepertoireError, TableError, WanderError,
};
use afoot_world::EmbedError;
use serde::{Deserialize, Serialize};

use crate::hint::Hint;

/// Why a request gave nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of end it is.
    pub kind: FailureKind,
    /// The request's field that is wrong, if it is a field; the message then starts with its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What happened: names the file, the line or the value, and what was expected.
    pub message: String,
    /// What would help; each surface words it in its own terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
}

/// The ways in which a request can end without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The request itself is wrong: a value, a name, a file that is not what it should be.
    BadRequest,
    /// Understood, but the library holds no motion that does it.
    NoMotion,
    /// Stopped from outside; nothing was written.
    Cancelled,
    /// Something went wrong: a disk, a damaged library.
    Failed,
}

impl Failure {
    fn new(kind: FailureKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            field: None,
            message: message.to_string(),
            hint: None,
        }
    }

    /// The request is wrong.
    pub fn bad_request(message: impl fmt::Display) -> Self {
        Self::new(FailureKind::BadRequest, message)
    }

    /// A field's value can't be used.
    pub fn bad_value(field: &str, value: impl fmt::Display, expected: &str) -> Self {
        Self {
            field: Some(field.into()),
            ..Self::bad_request(format!("{value}: expected {expected}"))
        }
    }

    /// Something is wrong with a file.
    pub fn at(path: &Path, error: impl fmt::Display) -> Self {
        Self::bad_request(format!("{}: {error}", path.display()))
    }

    /// Named after the file that a person knows, where it tells of another that is there only meanwhile.
    pub(crate) fn told_of(mut self, meanwhile: &Path, known: &Path) -> Self {
        let [meanwhile, known] = [meanwhile, known].map(|path| path.display().to_string());
        self.message = self.message.replace(&meanwhile, &known);
        self
    }

    /// The library holds no motion that does it.
    pub fn no_motion(message: impl fmt::Display) -> Self {
        Self::new(FailureKind::NoMotion, message)
    }

    /// Something went wrong.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::new(FailureKind::Failed, message)
    }

    /// With what would help.
    pub fn with_hint(mut self, hint: impl Into<Option<Hint>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Of a request to a library: wrong itself, or asking for what there is not.
    fn of_request(error: &dyn Error, is_bad: bool, hint: Option<Hint>) -> Self {
        let kind = match is_bad {
            true => FailureKind::BadRequest,
            false => FailureKind::NoMotion,
        };
        Self::new(kind, error).with_hint(hint)
    }

    /// An error with its causes in one line.
    fn of_error(kind: FailureKind, error: &dyn Error) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            let text = inner.to_string();
            if !message.contains(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            cause = inner.source();
        }
        Self::new(kind, message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = &self.field {
            write!(f, "{field} ")?;
        }
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl Error for Failure {}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Self {
        Self::new(FailureKind::Cancelled, "stopped; nothing was written")
    }
}

/// Errors that name all there is to say, and what kind of end they are.
macro_rules! ends {
    ($kind:ident: $($error:ty),+ $(,)?) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::of_error(FailureKind::$kind, &error)
            }
        }
    )+};
}

// The motion that was given has no floor, no legs, too few frames.
ends!(
    BadRequest:
    afoot_analyze::FactsError,
    afoot_core::ClipError,
    afoot_core::SpliceError,
    afoot_edit::cleanup::CleanupError,
);

ends!(
    Failed:
    afoot_draw::DrawError,
    afoot_edit::blend::BlendError,
    afoot_graph::CodecError,
    afoot_graph::MergeError,
    serde_json::Error,
    std::io::Error,
);

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        // A file that is not what it should be is the asker's; one that can't be written is not.
        let kind = match &error.problem {
            Problem::Unwritten(_) => FailureKind::Failed,
            _ => FailureKind::BadRequest,
        };
        let cut_off = matches!(
            error.problem,
            Problem::CutOff { .. } | Problem::CutOffInFrame { .. }
        );
        Self::of_error(kind, &error).with_hint(cut_off.then_some(Hint::Partial))
    }
}

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Self {
        use LibraryError as E;
        match &error {
            E::Stopped(stopped) => (*stopped).into(),
            E::Missing { .. } | E::Exists { .. } | E::NoClip { .. } | E::NameTaken { .. } => {
                Self::of_error(FailureKind::BadRequest, &error)
            }
            E::BadName { .. } | E::BadLabel { .. } | E::NoSkeleton { .. } | E::Retarget { .. } => {
                Self::of_error(FailureKind::BadRequest, &error)
            }
            _ => Self::of_error(FailureKind::Failed, &error),
        }
    }
}

/// What makes two clips alike.
fn hint_of(mismatch: &ClipMismatch) -> Hint {
    match mismatch {
        ClipMismatch::Skeleton { .. } => Hint::Retarget,
        ClipMismatch::Rate { .. } => Hint::OneRate,
    }
}

impl From<GraphError> for Failure {
    fn from(error: GraphError) -> Self {
        let hint = match &error {
            GraphError::Stopped(stopped) => return (*stopped).into(),
            GraphError::Mismatch(mismatch) => Some(hint_of(mismatch)),
            _ => None,
        };
        Self::of_error(FailureKind::BadRequest, &error).with_hint(hint)
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Self {
        let hint = match &error {
            ClusterError::Stopped(stopped) => return (*stopped).into(),
            ClusterError::NoClips => return Self::no_motion(error).with_hint(Hint::ImportClips),
            ClusterError::Mismatch(mismatch) => Some(hint_of(mismatch)),
            ClusterError::Metric { .. } => None,
        };
        Self::of_error(FailureKind::BadRequest, &error).with_hint(hint)
    }
}

impl From<GraphStoreError> for Failure {
    fn from(error: GraphStoreError) -> Self {
        use GraphStoreError as E;
        match error {
            E::Library(error) => error.into(),
            E::Graph(error) => error.into(),
            E::NoClips => Self::no_motion(error).with_hint(Hint::ImportClips),
            E::NoSuchLabel { .. } => Self::no_motion(error).with_hint(Hint::SeeLabels),
            E::LabelGone { .. } => Self::no_motion(error).with_hint(Hint::OtherRecipe),
            E::Cluster(error) => error.into(),
            E::BadError(error) => Self::bad_value("error", error, "centimetres above 0"),
            E::OtherTree => Self::failed(error),
        }
    }
}

impl From<RepertoireError> for Failure {
    fn from(error: RepertoireError) -> Self {
        // Graph and clips come from one library: if they do not fit, that is damaged.
        Self::failed(error).with_hint(Hint::RebuildGraph)
    }
}

impl From<FollowError> for Failure {
    fn from(error: FollowError) -> Self {
        use FollowError as E;
        let hint = match &error {
            E::Stopped(stopped) => return (*stopped).into(),
            E::EmptyGraph => Some(Hint::LoosenThreshold),
            E::DeadLabel { labels } => Some(Hint::loosen_within(labels)),
            E::NoSwitch { from, to } => Some(Hint::LoosenBetween {
                from: from.clone(),
                to: to.clone(),
            }),
            E::OutOfBudget { .. } => Some(Hint::OtherSearch),
            E::OffPath { .. } | E::Shuffled { .. } => Some(Hint::GentlerPath),
            E::UnknownLabel(unknown) => Hint::meant(unknown),
            E::NoStart { .. } => None,
        };
        Self::of_request(&error, error.is_bad_request(), hint)
    }
}

impl From<ReachError> for Failure {
    fn from(error: ReachError) -> Self {
        use ReachError as E;
        let hint = match &error {
            E::Stopped(stopped) => return (*stopped).into(),
            E::NotInGraph { clip } => Some(Hint::LoosenInto {
                clip: clip.clone(),
                from: None,
            }),
            E::EnteredLate { clip, first, .. } => Some(Hint::LaterPart {
                clip: clip.clone(),
                first: *first,
            }),
            E::NoWay { clip, labels } => Some(Hint::LoosenInto {
                clip: clip.clone(),
                from: Some(labels.clone()),
            }),
            E::OutOfReach { .. } => Some(Hint::OtherStart),
            E::UnknownLabel(unknown) => Hint::meant(unknown),
            E::BadValue { .. } | E::BadFrames { .. } => None,
        };
        Self::of_request(&error, error.is_bad_request(), hint)
    }
}

impl From<WanderError> for Failure {
    fn from(error: WanderError) -> Self {
        let hint = match &error {
            WanderError::Stopped(stopped) => return (*stopped).into(),
            WanderError::NoLoop(labels) => Some(Hint::loosen_within(labels)),
            WanderError::UnknownLabel(unknown) => Hint::meant(unknown),
            WanderError::BadSeconds(_) => None,
        };
        Self::of_request(&error, error.is_bad_request(), hint)
    }
}

impl From<FootageError> for Failure {
    fn from(error: FootageError) -> Self {
        let hint = match &error {
            FootageError::Stopped(stopped) => return (*stopped).into(),
            FootageError::NoClips => return Self::no_motion(error).with_hint(Hint::ImportClips),
            FootageError::Mismatch(mismatch) => Some(hint_of(mismatch)),
        };
        Self::of_error(FailureKind::BadRequest, &error).with_hint(hint)
    }
}

impl From<PerformError> for Failure {
    fn from(error: PerformError) -> Self {
        match error {
            PerformError::Stopped(stopped) => stopped.into(),
            PerformError::Blend(error) => error.into(),
            PerformError::Score(_) | PerformError::Cast(_) => Self::bad_request(error),
            PerformError::Limbs(_) => Self::no_motion(error).with_hint(Hint::OtherPaint),
        }
    }
}

impl From<CrowdError> for Failure {
    fn from(error: CrowdError) -> Self {
        use CrowdError as E;
        let hint = match &error {
            E::Stopped(stopped) => return (*stopped).into(),
            E::EmptyGraph => Some(Hint::LoosenThreshold),
            E::DeadLabel { label } => Some(Hint::loosen_within(label)),
            E::NoRoom { .. } | E::TooLarge { .. } => Some(Hint::FewerCharacters),
            E::UnknownLabel(unknown) => Hint::meant(unknown),
            E::World(_) | E::Nobody { .. } | E::NoGround { .. } => None,
        };
        Self::of_request(&error, error.is_bad_request(), hint)
    }
}

impl From<EmbedError> for Failure {
    fn from(error: EmbedError) -> Self {
        use EmbedError as E;
        let hint = match &error {
            E::Stopped(stopped) => return (*stopped).into(),
            E::NoChoices | E::NoLoop => Some(Hint::LoosenThreshold),
            _ => None,
        };
        Self::of_request(&error, error.is_bad_request(), hint)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Stopped(stopped) => stopped.into(),
            other => Self::of_error(FailureKind::Failed, &other),
        }
    }
}

impl From<ControllerError> for Failure {
    fn from(error: ControllerError) -> Self {
        match error {
            ControllerError::Table(error) => error.into(),
            ControllerError::EmptyGraph => Self::no_motion(error).with_hint(Hint::LoosenThreshold),
            ControllerError::UnknownLabel(ref unknown) => {
                let hint = Hint::meant(unknown);
                Self::bad_request(error).with_hint(hint)
            }
        }
    }
}
