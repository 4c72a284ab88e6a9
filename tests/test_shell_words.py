"""Commands that need a shell are told so, and all others are read as a shell reads them."""

import shlex
from pathlib import Path

import pytest
from support.commands import assert_told, event_file, ordago

from ordago.shell_words import NoCommandError, command_words

NEEDS_A_SHELL = [
    ("D=1 python bot.py", "D=1"),
    ("PATH+=:/x bot", "PATH+="),
    ("~/bot", "~/bot"),
    ("python ~/bot.py", "~/bot.py"),
    ("$HOME/bot", "$HOME/bot"),
    ("python $HOME/bot.py", "$HOME"),
    ("python ${HOME}/bot.py", "${HOME"),
    ('python "$HOME/bot.py"', "$HOME"),
    ("python $(which bot)", "$("),
    ("python `which bot`", "`"),
    ('python "`which bot`"', "`"),
    ("python bot.py | tee log", "|"),
    ("python bot.py|tee log", "|"),
    ("make && ./bot", "&&"),
    ("./bot || true", "||"),
    ("./bot; true", ";"),
    ("./bot &", "&"),
    ("./bot > log", ">"),
    ("./bot 2>&1", "2>"),
    ("./bot < moves", "<"),
    ("(./bot)", "("),
    ("make\n./bot", "line break"),
    ("python *.py", "*.py"),
    ("python bot?.py", "bot?.py"),
    ("python bot[12].py", "bot[12].py"),
    ("python {a,b}.py", "{a,b}.py"),
    ("export D=1", "export"),
    ("cd bots && ./bot", "cd"),
    ("exec ./bot", "exec"),
    (". venv/bin/activate", "."),
    ("source venv/bin/activate", "source"),
    ("./bot # mine", "#"),
    ("./bot 'open", "open quote"),
    ('./bot "open', "open quote"),
    ("./bot \\", "open quote"),
]
NEEDS_NONE = [
    "python bot.py",
    "python bot.py --level=3 -x a=b C=~ 100%",
    "sh -c 'D=1 exec python ~/bot.py | tee $HOME/log > x; y && z *'",
    'sh -c "a | b > c; echo \\$HOME \\`x\\`"',
    "./bot 'it''s' \"it's\" --url 'http://h/?a=1&b=2' a\\ b \\$HOME \\*",
    "env D=1 python bot.py",
    "java -cp a.jar:b.jar -Xmx1g Bot",
    "./bot --weights 1,2 {} a#b file~ a~b",
    "  ./bot  \n",
    "/usr/bin/東京 --é",
]


@pytest.mark.parametrize(("text", "named"), NEEDS_A_SHELL)
def test_what_needs_a_shell_is_told_with_what_to_write_instead(text: str, named: str):
    with pytest.raises(NoCommandError) as told:
        command_words(text)
    sentence = str(told.value)
    assert named in sentence
    assert sentence.isprintable()
    assert ": " in sentence or "; " in sentence, "what to do instead"


@pytest.mark.parametrize("text", NEEDS_NONE)
def test_all_else_is_read_as_by_a_shell(text: str):
    assert command_words(text) == tuple(shlex.split(text))


@pytest.mark.parametrize("command", ["check", "run"])
@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('command = "D=1 python bot.py"', "'command' begins with 'D=1', and no shell reads commands: set it by env"),
        ('command = ["D=1", "python"]', "'command' begins with 'D=1'"),
        ('command = ["~/bot"]', "'command' begins with '~/bot', and no shell reads commands: write the path in full"),
        ('command = "./bot"\nfolder = "."\nbuild = "make && true"', "'build' holds '&&', and no shell reads commands"),
    ],
)
def test_an_event_file_says_so(tmp_path: Path, command: str, written: str, told: str):
    event = event_file(tmp_path)
    event.write_text(event.read_text(encoding="utf-8").replace('house = "default"', written), encoding="utf-8")
    arguments = ("--out", tmp_path / "out") if command == "run" else ()
    assert_told(ordago(command, event, *arguments), 2, f"[[entrant]] 2: {told}")


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "mittlere", "--bot", "cmd:D=1 python bot.py", "--bot", "house:random", "--bot", "house:random"),
        ("match", "cmd:D=1 python bot.py", "house:random", "--game", "mitaines"),
        ("bench", "clients", "--bot", "mine=D=1 python bot.py"),
        ("doctor", "--", "D=1", "python", "bot.py"),
    ],
)
def test_other_commands_say_so(arguments: tuple[str, ...]):
    assert_told(ordago(*arguments), 2, "begins with 'D=1', and no shell reads commands", "env D=1")
