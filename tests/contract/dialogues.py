"""Dialogues in the text of a page: read line by line, and played at a real server in virtual time."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import trio
from contract.notation import ANYTHING, NotationError, Shape, differences, filled, read_body
from contract.stage import Act, Setting, Stage
from google.protobuf import text_format

from ordago import v1

_BLOCK = re.compile(r"^```dialogue\n(.*?)^```", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^##* (.+)$", re.MULTILINE)
_TABLE = re.compile(r"a table of (\w+) for ([\w, ]+?)(?: with ([\w ,]+))?(; tokens are asked for)?")
_LINES = {
    "says": re.compile(r"(\w+(?: again)?) → (.+)", re.DOTALL),
    "hears": re.compile(r"(\w+(?: again)?) ← (.+)", re.DOTALL),
    "comes": re.compile(r"(\w+(?: again)?) comes with the token (\S+)"),
    "plays": re.compile(
        r"(\w+(?: again)?) takes the (first legal action|default answer) each time(?:, after ([\d,]+) ms)?"
    ),
    "breaks": re.compile(r"(\w+(?: again)?) breaks off"),
    "passes": re.compile(r"([\d,]+) ms pass"),
    "drains": re.compile(r"the server drains for ([\d,]+) ms"),
    "ends": re.compile(r"the server ends"),
}
_KINDS = v1.ServerMessage.DESCRIPTOR.fields_by_name
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|(?:^|\s+)#.*')
_STATUS = re.compile(r'status (\w+)(?:: "(.*)")?(?:, retry-after-ms ([\d,]+))?', re.DOTALL)


class DialogueError(Exception):
    """The server does not say what stands in the text, or the text cannot be read. It says where, and what."""


class Statement(NamedTuple):
    """A line of a dialogue, with those that go on with it."""

    line: int
    """Where it stands in its page, from 1."""
    text: str
    verb: str
    words: tuple[str, ...]


class Dialogue(NamedTuple):
    """A dialogue of a page."""

    page: str
    section: str
    """The heading that it stands under."""
    line: int
    text: str
    setting: Setting
    statements: tuple[Statement, ...]

    @property
    def speakers(self) -> list[str]:
        """Those who say something."""
        return [one.words[0].partition(" ")[0] for one in self.statements if one.verb in ("says", "comes")]


def dialogues_of(page: Path) -> list[Dialogue]:
    """Return the dialogues of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        read_dialogue(page.name, found[1], text[: found.start(1)].count("\n") + 1, _section(text[: found.start()]))
        for found in _BLOCK.finditer(text)
    ]


def _section(text: str) -> str:
    return str(_HEADING.findall(re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))[-1])


def read_dialogue(page: str, text: str, first_line: int, section: str = "") -> Dialogue:
    """Read a dialogue that begins at a line of a page.

    Raises:
        DialogueError: a line cannot be read.
    """
    lines = list(_joined(text, first_line))
    number, table = lines[0] if lines else (first_line, "")
    found = _TABLE.fullmatch(table)
    if found is None:
        sentence = "a dialogue begins with a table, for instance: a table of mus for ana, ben with decision_ms 1000"
        raise DialogueError(f"{page}, line {number}: {sentence}")
    try:
        setting = _setting(*found.groups())
        setting.terms({})
    except (LookupError, ValueError) as error:
        raise DialogueError(f"{page}, line {number}: {error}") from None
    return Dialogue(page, section, number, text, setting, tuple(_statement(page, *line) for line in lines[1:]))


def _joined(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    """Yield each line that is no comment, with those that are indented below it."""
    joined: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=first_line):
        said = _COMMENT.sub(lambda found: found[1] or "", line).rstrip()
        if line[:1].isspace() and joined:
            joined[-1][1].append(said)
        elif said:
            joined.append((number, [said]))
    return ((number, "\n".join(lines)) for number, lines in joined)


def _setting(game: str, names: str, values: str | None, tokens: str | None) -> Setting:
    pairs = (pair.split() for pair in (values or "").split(",") if pair)
    told = {name: int(value) if value.isdigit() else value for name, value in pairs}
    return Setting(game, tuple(names.split(", ")), told, bool(tokens))


def _statement(page: str, number: int, line: str) -> Statement:
    for verb, form in _LINES.items():
        found = form.fullmatch(line)
        if found is not None:
            return Statement(number, line, verb, found.groups())
    raise DialogueError(f"{page}, line {number}: this is no line of a dialogue: {line}")


class Performance:
    """A dialogue that is played."""

    def __init__(self, dialogue: Dialogue, stage: Stage) -> None:
        """Begin where nobody has said anything."""
        self._dialogue = dialogue
        self._stage = stage
        self._known: dict[str, object] = {"$token": stage.token}
        self._skips: set[str] = set()
        """Who may be told more than stands in the text until what it says next."""
        self._told_of = {one.words[0] for one in dialogue.statements if one.verb == "hears"}
        """Of whom the text shows what they are told."""

    async def play(self) -> DialogueError | None:
        """Play it to its end, and return where the server says something else, if it does."""
        for statement in self._dialogue.statements:
            failure = await self._try(statement)
            if failure:
                return DialogueError(f"{self._dialogue.page}, line {statement.line}: {failure}")
        try:
            self._all_was_heard()
        except NotationError as error:
            return DialogueError(
                f"{self._dialogue.page}, at the end of the dialogue of line {self._dialogue.line}: {error}"
            )
        return None

    async def _try(self, statement: Statement) -> str:
        """Play a statement, and return what is wrong with it."""
        try:
            if statement.verb != "hears":
                self._all_was_heard()
            await getattr(self, f"_{statement.verb}")(*statement.words)
        except (NotationError, text_format.ParseError) as error:
            return str(error)
        return ""

    def _all_was_heard(self) -> None:
        for who, line in self._stage.lines.items():
            if line.unheard and who in self._told_of - self._skips:
                raise NotationError(f"before that {who} is told what the text leaves out: {_shown(line.unheard[0])}")
            line.unheard.clear()
        self._skips.clear()

    async def _comes(self, who: str, token: str) -> None:
        self._stage.connect(who, filled(token, self._known).strip('"'))

    async def _says(self, who: str, text: str) -> None:
        await self._stage.says(who, self._frame(text))

    def _frame(self, text: str) -> bytes:
        if found := re.fullmatch(r"([\d,]+) bytes", text):
            return bytes(_number(found[1]))
        if found := re.fullmatch(r"the bytes ((?:[0-9a-f]{2} ?)+)", text):
            return bytes.fromhex(found[1])
        if found := re.fullmatch(r"([\d,]+) messages: (.+)", text, re.DOTALL):
            return self._frame(found[2]) * _number(found[1])
        body = text_format.Parse(filled(text, self._known), v1.BotMessage())
        return v1.PlayRequest(messages=[body]).SerializeToString()

    async def _hears(self, who: str, text: str) -> None:
        if text == ANYTHING:
            self._skips.add(who)
        elif text.startswith("status "):
            self._ended(who, text)
        else:
            self._told(who, text)

    def _told(self, who: str, text: str) -> None:
        kind, shape = read_body(text)
        if kind not in _KINDS:
            raise NotationError(f"the server has no message {kind!r}, but {', '.join(_KINDS)}")
        unheard = self._stage.line(who).unheard
        if who in self._skips:
            self._skips.discard(who)
            while unheard and not self._fits(unheard[0], kind, shape):
                unheard.pop(0)
        if not unheard:
            raise NotationError(f"the server says nothing more to {who}, where the text has {kind}")
        came = unheard.pop(0)
        if came.WhichOneof("body") != kind:
            raise NotationError(f"the server says {_shown(came)}, where the text has {kind}")
        wrong = list(differences(shape, getattr(came, kind), kind, self._known))
        if wrong:
            raise NotationError("; ".join(wrong))

    def _fits(self, message: v1.ServerMessage, kind: str, shape: Shape) -> bool:
        """Say whether a message is what stands in the text."""
        if message.WhichOneof("body") != kind:
            return False
        return not any(differences(shape, getattr(message, kind), kind, dict(self._known)))

    def _ended(self, who: str, text: str) -> None:
        found = _STATUS.fullmatch(text)
        ending = self._stage.line(who).ending
        if found is None or ending is None:
            raise NotationError("the stream has not ended" if found else f"this is no status: {text}")
        status, sentence, retry = found.groups()
        wanted = (status, ending.sentence if sentence in (None, ANYTHING) else sentence, _number(retry or "0"))
        came = (ending.status.value, ending.sentence, ending.retry_after_ms)
        if wanted != came:
            raise NotationError(f'the stream ends with {came[0]}: "{came[1]}", retry-after-ms {came[2]}')

    async def _plays(self, who: str, what: str, milliseconds: str | None) -> None:
        """Answer whatever is asked until the match is over."""
        pause_ms = _number(milliseconds or "0")
        while (asked := self._stage.line(who).asked) is not None:
            await self._stage.passes(pause_ms)
            answer = asked.default_answer if what == "default answer" else first_legal(asked)
            await self._stage.says(who, choice_frame(asked, answer, pause_ms))
        self._skips.add(who)

    async def _breaks(self, who: str) -> None:
        await self._stage.breaks(who)

    async def _passes(self, milliseconds: str) -> None:
        await self._stage.passes(_number(milliseconds))

    async def _drains(self, milliseconds: str) -> None:
        await self._stage.drains(_number(milliseconds))

    async def _ends(self) -> None:
        await self._stage.ends()


def first_legal(decision: v1.Decision) -> v1.Answer:
    """Return the first legal action, each open part as small as it may be."""
    action = decision.actions[0]
    cards = [card for pick in action.picks for card in pick.cards[: pick.min]]
    amount = action.amount.min if action.HasField("amount") else None
    return v1.Answer(legal_action=action.id, amount=amount, cards=cards)


def choice_frame(decision: v1.Decision, answer: v1.Answer, thought_ms: int) -> bytes:
    """Return the frame that answers a decision."""
    choice = v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=answer, thought_ms=thought_ms)
    return v1.PlayRequest(messages=[v1.BotMessage(choice=choice)]).SerializeToString()


def _shown(message: v1.ServerMessage) -> str:
    return text_format.MessageToString(message, as_one_line=True)[:300]


def _number(text: str) -> int:
    return int(text.replace(",", ""))


async def play_dialogue(dialogue: Dialogue, folder: Path) -> tuple[Act, ...]:
    """Play a dialogue and return all that happened.

    Args:
        dialogue: the dialogue.
        folder: where the server keeps its accounts, if it asks for tokens.

    Raises:
        DialogueError: the server says something else than the text.
    """
    async with trio.open_nursery() as nursery:
        stage = Stage(dialogue.setting, nursery, speakers=dialogue.speakers, folder=folder)
        failure = await Performance(dialogue, stage).play()
        acts = tuple(stage.acts)
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return acts
