"""The filter of system calls says what its rules say, on both kinds of processors."""

import errno
import struct
from collections.abc import Sequence

import pytest

from ordago.arena.processes.isolation.seccomp import MACHINES, RULES, assembled

ALLOWED, KILLED, REFUSED = 0x7FFF0000, 0x80000000, 0x00050000
NUMBERS = {name: machine.numbers for name, machine in MACHINES.items()}
each_machine = pytest.mark.parametrize("machine", MACHINES)


def verdict(program: bytes, mark: int, number: int, arguments: Sequence[int] = ()) -> int:
    """Return what the kernel would do: its machine for filters, as far as the filter uses it."""
    padded = (*arguments, *[0] * 6)[:6]
    call = struct.pack("=IIQ6Q", number, mark, 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", program))
    at, held = 0, 0
    while True:
        code, jump_if, jump_else, value = steps[at]
        at += 1
        if code == 0x20:
            [held] = struct.unpack_from("=I", call, value)
        elif code == 0x54:
            held &= value
        elif code == 0x06:
            return value
        else:
            holds = {0x15: held == value, 0x35: held >= value}[code]
            at += jump_if if holds else jump_else


def of(machine: str, call: str, *arguments: int) -> int:
    return verdict(assembled(MACHINES[machine]), MACHINES[machine].mark, NUMBERS[machine][call], arguments)


@each_machine
def test_the_program_fits_into_the_kernel(machine: str) -> None:
    program = assembled(MACHINES[machine])
    assert len(program) % 8 == 0
    assert len(program) // 8 <= 4096


@each_machine
def test_what_is_refused_always_is_refused(machine: str) -> None:
    refused = {
        rule.call: REFUSED | rule.error for rule in RULES if rule.argument is None and rule.call in NUMBERS[machine]
    }
    assert refused
    assert {call: of(machine, call, 1, 2, 3, 4, 5, 6) for call in refused} == refused


@each_machine
@pytest.mark.parametrize(
    ("call", "arguments", "error"),
    [
        ("socket", (1, 1, 0), 0),
        ("socket", (2, 1, 0), errno.EAFNOSUPPORT),
        ("socket", (10, 2, 0), errno.EAFNOSUPPORT),
        ("socket", (16, 3, 0), errno.EAFNOSUPPORT),
        ("socketpair", (1, 1, 0), 0),
        ("clone", (0x003D0F00,), 0),
        ("clone", (0x01200011,), 0),
        ("clone", (0x10000000,), errno.EPERM),
        ("clone", (0x00020011,), errno.EPERM),
        ("fcntl", (3, 4, 2048), 0),
        ("fcntl", (3, 1030, 0), 0),
        ("fcntl", (3, 6, 0), errno.EPERM),
        ("fcntl", (3, 37, 0), errno.EPERM),
        ("fcntl", (3, 1026, 0), errno.EPERM),
        ("fcntl", (3, 1036, 0), errno.EPERM),
        ("ioctl", (0, 0x5401), 0),
        ("ioctl", (0, 0x5412), errno.ENOTTY),
        ("ioctl", (0, (1 << 32) | 0x5412), errno.ENOTTY),
        ("ioctl", (3, 0x40086602), errno.ENOTTY),
        ("preadv2", (3, 0, 1, 0, 0, 0), 0),
        ("preadv2", (3, 0, 1, 0, 0, 0x18), errno.EOPNOTSUPP),
        ("prlimit64", (0, 7), 0),
        ("prlimit64", (4711, 7), errno.EPERM),
        ("sched_setaffinity", (0,), 0),
        ("sched_setaffinity", (4711,), errno.EPERM),
        ("mmap", (0, 4096, 3, 0x22), 0),
        ("mmap", (0, 4096, 3, 0x01), 0),
        ("mmap", (0, 4096, 3, 0x21), errno.EPERM),
        ("openat", (0, 0, 0o102), 0),
        ("openat", (0, 0, 0o20200002), errno.EOPNOTSUPP),
    ],
)
def test_arguments_decide(machine: str, call: str, arguments: tuple[int, ...], error: int) -> None:
    assert of(machine, call, *arguments) == (REFUSED | error if error else ALLOWED)


@each_machine
def test_other_calls_are_allowed_and_foreign_programs_killed(machine: str) -> None:
    program, mark = assembled(MACHINES[machine]), MACHINES[machine].mark
    named = set(NUMBERS[machine].values())
    assert {verdict(program, mark, number) for number in range(500) if number not in named} == {ALLOWED}
    assert verdict(program, 0x40000003, 20) == KILLED, "a program for 32 bits has other numbers"
    assert verdict(program, mark, 0x40000000 | 20) == KILLED


def test_each_rule_is_about_a_call_that_some_machine_has() -> None:
    assert {rule.call for rule in RULES} == {call for numbers in NUMBERS.values() for call in numbers}
    assert len({rule.call for rule in RULES}) == len(RULES), "of two rules about a call only the first would count"
