//! The scripts that make a shell ask this program for candidates.

use clap_complete::Shell;

/// The name of the program in the scripts.
const PROGRAM: &str = "counterpoint";

/// The script of a shell for the program `name`. bash, zsh and fish ask the program. The scripts of other shells contain
/// the commands and options of `command`.
pub(in crate::cli) fn script(shell: Shell, mut command: clap::Command) -> Vec<u8> {
    let name = command.get_name().to_owned();
    let template = match shell {
        Shell::Bash => include_str!("scripts/bash"),
        Shell::Zsh => include_str!("scripts/zsh"),
        Shell::Fish => include_str!("scripts/fish"),
        other => {
            let mut script = Vec::new();
            clap_complete::generate(other, &mut command, name, &mut script);
            return script;
        }
    };
    let function = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    template.replace(&format!("_{PROGRAM}_"), &format!("_{function}_")).replace(PROGRAM, &name).into_bytes()
}
