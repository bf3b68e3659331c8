//! How a command fails: the door's outcome in the command line's terms, and the exit status.

use afoot::{Failure, FailureKind, Hint};

/// What a command returns.
pub type Outcome = Result<(), Failure>;

/// The exit status: 1 failed or bad input, 3 understood, but there is no motion that does it.
pub fn status(kind: FailureKind) -> u8 {
    match kind {
        FailureKind::BadRequest | FailureKind::Cancelled | FailureKind::Failed => 1,
        FailureKind::NoMotion => 3,
    }
}

/// The message, with what would help and options named as they are typed: `options` are those of the command.
pub fn words(failure: &Failure, options: &[String]) -> String {
    let field = failure.field.as_ref();
    let option = field.map(|field| match option_of(field, options) {
        Some(option) => format!("--{option} "),
        None => format!("{} ", field.replace('_', " ")),
    });
    let help = failure.hint.as_ref().map(help_words);
    format!(
        "{}{}{}",
        option.unwrap_or_default(),
        failure.message,
        help.unwrap_or_default()
    )
}

/// Fields whose options have other names.
const OTHERWISE: [(&str, &str); 1] = [("auto_share", "wanted-share")];

/// The option that a field is said with: of its name, without a unit at its end, or one of several.
fn option_of(field: &str, options: &[String]) -> Option<String> {
    let own = field.replace('_', "-");
    let units = ["-cm", "-m", "-deg", "-mb"];
    let short = units.iter().find_map(|unit| own.strip_suffix(unit));
    let one = own.strip_suffix('s');
    let other = OTHERWISE.iter().find(|(name, _)| *name == field);
    let names = [
        Some(own.as_str()),
        short,
        one,
        other.map(|(_, option)| *option),
    ];
    let known = |name: &&str| options.iter().any(|option| option == name);
    names.into_iter().flatten().find(known).map(str::to_owned)
}

fn help_words(hint: &Hint) -> String {
    match hint {
        Hint::LoosenWithin { labels } => format!(
            "; a higher threshold for it (--pair {labels},{labels}=CM), or more of it, would help"
        ),
        Hint::LoosenBetween { from, to } => format!(
            "; a higher threshold between them (--pair {from},{to}=CM), or a clip that does both, \
             would help"
        ),
        Hint::LoosenInto { from: None, .. } => "; a higher threshold (afoot graph LIB --threshold \
            CM), or more clips like it, would help"
            .into(),
        Hint::LaterPart { clip, first } => {
            format!("; a later part ({clip}[{first}..]), or a higher threshold, would help")
        }
        Hint::OtherSearch => "; a shorter path, or --search beam, would help".into(),
        Hint::LargerError => "; a larger --error, or more clips, would help".into(),
        Hint::RebuildGraph => "; build it again with --rebuild".into(),
        Hint::AgainstRules => "; --force grafts it all the same".into(),
        Hint::Force => "; --force replaces it".into(),
        Hint::Partial => "; --partial takes it as far as it goes".into(),
        Hint::BestEffort => {
            "; --best-effort takes the nearest; another start, a larger --tolerance \
            or a higher threshold (afoot graph LIB --threshold CM) would help"
                .into()
        }
        Hint::NearerPlace => {
            "; --best-effort writes the nearest; more or less time to get there, a larger \
            place_weight, or clips that go there, would help"
                .into()
        }
        Hint::OtherPaint => {
            "; --best-effort writes the nearest; other paint, or clips that do it, \
            would help"
                .into()
        }
        Hint::OtherRecipe => {
            "; build another graph (afoot graph LIB [--as LABEL]), or label clips \
            so (afoot label LIB CLIP LABEL)"
                .into()
        }
        Hint::Retarget => ": import with --retarget".into(),
        Hint::OneRate => "; import them with one --fps".into(),
        Hint::SizeOnGround => "; say how large it is there (--fit 10m), or how long a unit of it \
            is (--scale 0.05)"
            .into(),
        Hint::MarkExamples => {
            "; mark some (afoot label LIB CLIP LABEL [--from S --to S] [--not]), \
            or say that silence means no (afoot labels verify LIB CLIP)"
                .into()
        }
        Hint::SeeLabels => "; see `afoot list` for labels and types".into(),
        other => format!("; {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_help_are_named_as_typed() {
        let failure = Failure::bad_value("source_fps", -3, "frames per second, more than 0");
        let told = "--source-fps -3: expected frames per second, more than 0";
        let options = ["source-fps", "error"].map(String::from);
        assert_eq!(words(&failure, &options), told);
        let failure = Failure::bad_value("error_cm", 0, "cm, > 0");
        assert_eq!(words(&failure, &options), "--error 0: expected cm, > 0");
        assert_eq!(words(&failure, &[]), "error cm 0: expected cm, > 0");
        let hint = Hint::LoosenBetween {
            from: "walk".into(),
            to: "jump".into(),
        };
        let failure = Failure::no_motion("no way leads from walk to jump").with_hint(hint);
        assert!(words(&failure, &options).contains("(--pair walk,jump=CM)"));
        assert!(
            !failure.to_string().contains("--"),
            "the door names no option"
        );
        assert_eq!(
            (status(failure.kind), status(FailureKind::Cancelled)),
            (3, 1)
        );
    }
}
