//! What `play` takes.

use super::Rules;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves are read line by line from standard input, in Spot as ROW COLUMN and + or -, such as `1 2 +`; `?` gives
a hint, `q` ends the game. `n` is the side of the board, `you` the player that you are; `limit=none` lets the
game go on until somebody repeats a board.

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
