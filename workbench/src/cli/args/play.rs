//! The arguments of `play`.

use super::Rules;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Enter one move per line. In Spot, a move is COLUMN ROW followed by + or -, such as `1 2 +`. Enter `?` for a hint and `q`
to quit. `n` is the side of the board, and `you` is your player number. With `limit=none`, the game continues until a
player repeats a board.

Exit status: 0 success; 2 bad input or usage; 130 interrupted by Ctrl-C.")]
pub(in crate::cli) struct Play {
    /// The problem.
    pub(in crate::cli) problem: String,
    /// Parameters of the game or rules of the problem; `list rules` shows all rules.
    #[arg(value_name = "KEY=VALUE", value_parser = super::pair)]
    pub(in crate::cli) keys: Vec<(String, String)>,
    #[command(flatten)]
    pub(in crate::cli) rules: Rules,
}
