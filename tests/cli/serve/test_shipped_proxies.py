"""The proxies' files that come with Ordago: the site learns who asks, and streams go on for hours."""

import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import trustme
import yaml
from support.behind_proxies import NAME, assert_streams_stay, both, running, told_to_the_site
from support.shipped import ROOT

DEPLOY = ROOT / "deploy"
ENVOY = yaml.safe_load((DEPLOY / "envoy.yaml").read_text(encoding="utf-8"))
GRPC = ("/ordago.", "/grpc.health.")
"""What calls begin with; all else is the site's."""


def of_nginx(text: str, folder: Path, _port: int) -> Sequence[str]:
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    whole = f"daemon off; pid {folder}/pid; events {{}}\nhttp {{ access_log off; {paths}\n{text}\n}}\n"
    (folder / "nginx.conf").write_text(whole)
    return ("-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf"))


def of_envoy(text: str, folder: Path, _port: int) -> Sequence[str]:
    (folder / "envoy.yaml").write_text(text.replace('"::", ipv4_compat: true', "127.0.0.1"))
    return ("--config-path", str(folder / "envoy.yaml"), "--concurrency", "1", "--use-dynamic-base-id")


def of_caddy(text: str, folder: Path, port: int) -> Sequence[str]:
    """It would ask an authority of the world for a certificate."""
    whole = f"{{\nadmin off\nauto_https disable_redirects\nstorage file_system {folder}\n}}\n{text}"
    here = f"https://{NAME}:{port} {{\n\ttls {folder}/server.pem {folder}/server.key\n"
    (folder / "Caddyfile").write_text(whole.replace(f"{NAME} {{\n", here))
    return ("run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile"))


PROXIES: Mapping[str, tuple[str, Callable[[str, Path, int], Sequence[str]]]] = {
    "nginx": ("nginx.conf", of_nginx),
    "caddy": ("Caddyfile", of_caddy),
    "envoy": ("envoy.yaml", of_envoy),
}


def here(text: str, ports: Mapping[str, int], files: Path) -> str:
    """Return a file of a proxy with ports and certificates of this machine."""
    for told, port in ports.items():
        text = re.sub(rf"(?<=[ :]){told}\b", str(port), text)
    return text.replace("/etc/ordago", str(files))


def certified(folder: Path) -> bytes:
    """Write a certificate for the proxy, and return the authority that its clients believe."""
    authority = trustme.CA()
    issued = authority.issue_cert(NAME)
    issued.private_key_pem.write_to_path(folder / "server.key")
    (folder / "server.pem").write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
    return authority.cert_pem.bytes()


@pytest.mark.slow
@pytest.mark.parametrize("proxy", PROXIES)
def test_calls_and_pages_come_through_and_nobody_says_who_they_are(proxy: str, tmp_path: Path) -> None:
    program = shutil.which(proxy) or shutil.which(proxy, path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip(f"there is no {proxy}: the other tests read its file")
    name, arguments = PROXIES[proxy]
    authority = certified(tmp_path)
    with both() as ports:
        text = here((DEPLOY / name).read_text(encoding="utf-8"), ports, tmp_path)
        with running([program, *arguments(text, tmp_path, ports["443"])]):
            assert_streams_stay(ports["443"], authority)
            claimed = {"X-Forwarded-For": "203.0.113.9"}
            told = told_to_the_site(ports["443"], authority, "/ladder?page=2", **claimed)
            assert (told["path"], told["host"]) == ("/ladder?page=2", NAME)
            addresses = re.split(r", ?", ",".join(told["forwarded"]))
            # Envoy names this machine by its own address.
            assert addresses[-1] != claimed["X-Forwarded-For"]
            assert ip_address(addresses[-1])


def test_every_proxy_takes_the_same_calls_to_the_server_and_passes_the_host_on() -> None:
    nginx, caddy = ((DEPLOY / name).read_text(encoding="utf-8") for name in ("nginx.conf", "Caddyfile"))
    assert re.findall(r"location (\S+) \{", nginx) == [*GRPC, "/"]
    assert re.findall(r"@grpc path (.+)$", caddy, flags=re.MULTILINE) == [" ".join(f"{path}*" for path in GRPC)]
    assert [route["match"]["prefix"] for route in routes()] == [*GRPC, "/"]
    assert [route["route"]["cluster"] for route in routes()] == ["server", "server", "site"]
    for line in ("proxy_set_header Host $host;", "X-Forwarded-For $proxy_add_x_forwarded_for;", "proxy_buffering off;"):
        assert line in nginx
    # Caddy does both by itself.
    assert "flush_interval -1" in caddy


def manager() -> dict[str, Any]:
    [listener] = ENVOY["static_resources"]["listeners"]
    [chain] = listener["filter_chains"]
    [filtered] = chain["filters"]
    managed: dict[str, Any] = filtered["typed_config"]
    return managed


def routes() -> list[dict[str, Any]]:
    [host] = manager()["route_config"]["virtual_hosts"]
    found: list[dict[str, Any]] = host["routes"]
    return found


def test_envoy_ends_no_stream_for_its_silence_and_trusts_no_address_that_a_client_claims() -> None:
    assert manager()["stream_idle_timeout"] == "0s"
    assert {route["route"]["timeout"] for route in routes()} == {"0s"}
    assert manager()["use_remote_address"] is True
    assert not manager().get("skip_xff_append")
    assert not manager().get("xff_num_trusted_hops")


def test_envoy_speaks_tls_to_the_world_and_as_many_streams_as_the_server_takes() -> None:
    [listener] = ENVOY["static_resources"]["listeners"]
    tls = listener["filter_chains"][0]["transport_socket"]["typed_config"]["common_tls_context"]
    assert (tls["alpn_protocols"], tls["tls_params"]["tls_minimum_protocol_version"]) == (["h2", "http/1.1"], "TLSv1_2")
    server, site = ENVOY["static_resources"]["clusters"]
    assert [server["name"], site["name"]] == ["server", "site"]
    options = server["typed_extension_protocol_options"]["envoy.extensions.upstreams.http.v3.HttpProtocolOptions"]
    assert "http2_protocol_options" in options["explicit_http_config"]
    assert options["common_http_protocol_options"]["max_requests_per_connection"] == 1
    for cluster in (server, site):
        [room] = cluster["circuit_breakers"]["thresholds"]
        assert {value for name, value in room.items() if name.startswith("max_")} == {65536}
