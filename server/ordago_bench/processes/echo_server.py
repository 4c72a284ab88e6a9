"""The echo that the server is compared with: a bare grpc.aio server that answers each frame with one of fixed size."""

import argparse
import asyncio
from collections.abc import AsyncIterator

import grpc
import grpc.aio

from ordago_bench.latency import Latencies
from ordago_bench.processes.worker import Tally, answer_marks

METHOD = "Echo"
SERVICE = "ordago_bench.Echo"


async def _serve(frame_bytes: int) -> None:
    answer = b"\x00" * frame_bytes

    async def echo(
        requests: AsyncIterator[bytes], _context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        async for _ in requests:
            yield answer

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(echo)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {METHOD: handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    answer_marks(Tally, Latencies(), ready={"port": port})
    await server.wait_for_termination()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("frame_bytes", type=int)
    asyncio.run(_serve(parser.parse_args().frame_bytes))
