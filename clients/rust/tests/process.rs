//! The process of a bot: its exit codes, its output and its signals, by the example `random`.

#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};

const USAGE: &str = "usage: random [options]; --help lists them\n";

fn example() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    test.ancestors().nth(2).expect("a folder").join("examples/random")
}

/// The example with a clean environment.
fn bot() -> Command {
    clean(Command::new(example()))
}

fn clean(mut command: Command) -> Command {
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// An address at which nobody listens.
fn nowhere() -> String {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").to_string()
}

/// Starts a bot that finds no server, and waits until it has tried: its signal handlers are there then.
fn tried(mut command: Command) -> Child {
    let mut bot = command.arg("--address").arg(nowhere()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(bot.stderr.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert!(line.contains(" INFO the connection broke ("), "{line}");
    bot
}

fn send(signal: &str, bot: &Child) {
    let ended = Command::new("kill").args([signal, &bot.id().to_string()]).status().expect("kill");
    assert!(ended.success());
}

fn code(ended: std::io::Result<ExitStatus>) -> Option<i32> {
    ended.expect("it ended").code()
}

#[test]
fn the_version_is_one_line() {
    let output = bot().arg("--version").stdout(Stdio::piped()).output().expect("it starts");
    let versions = format!("random-rust {0} (ordago rust {0})\n", env!("CARGO_PKG_VERSION"));
    assert_eq!((String::from_utf8_lossy(&output.stdout), output.status.code()), (versions.into(), Some(0)));
}

#[test]
fn a_wrong_command_line_is_told_in_one_sentence_behind_the_usage() {
    for (option, wrong) in
        [("--address", "host"), ("--token-file", "/nowhere"), ("--event", "A"), ("--nonce", "x"), ("--on-error", "go")]
    {
        let output = bot().args([option, wrong]).stderr(Stdio::piped()).output().expect("it starts");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.starts_with(&format!("{USAGE}error: {option}: ")) && told.lines().count() == 2, "{told}");
        assert_eq!(output.status.code(), Some(2));
    }
    for (words, sentence) in [
        (&["--tls=1"][..], "unexpected value '1' for '--tls' found; no more were expected"),
        (&["mus"], "unexpected argument 'mus' found"),
        (&["--addr", "a:1"], "unexpected argument '--addr' found"),
        (&["--matches", "-1"], "invalid value '-1' for '--matches <NUMBER>': it is not a number from 0 to 4294967295"),
        (&["--matches"], "a value is required for '--matches <NUMBER>' but none was supplied"),
    ] {
        let output = bot().args(words).stderr(Stdio::piped()).output().expect("it starts");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((told, output.status.code()), (format!("{USAGE}error: {sentence}\n"), Some(2)));
    }
    let by_variable = bot().env("ORDAGO_TLS", "yes").stderr(Stdio::piped()).output().expect("it starts");
    let told = format!("{USAGE}error: ORDAGO_TLS: 'yes' is neither 1 nor 0\n");
    assert_eq!(String::from_utf8_lossy(&by_variable.stderr), told);
}

#[test]
fn exit_codes_stay_if_the_output_cannot_be_written() {
    for (option, expected) in [("--version", 0), ("--help", 0), ("--address=host", 2), ("--unknown", 2)] {
        let full = || OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        assert_eq!(code(bot().arg(option).stdout(full()).stderr(full()).status()), Some(expected), "{option}");
        let script = format!("exec '{}' {option} 0<&- 1>&- 2>&-", example().display());
        assert_eq!(code(clean(Command::new("/bin/sh")).args(["-c", &script]).status()), Some(expected), "{option}");
    }
}

#[test]
fn a_bot_without_a_server_leaves_at_a_signal() {
    for signal in ["-HUP", "-INT", "-TERM"] {
        let mut bot = tried(bot()); // Its standard error is closed from here on.
        send("-PIPE", &bot);
        send(signal, &bot);
        assert_eq!(code(bot.wait()), Some(130), "{signal}");
    }
}

/// Whether a bot ignores SIGHUP, which is the lowest bit of the mask.
fn ignores_hangup(bot: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", bot.id())).expect("Linux has it");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask");
    u64::from_str_radix(mask.trim(), 16).expect("hexadecimal") & 1 == 1
}

#[test]
fn a_hangup_is_ignored_only_if_it_was_at_the_start() {
    let mut shell = clean(Command::new("/bin/sh"));
    shell.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(example());
    for (command, expected) in [(shell, true), (bot(), false)] {
        let mut bot = tried(command);
        assert_eq!(ignores_hangup(&bot), expected);
        send("-TERM", &bot);
        assert_eq!(code(bot.wait()), Some(130));
    }
}
