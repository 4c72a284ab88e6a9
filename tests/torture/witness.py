"""Honest bots at a server that is attacked: one that is there, and newcomers one after the other."""

import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import grpc
from support.frames import body_of, choice, from_bot, hello

from ordago import v1

_METHOD = "/ordago.v1.BotService/Play"
_OPTIONS = [("grpc.use_local_subchannel_pool", 1)]
_PAUSE_SECONDS = 0.05
_NEWCOMER_PAUSE_SECONDS = 0.2
_PATIENCE_SECONDS = 30.0


class Witness:
    """Measures what honest bots get to feel."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._over = threading.Event()
        self.answered: list[float] = []
        """How long the server took for each answer of the bot that is there, in seconds."""
        self.welcomed: list[float] = []
        """How long each newcomer took to be welcomed, in seconds."""
        self.refusals: list[str] = []
        """What newcomers were told who did not come in."""
        self.lost = ""
        """How the bot that is there was thrown out, if it was."""
        self._here = threading.Event()
        self._threads = [threading.Thread(target=self._stay), threading.Thread(target=self._come)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        assert self._here.wait(_PATIENCE_SECONDS)
        self._threads[1].start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _stay(self) -> None:
        with grpc.insecure_channel(f"127.0.0.1:{self._port}", options=_OPTIONS) as channel:
            method: Any = channel.stream_stream(_METHOD)
            asked = threading.Semaphore(1)

            def frames() -> Any:
                yield from_bot(hello(max_matches=1))
                while not self._over.wait(_PAUSE_SECONDS):
                    asked.acquire()
                    self._sent = time.perf_counter()
                    yield from_bot(choice(99, 1))

            call = method(frames())
            try:
                for frame in call:
                    for one in v1.PlayResponse.FromString(frame).messages:
                        if isinstance(body_of(one), v1.Refused):
                            self.answered.append(time.perf_counter() - self._sent)
                            asked.release()
                        self._here.set()
            except grpc.RpcError as error:
                self.lost = str(error)
            asked.release()
            self._here.set()

    def _come(self) -> None:
        number = 0
        while not self._over.wait(_NEWCOMER_PAUSE_SECONDS):
            number += 1
            begun = time.perf_counter()
            while not self._over.is_set():
                refusal = self._welcome(number)
                if not refusal:
                    self.welcomed.append(time.perf_counter() - begun)
                    break
                self.refusals.append(refusal)
                time.sleep(_NEWCOMER_PAUSE_SECONDS)

    def _welcome(self, number: int) -> str:
        """Come in as a new process, and leave; return why that was not possible."""
        greeted = threading.Event()

        def frames() -> Iterator[bytes]:
            yield from_bot(hello(nonce=number.to_bytes(16), max_matches=1))
            # A server that hears of the end at once may end the stream before it has greeted the newcomer.
            greeted.wait(_PATIENCE_SECONDS)
            yield from_bot(v1.Goodbye())

        with grpc.insecure_channel(f"127.0.0.1:{self._port}", options=_OPTIONS) as channel:
            method: Any = channel.stream_stream(_METHOD)
            call = method(frames(), timeout=10)
            try:
                next(call)
            except StopIteration:
                return "the stream ended without a word"
            except grpc.RpcError:
                return f"{call.code().name}: {call.details()}"
            finally:
                greeted.set()
        return ""
