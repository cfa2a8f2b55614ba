//! Describes the environment of runs: program, machine, system, and how limits are enforced. A set stores each
//! environment in a file of its own, and its records name the environment by its hash.

use super::slurm::InJob;
use super::tier::Tier;
use counterpoint_base::sha256::{self, Hash};
use memchr::memmem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The number of digits of a program's hash that name a build.
const BUILD_DIGITS: usize = 12;

/// The prefix of the names of files that store environments. [`Environment`] was once called `Surroundings`; the prefix
/// is kept so that old sets remain readable.
pub(super) const FILE_PREFIX: &str = "surroundings-";

/// The maximum length of the compiler's version in a program, with the words before it.
const MAX_VERSION: usize = 256;

/// Written in place of a value that is not known.
pub const UNKNOWN: &str = "unknown";

/// The environment of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// Version of this library.
    pub version: String,
    /// SHA-256 of the program.
    pub binary_hash: String,
    /// The commit from which the program was built, or else that of the repository that contains the program.
    pub git_revision: String,
    /// Whether the sources, or that repository's tracked files outside `experiments/`, had changes since this commit:
    /// `yes`, `no`, `unknown`.
    pub git_dirty: String,
    /// The version of the compiler.
    pub rustc: String,
    /// The host name.
    pub node: String,
    /// The processor's name.
    pub cpu_model: String,
    /// The number of processors that this program may use.
    pub cpu_count: usize,
    /// The governor of the first processor's clock rate, such as `performance`.
    pub cpu_governor: String,
    /// Whether the clock rate may rise above its nominal one: `yes`, `no`, `unknown`.
    pub turbo: String,
    /// Memory of the machine in bytes; 0 if it is not known.
    pub memory_bytes: u64,
    /// Name and version of the operating system.
    pub kernel: String,
    /// How limits are enforced.
    pub limit_tier: Tier,
    /// The number of runs that are carried out at the same time.
    pub jobs: usize,
    /// External solvers, each with the hash of its program or [`UNKNOWN`].
    pub solvers: Vec<(String, String)>,
    /// The versions of external programs, by their names, as far as they are known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub programs: BTreeMap<String, String>,
    /// The Slurm job in which the runs were carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slurm: Option<InJob>,
    /// The processors that this program may use, as Linux lists them, if it runs in a Slurm job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus_allowed: Option<String>,
}

impl Environment {
    /// The environment of this process.
    ///
    /// # Errors
    /// Returns an error if the file of this program cannot be read.
    pub fn here(jobs: usize, limit_tier: Tier, solvers: Vec<(String, String)>) -> io::Result<Self> {
        let (git_revision, git_dirty) = repository(&std::env::current_exe()?);
        let (binary_hash, rustc) = own()?;
        let system = rustix::system::uname();
        let slurm = InJob::this();
        Ok(Environment {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            binary_hash: binary_hash.clone(),
            git_revision,
            git_dirty,
            rustc: rustc.clone(),
            node: system.nodename().to_string_lossy().into_owned(),
            cpu_model: line_of("/proc/cpuinfo", "model name"),
            cpu_count: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            cpu_governor: setting("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            turbo: turbo(),
            memory_bytes: line_of("/proc/meminfo", "MemTotal")
                .split_whitespace()
                .next()
                .and_then(|kib| kib.parse::<u64>().ok())
                .map_or(0, |kib| kib << 10),
            kernel: format!("{} {}", system.sysname().to_string_lossy(), system.release().to_string_lossy()),
            limit_tier,
            jobs,
            solvers,
            programs: BTreeMap::new(),
            cpus_allowed: slurm.is_some().then(|| line_of("/proc/self/status", "Cpus_allowed_list")),
            slurm,
        })
    }

    /// Replaces the revision by that of the build, if it is known: a commit, and after a comma that the sources were
    /// changed since, as `--version` prints it.
    #[must_use]
    pub fn built_from(mut self, revision: &str) -> Self {
        if let Some(commit) = revision.split_whitespace().next() {
            self.git_revision = commit.to_owned();
            self.git_dirty = if revision.ends_with("changed since") { "yes" } else { "no" }.to_owned();
        }
        self
    }

    /// The build of this program: the first digits of its hash.
    pub fn build(&self) -> &str {
        self.binary_hash.get(..BUILD_DIGITS).unwrap_or(&self.binary_hash)
    }

    /// The name of this environment in records: the first digits of the hash of its JSON text.
    pub fn hash(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        hash(text.as_bytes())[..12].to_owned()
    }
}

/// SHA-256 in hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    sha256::of(bytes)
}

/// A path of the running program. On Linux, it is valid even if the program's file is replaced while the program runs.
///
/// # Errors
/// Returns an error if the path is not known.
pub fn own_program() -> io::Result<PathBuf> {
    let itself = Path::new("/proc/self/exe");
    if itself.exists() { Ok(itself.to_owned()) } else { std::env::current_exe() }
}

/// SHA-256 of this program.
///
/// # Errors
/// Returns an error if the file of this program cannot be read.
pub fn own_hash() -> io::Result<String> {
    Ok(own()?.0.clone())
}

/// SHA-256 of this program, and the version of its compiler. The file is read only once.
fn own() -> io::Result<&'static (String, String)> {
    static OWN: OnceLock<(String, String)> = OnceLock::new();
    if let Some(own) = OWN.get() {
        return Ok(own);
    }
    let mut file = BufReader::with_capacity(1 << 16, File::open(std::env::current_exe()?)?);
    let (mut hash, mut window, mut rustc) = (Hash::new(), Vec::new(), None);
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        hash.update(bytes);
        if rustc.is_none() {
            // The version may begin at the end of the bytes before.
            window.drain(..window.len().saturating_sub(MAX_VERSION));
            window.extend_from_slice(bytes);
            rustc = compiler(&window);
        }
        let read = bytes.len();
        file.consume(read);
    }
    let hash = sha256::hex(&hash.finalize());
    Ok(OWN.get_or_init(|| (hash, rustc.unwrap_or(UNKNOWN.to_owned()))))
}

/// SHA-256 of the program of this name or path; [`UNKNOWN`] if it cannot be read.
pub fn program_hash(program: &str) -> String {
    let file = crate::process::find(program).and_then(|path| File::open(path).ok());
    file.and_then(|file| sha256::of_reader(file).ok()).unwrap_or_else(|| UNKNOWN.to_owned())
}

/// The version of the compiler, which the compiler has written into the program.
fn compiler(program: &[u8]) -> Option<String> {
    const MARK: &[u8] = b"rustc version ";
    memmem::find_iter(program, MARK).find_map(|at| {
        let rest = &program[at + MARK.len()..];
        let end = rest.iter().position(|byte| !matches!(byte, b' '..=b'~'))?;
        let text = std::str::from_utf8(&rest[..end]).ok()?;
        text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.to_owned())
    })
}

/// The revision of the repository that contains a file, and whether its work tree has changes.
fn repository(program: &Path) -> (String, String) {
    let unknown = || UNKNOWN.to_owned();
    let Some(folder) = program.parent().map(PathBuf::from) else { return (unknown(), unknown()) };
    let git = |args: &[&str]| {
        let out =
            Command::new("git").arg("-C").arg(&folder).args(args).stderr(Stdio::null()).output().ok()?;
        out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim().to_owned())
    };
    let revision = git(&["rev-parse", "HEAD"]).unwrap_or_else(unknown);
    // Changes to experiments do not matter, because the program is not built from them.
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no", "--", ":/", ":(exclude,top)experiments"]);
    let dirty = changed.map_or_else(unknown, |text| if text.is_empty() { "no" } else { "yes" }.to_owned());
    (revision, dirty)
}

/// The first value of a key in a file of `key : value` lines; [`UNKNOWN`] if there is none.
fn line_of(path: &str, key: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let found = text.lines().filter_map(|line| line.split_once(':')).find(|(name, _)| name.trim() == key);
    found.map_or(UNKNOWN.to_owned(), |(_, value)| value.trim().to_owned())
}

fn setting(path: &str) -> String {
    fs::read_to_string(path).map_or(UNKNOWN.to_owned(), |text| text.trim().to_owned())
}

fn turbo() -> String {
    let yes_if = |on: bool| if on { "yes" } else { "no" }.to_owned();
    match (
        setting("/sys/devices/system/cpu/intel_pstate/no_turbo").as_str(),
        setting("/sys/devices/system/cpu/cpufreq/boost").as_str(),
    ) {
        ("0", _) | (_, "1") => yes_if(true),
        ("1", _) | (_, "0") => yes_if(false),
        _ => UNKNOWN.to_owned(),
    }
}

/// The load average over a minute; `None` if it is not known.
pub fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// The share of the last ten seconds in which some process waited for a processor, in percent; `None` if it is not
/// known.
pub fn pressure() -> Option<f64> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    text.split_whitespace().find_map(|word| word.strip_prefix("avg10="))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Environment, Tier};

    #[test]
    fn the_revision_of_the_build_replaces_that_of_the_folder() {
        let of = |revision: &str| {
            let here = Environment::here(1, Tier::Rlimit, Vec::new()).unwrap().built_from(revision);
            (here.git_revision, here.git_dirty)
        };
        assert_eq!(of("a644bfc179da of 2026-11-28"), ("a644bfc179da".to_owned(), "no".to_owned()));
        assert_eq!(of("a644bfc179da of 2026-11-28, changed since").1, "yes");
        let here = Environment::here(1, Tier::Rlimit, Vec::new()).unwrap();
        assert_eq!(of(""), (here.git_revision, here.git_dirty));
    }
}
