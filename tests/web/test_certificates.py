"""The certificate of a site, which is renewed while it runs."""

import ssl
from functools import partial
from pathlib import Path

import pytest
import trio
import trustme
from support.certificates import Files

from ordago_web.context import AppContext
from ordago_web.pages import Pages
from ordago_web.serving.listener import Place, listening
from ordago_web.serving.server import serve_site
from ordago_web.site import site

ASKED = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


async def is_believed(port: int, tls: ssl.SSLContext) -> bool:
    stream = await trio.open_ssl_over_tcp_stream("127.0.0.1", port, ssl_context=tls)
    try:
        await stream.do_handshake()
    except trio.BrokenResourceError:
        return False
    finally:
        await trio.aclose_forcefully(stream)
    return True


@pytest.mark.slow
async def test_a_renewed_certificate_is_taken_up_while_connections_go_on(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("ordago_web.serving.server._LOOK_SECONDS", 0.02)
    files, renewed = Files(tmp_path), trustme.CA()
    place = Place(address="127.0.0.1:0", certificate=files.certificate, key=files.key)
    with listening(place.address) as listener, trio.fail_after(30):
        nursery.start_soon(
            partial(serve_site, site(AppContext(pages=Pages())), listener, place, until=trio.sleep_forever)
        )
        port = listener.getsockname()[1]
        before = await trio.open_ssl_over_tcp_stream("127.0.0.1", port, ssl_context=files.trusting())
        await before.do_handshake()
        key = files.key.read_bytes()
        files.issue(renewed)
        new_key = files.key.read_bytes()
        # Whoever renews writes one file after the other.
        files.key.write_bytes(key)
        await trio.sleep(0.1)
        files.key.write_bytes(new_key)
        while not await is_believed(port, files.trusting(of=renewed)):  # noqa: ASYNC110 - it is seen by trying alone
            await trio.sleep(0.02)
        assert not await is_believed(port, files.trusting())
        await before.send_all(ASKED)
        assert b"200" in await before.receive_some(4096)
        await before.aclose()
        nursery.cancel_scope.cancel()
    assert "stays in use" in caplog.text
