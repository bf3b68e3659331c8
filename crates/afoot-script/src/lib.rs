//! Stories: a script language that directs actors (Shanbhag 2006, chapter 7, and what its discussion asks for).
//!
//! In phases: text, tokens ([`lexer`]), tree ([`parse`], [`syntax`]), program ([`check`], [`program`]), times
//! ([`schedule`]). A script is checked whole before anything is made of it, and all that is wrong is
//! told at once, with the place and what would help. What lies outside (clips, skeletons, files) is
//! asked for through one trait, [`outside::Outside`]; making the motion is left to whoever has clips.
//!
//! ```
//! use afoot_script::check::check;
//! use afoot_script::outside::{ClipFacts, Missing, Outside};
//! use afoot_script::program::ActorFiles;
//! use afoot_script::source::Source;
//!
//! /// A world in which every clip has a hundred frames.
//! struct Studio;
//!
//! impl Outside for Studio {
//!     fn script(&self, name: &str, _: &str) -> Result<(String, String), Missing> {
//!         Err(Missing::new(format!("there is no script {name:?}")))
//!     }
//!     fn clip(&self, _: &ActorFiles, _: &str) -> Result<ClipFacts, Missing> {
//!         Ok(ClipFacts { frames: 100 })
//!     }
//!     fn library(&self, _: &ActorFiles) -> Result<(), Missing> {
//!         Ok(())
//!     }
//!     fn library_clip(&self, _: &ActorFiles, _: &str) -> Result<Option<ClipFacts>, Missing> {
//!         Ok(None)
//!     }
//!     fn skeleton(&self, _: &ActorFiles) -> Result<(), Missing> {
//!         Ok(())
//!     }
//!     fn body(&self, _: &ActorFiles) -> Result<(), Missing> {
//!         Ok(())
//!     }
//!     fn joint(&self, _: &ActorFiles, _: &str) -> Result<(), Missing> {
//!         Ok(())
//!     }
//!     fn file(&self, _: &str) -> Result<(), Missing> {
//!         Ok(())
//!     }
//! }
//!
//! let script = "actor Ann { mocapdb [ clip walk \"walk.bvh\" ]
//!     actions [ action stroll { subclip { clipref wlak startframe 1 endframe 50 } } ] }";
//! let checked = check(Source::new("ann.play", script), &Studio);
//! assert_eq!(checked.found[0].message, "there is no clip `wlak`");
//! assert_eq!(checked.found[0].hint.as_deref(), Some("did you mean `walk`?"));
//! ```

pub mod check;
pub mod diagnostic;
pub mod format;
pub mod lexer;
pub mod outside;
pub mod parse;
pub mod primitives;
pub mod program;
pub mod schedule;
pub mod source;
pub mod syntax;
