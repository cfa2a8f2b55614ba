//! Ships: the inputs that the reader accepts, and its errors for all others.

use counterpoint::input::{Source, Warnings};
use counterpoint::problem::{Problem, Scope, instances};
use counterpoint::problems::ships::Ships;
use counterpoint::problems::ships::{Fleet, Instance};
use counterpoint::rules::Settings;

/// The games, the error that ended them, if any, and the warnings.
fn read_as(dialect: &str, text: &str) -> (Vec<Instance>, Option<String>, Vec<String>) {
    let settings = Settings::new(Ships::RULES, &[("dialect".into(), dialect.into())], &|_| unreachable!());
    let warnings = Warnings::default();
    let rules = Ships::rules(&settings.unwrap()).unwrap();
    let (mut games, mut error) = (Vec::new(), None);
    for next in instances(Ships::read(rules, Scope::Judge, Source::from_text("g", text), &warnings)) {
        assert_eq!(error, None, "a game follows an error");
        match next {
            Ok(game) => games.push(game),
            Err(e) => error = Some(e.to_string()),
        }
    }
    (games, error, warnings.take().iter().map(ToString::to_string).collect())
}

fn sizes(dialect: &str, text: &str) -> Vec<String> {
    let (games, error, _) = read_as(dialect, text);
    assert_eq!(error, None, "{text}");
    games.iter().map(|game| game.size.to_string()).collect()
}

fn error_as(dialect: &str, text: &str) -> (usize, String) {
    let (games, error, warnings) = read_as(dialect, text);
    assert_eq!(warnings, [""; 0], "{text}");
    (games.len(), error.unwrap_or_else(|| panic!("no error in {text:?}")))
}

#[test]
fn errors_of_malformed_games_have_positions() {
    for (text, games, message) in [
        ("xo\n", 0, "g:1:1: 'xo' is not a header; a game begins with `w h`"),
        ("2\nxo\n", 0, "g:1:2: a header has two numbers, width and height; the second is missing"),
        ("2 2 2\n", 0, "g:1:5: '2' follows the header; a header has two numbers"),
        ("2 x\n", 0, "g:1:3: 'x' is not a valid side; a header is two numbers from 2 to 16"),
        ("2x 2\n", 0, "g:1:1: '2x' is not a valid side; a header is two numbers from 2 to 16"),
        ("2 -2\n", 0, "g:1:3: '-2' is not a valid side; a header is two numbers from 2 to 16"),
        (
            "2 99999999999\n",
            0,
            "g:1:3: '99999999999' is not a valid side; a header is two numbers from 2 to 16",
        ),
        ("0 5\n", 0, "g:1:1: a board has sides from 2 to 16, not 0"),
        ("5 0\n", 0, "g:1:3: a board has sides from 2 to 16, not 0"),
        ("1 5\n", 0, "g:1:1: a board has sides from 2 to 16, not 1"),
        ("17 3\n", 0, "g:1:1: a board has sides from 2 to 16, not 17"),
        ("3 17\n", 0, "g:1:3: a board has sides from 2 to 16, not 17"),
        ("2 2\nxo\nxq\n0 0\n", 0, "g:3:2: 'q' is not a square; use 'x', 'o' or '.'"),
        ("2 2\nxo\nX.\n0 0\n", 0, "g:3:1: 'X' is not a square; use 'x', 'o' or '.'"),
        ("2 2\nxo\n\u{1}.\n0 0\n", 0, "g:3:1: '\\x01' is not a square; use 'x', 'o' or '.'"),
        ("2 2\n  x\n..\n0 0\n", 0, "g:2:4: the row has 1 squares instead of 2"),
        ("2 2\nxo.\n..\n0 0\n", 0, "g:2:3: the row has 3 squares instead of 2"),
        ("2 2\nxo .\n..\n0 0\n", 0, "g:2:4: '.' follows the row; a row is one word of 'x', 'o' and '.'"),
        ("2 2\nx .\n..\n0 0\n", 0, "g:2:2: the row has 1 squares instead of 2"),
        ("2 2\nxo\n0 0\n", 0, "g:3:1: the game has 1 of its 2 rows"),
        ("2 2\nxo\n\n\n", 0, "g:3:1: the game has 1 of its 2 rows"),
        ("2 2\nxo", 0, "g:3:1: the game has 1 of its 2 rows"),
        ("2 2\n", 0, "g:2:1: the game has 0 of its 2 rows"),
        ("2 2\n2 2\nxo\nox\n0 0\n", 0, "g:2:1: the game has 0 of its 2 rows"),
        (
            "2 2\nxo\nxo\nxo\n0 0\n",
            1,
            "g:4:1: the game already has its 2 rows; expected a header `w h` or `0 0`",
        ),
        (
            "2 2\nxo\nxo\nab cd\n9 9\n",
            1,
            "g:4:1: the game already has its 2 rows; expected a header `w h` or `0 0`",
        ),
        ("2 2\nxo\nxo .\nab cd\n", 0, "g:3:4: '.' follows the row; a row is one word of 'x', 'o' and '.'"),
        ("2 2\nxo\nxo\n7\n", 1, "g:4:2: a header has two numbers, width and height; the second is missing"),
        (
            "2 2\nxo\nxo\n\n2 2\nxo\nx!\n2 2\n..\n..\n0 0\n",
            1,
            "g:7:2: '!' is not a square; use 'x', 'o' or '.'",
        ),
        ("2 2\nxo\nx?\n0 5\n", 0, "g:3:2: '?' is not a square; use 'x', 'o' or '.'"),
        ("3 2\nxoo\noo\n0 0\n", 0, "g:3:3: the row has 2 squares instead of 3"),
        ("\u{feff}2 2\nxq\n", 0, "g:2:2: 'q' is not a square; use 'x', 'o' or '.'"),
        ("3 2\n...\n...\n2 3\n..\n..\n..\n4 2\n..\n..\n", 2, "g:9:3: the row has 2 squares instead of 4"),
    ] {
        assert_eq!(error_as("auto", text), (games, message.to_owned()), "{text}");
    }
}

#[test]
fn the_order_of_headers_is_inferred_from_the_rows() {
    let uva = "3 2\n...\n...\n\n4 4\n....\n....\n....\n....\n0 0\n";
    let poj = "2 3\n...\n...\n\n4 4\n....\n....\n....\n....\n0 0\n";
    assert_eq!(sizes("auto", uva), ["3x2", "4x4"]);
    assert_eq!(sizes("auto", poj), ["3x2", "4x4"]);
    assert_eq!(sizes("uva", uva), ["3x2", "4x4"]);
    assert_eq!(sizes("poj", poj), ["3x2", "4x4"]);
    assert_eq!(sizes("poj", "4 4\n....\n....\n....\n....\n0 0\n"), ["4x4"]);
    assert_eq!(
        error_as("uva", poj),
        (0, "g:1:1: the rows are 3 wide and 2 high, so the header is `h w`; use --dialect poj".into())
    );
    assert_eq!(
        error_as("poj", uva),
        (0, "g:1:1: the rows are 3 wide and 2 high, so the header is `w h`; use --dialect uva".into())
    );
    // The first game that shows the order of its header also determines the order for the games before it.
    let late = "4 4\n....\n....\n....\n....\n2 3\n...\n...\n3 2\n..\n..\n..\n0 0\n";
    assert_eq!(sizes("auto", late), ["4x4", "3x2", "2x3"]);
    // So does a game with a surplus line, which is an error only after that game.
    for (text, size) in [("2 3\n...\n...\n...\n0 0\n", "3x2"), ("3 2\n...\n...\n-3 4\n", "3x2")] {
        let (games, error, _) = read_as("auto", text);
        assert_eq!((games.len(), games[0].size.to_string().as_str()), (1, size), "{text}");
        let place = "g:4:1: the game already has its 2 rows";
        assert!(error.is_some_and(|error| error.starts_with(place)), "{text}");
    }
    let (games, error, _) = read_as("auto", "4 4\n....\n....\n....\n....\n2 3\n...\n...\n\0\n3 3\n");
    assert_eq!((games.len(), games[1].size.to_string().as_str()), (2, "3x2"));
    assert!(error.is_some_and(|error| error.starts_with("g:9:1: ")));
    assert_eq!(
        error_as("uva", "2 3\n...\n...\n-3 4\n"),
        (0, "g:1:1: the rows are 3 wide and 2 high, so the header is `h w`; use --dialect poj".into())
    );
    let both = "3 2\n...\n...\n2 3\n...\n...\n0 0\n";
    let message = "g:4:1: the rows are 3 wide and 2 high, so the header is `h w`; line 1 has the other \
                   order; a file must keep to one order, see --dialect";
    assert_eq!(error_as("auto", both), (1, message.into()));
}

#[test]
fn blank_lines_and_spaces_are_tolerated() {
    let plain = "2 3\nxo\n.o\n..\n\n3 2\nxox\n...\n0 0\n";
    let (expected, ..) = read_as("auto", plain);
    assert_eq!(expected.len(), 2);
    let close = "2 3\nxo\n.o\n..\n3 2\nxox\n...\n0 0\n0 5 nonsense after the end mark\n";
    let spaced = "\n\n  2   3 \n\nxo \t\n\n .o\n..\n\n\n3 2\nxox\n...\n\n 0  0 ";
    for text in [&plain.replace('\n', "\r\n"), close, spaced, &format!("\u{feff}{plain}"), plain.trim_end()] {
        assert_eq!(read_as("auto", text), (expected.clone(), None, vec![]), "{text:?}");
    }
    let (games, error, warnings) = read_as("auto", "2 2\nxo\n..\n");
    assert_eq!((games.len(), error), (1, None));
    assert_eq!(warnings, ["g:4:1: `0 0` is missing at the end"]);
    let (games, _, warnings) = read_as("auto", "\n \n");
    assert_eq!(
        (games.len(), warnings),
        (0, vec!["g:3:1: the input is empty; a game is `w h` and h rows".into()])
    );
    assert_eq!(read_as("auto", "0 0\n"), (vec![], None, vec![]));
}

#[test]
fn a_written_game_can_be_read() {
    let (games, ..) = read_as("auto", "5 2\nxo..x\n.o.xx\n0 0\n");
    let settings = Settings::new(Ships::RULES, &[], &|_| unreachable!()).unwrap();
    let rules = Ships::rules(&settings).unwrap();
    let text = Ships::write_instance(&rules, &games[0]);
    assert_eq!(text, "5 2\nxo..x\n.o.xx\n0 0\n");
    assert_eq!(read_as("auto", &text).0, games);
}

#[test]
fn larger_boards_are_read_outside_of_the_judge() {
    let settings = Settings::new(Ships::RULES, &[], &|_| unreachable!()).unwrap();
    let warnings = Warnings::default();
    let read = |scope, text: &str| {
        let rules = Ships::rules(&settings).unwrap();
        instances(Ships::read(rules, scope, Source::from_text("g", text), &warnings)).next().unwrap()
    };
    let board = |w: usize, h: usize| format!("{w} {h}\n{}0 0\n", format!("{}\n", ".".repeat(w)).repeat(h));
    assert_eq!(read(Scope::Open, &board(32, 17)).unwrap().size.to_string(), "32x17");
    assert_eq!(
        read(Scope::Open, &board(33, 2)).unwrap_err().to_string(),
        "g:1:1: a board has sides from 2 to 32, not 33"
    );
    assert!(read(Scope::Judge, &board(16, 17)).is_err());
}

fn fleet(text: &str) -> Result<Fleet, String> {
    let settings = Settings::new(Ships::RULES, &[("fleet".into(), "f".into())], &|_| Ok(text.to_owned()))?;
    Ok(Ships::rules(&settings)?.fleet)
}

#[test]
fn fleets_are_pictures() {
    let standard = "xx\nxx\n\n.xx\nxx\n\nxx\n xx\n\nx..\nxxx\n\n x \nxxx\n\n  x\nxxx\n\nxxxx\n";
    for text in [standard.to_owned(), standard.replace('\n', "\r\n"), format!("\n\n{standard}\n\n")] {
        let read = fleet(&text).unwrap();
        assert_eq!(read.ships.len(), 7);
        for (a, b) in read.ships.iter().zip(Fleet::standard().ships) {
            assert_eq!(a.cells, b.cells);
        }
    }
    let names: Vec<_> = fleet("x\n\nx\n").unwrap().ships.into_iter().map(|ship| ship.name).collect();
    assert_eq!(names, ["1", "2"]);
    for (text, message) in [
        ("", "f:1:1: the fleet has no ship; a ship is rows of 'x', with a blank line after it"),
        (" .\n..\n\n", "f:1:1: the fleet has no ship; a ship is rows of 'x', with a blank line after it"),
        ("xx\nxo\n", "f:2:2: 'o' is not a cell; use 'x', and '.' or a space for gaps"),
        ("xx\n\n\nx.x\n", "f:4:1: the ship is not connected; its cells must touch along edges"),
        ("x.\n.x\n", "f:1:1: the ship is not connected; its cells must touch along edges"),
        ("xxxxxxxx\nxxxxxxxx\nx\n", "f:3:1: a ship has at most 16 cells"),
        (&"x\n\n".repeat(33), "f:65:1: a fleet has at most 32 ships"),
    ] {
        assert_eq!(fleet(text), Err(message.to_owned()), "{text:?}");
    }
    assert_eq!(fleet(&"x\n\n".repeat(32)).unwrap().ships.len(), 32);
    assert!(fleet("xxxxxxxxxxxxxxxx\n").is_ok());
}
