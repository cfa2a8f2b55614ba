//! Why a set is not compacted.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why a set is not compacted.
#[derive(Debug, thiserror::Error)]
pub enum CompactError {
    /// A process works on the set.
    #[error("{name} {state}; end it first, for example by `cancel`")]
    InUse {
        /// The name of the process.
        name: String,
        /// What it does.
        state: &'static str,
    },
    /// A process on another machine, whose state is unknown, has written into the set not long ago.
    #[error(
        "{name} on another machine wrote into this set {} ago; if it has ended, compact the set in {}; if it still works, \
         end it first, for example by `cancel`",
        rounded(*age),
        rounded(*wait + Duration::from_secs(59))
    )]
    Recent {
        /// The name of the process.
        name: String,
        /// How long ago it wrote.
        age: Duration,
        /// After this time, it counts as ended unless it writes again.
        wait: Duration,
    },
    /// The time of a file is so far in the future that it says nothing about when the file was written.
    #[error(
        "{} is dated in the future, so a clock was set back, and {name} on another machine may still write it; if that \
         process has ended, `touch` the file and try again after ten minutes",
        file.display()
    )]
    Future {
        /// The file.
        file: PathBuf,
        /// The name of the process that wrote it.
        name: String,
    },
    /// A file with records is a symbolic link to another file of the set.
    #[error(
        "{} is a symbolic link to {}, so the set has the same records twice; remove the link and compact the set again",
        link.display(),
        target.file_name().unwrap_or_default().display()
    )]
    Link {
        /// The link.
        link: PathBuf,
        /// The file to which it leads.
        target: PathBuf,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Whole minutes; seconds if it is less than a minute.
fn rounded(time: Duration) -> humantime::FormattedDuration {
    let seconds = time.as_secs();
    humantime::format_duration(Duration::from_secs(if seconds < 60 { seconds } else { seconds / 60 * 60 }))
}
