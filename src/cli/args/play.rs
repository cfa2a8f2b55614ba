//! What `play` takes.

use super::Rules;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves are read line by line from standard input; `?` gives a hint, `q` ends the game.

Exit status: 0 done; 2 bad input or usage; 130 on Ctrl-C.")]
pub(in crate::cli) struct Play {
    /// The problem.
    pub(in crate::cli) problem: String,
    /// Parameters of the game, or rules of the problem; see `list rules`.
    #[arg(value_name = "KEY=VALUE", value_parser = super::pair)]
    pub(in crate::cli) keys: Vec<(String, String)>,
    #[command(flatten)]
    pub(in crate::cli) rules: Rules,
}
