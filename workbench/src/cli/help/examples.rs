//! The examples of each command, for a program with the problems `spot`, `ships` and `flip`.

/// Stands for the program itself in [`EXAMPLES`].
pub(super) const PROGRAM: &str = "";

/// Each command with its examples.
pub(super) const EXAMPLES: &[(&str, &[&str])] = &[
    (
        PROGRAM,
        &["counterpoint generate ships hard n=10 | counterpoint compare ships -e 'search:cover,sat:*'"],
    ),
    (
        "judge",
        &[
            "counterpoint generate spot random n=5 --count 9 > games.txt",
            "counterpoint judge spot games.txt",
            "counterpoint judge spot games.txt --engine search:rotate-all",
        ],
    ),
    (
        "solve",
        &[
            "counterpoint generate flip solvable n=4 > board.txt",
            "counterpoint solve flip board.txt --explain",
            "counterpoint solve flip board.txt --engine sat --certify --save answer",
            "counterpoint solve flip board.txt --page lesson.html",
        ],
    ),
    (
        "check",
        &[
            "counterpoint check answer",
            "counterpoint generate ships random n=8 | counterpoint solve ships --json | counterpoint check -",
        ],
    ),
    ("compare", &["counterpoint generate flip solvable n=6 | counterpoint compare flip -e 'search,sat:*'"]),
    (
        "encode",
        &[
            "counterpoint encode flip board.txt --words",
            "counterpoint encode flip board.txt --engine sat:presses/xor=cut3 --output board.cnf",
        ],
    ),
    (
        "cube",
        &[
            "counterpoint generate ships hard n=8 | counterpoint cube ships --cubes 8",
            "counterpoint cube flip board.txt --cubes 16 --output cubes",
        ],
    ),
    (
        "generate",
        &[
            "counterpoint generate ships random w=12 h=8 reveal=0.5 --seed 7 --count 2",
            "counterpoint generate flip solvable n=12 --count 5 --formulas formulas --format wcnf",
        ],
    ),
    (
        "study",
        &[
            "counterpoint study flip hardest n=5",
            "counterpoint study spot classes n=3 symmetry=d4 --json",
            "counterpoint generate ships random n=8 reveal=0.7 | counterpoint study ships shoot -",
        ],
    ),
    (
        "play",
        &[
            "counterpoint play spot n=4 limit=none",
            "counterpoint play spot n=3 limit=none start=counted you=2",
        ],
    ),
    ("playground", &["counterpoint playground", "counterpoint playground --output lecture"]),
    (
        "stress",
        &[
            "counterpoint stress flip --count 50 -- counterpoint judge flip",
            "counterpoint stress spot emptied --count 20 -- counterpoint judge spot --rule start=counted",
            "counterpoint stress ships --list",
            "counterpoint stress ships thin packed --seed 7 --count 10 --save tests",
            "counterpoint stress ships --replay tests --count 30 -- counterpoint judge ships",
            "counterpoint stress flip --cnf -r size=2x2 -- counterpoint encode flip -r size=2x2",
        ],
    ),
    ("new", &["counterpoint new first --problem flip"]),
    ("run", &["counterpoint run first --dry-run", "counterpoint run first --jobs 2"]),
    (
        "status",
        &[
            "counterpoint status first --by family",
            "counterpoint status first --records csv",
            "counterpoint status first --baseline main",
        ],
    ),
    ("report", &["counterpoint report first"]),
    ("compact", &["counterpoint compact first"]),
    ("cancel", &["counterpoint cancel first"]),
    ("doctor", &["counterpoint doctor"]),
    (
        "list",
        &["counterpoint list engines ships", "counterpoint list rules flip", "counterpoint list encodings"],
    ),
    ("completions", &["counterpoint completions bash > counterpoint.bash"]),
    ("man", &["counterpoint man solve > solve.1", "counterpoint man --save man"]),
];
