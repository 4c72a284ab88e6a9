"""What comes for Kubernetes is one server, which its probes, its volumes and its service fit."""

import re
import shutil
import ssl
import subprocess
import tomllib
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.certificates import Files
from support.shipped import ROOT, SECONDS, Image, Place, section, started

from ordago.ops.web import _application
from ordago.telemetry.counters import Counters
from ordago_cli.program import program
from ordago_ladder.standing.settings import parse_ladder

FOLDER = ROOT / "deploy" / "kubernetes"
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text(encoding="utf-8"))
PARTS: dict[str, dict[str, Any]] = {
    part["kind"]: part
    for name in KUSTOMIZATION["resources"]
    for part in [yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))]
}
POD = PARTS["StatefulSet"]["spec"]["template"]
SERVER = POD["spec"]["containers"][0]
PROBES = ("startupProbe", "livenessProbe", "readinessProbe")
LIVE = "/live"


def test_every_file_is_part_of_it() -> None:
    generated = [name for maps in KUSTOMIZATION["configMapGenerator"] for name in maps["files"]]
    named = {"kustomization.yaml", *KUSTOMIZATION["resources"], *generated}
    assert {path.name for path in FOLDER.iterdir()} == named
    assert {image["name"] for image in KUSTOMIZATION["images"]} == {SERVER["image"]}
    assert POD["spec"]["volumes"][0]["configMap"]["name"] == KUSTOMIZATION["configMapGenerator"][0]["name"]


def test_kubectl_puts_it_together() -> None:
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("there is no kubectl: the other tests read its files")
    done = subprocess.run([kubectl, "kustomize", FOLDER], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    parts = {part["kind"]: part for part in yaml.safe_load_all(done.stdout)}
    assert set(parts) == {*PARTS, "ConfigMap"}
    volume, *_ = parts["StatefulSet"]["spec"]["template"]["spec"]["volumes"]
    assert volume["configMap"]["name"] == parts["ConfigMap"]["metadata"]["name"]
    assert list(parts["ConfigMap"]["data"]) == ["ladder.toml"]


def test_there_is_one_server_and_nobody_ends_it_unasked() -> None:
    assert PARTS["StatefulSet"]["spec"]["replicas"] == 1
    assert PARTS["PodDisruptionBudget"]["spec"]["maxUnavailable"] == 0
    [claim] = PARTS["StatefulSet"]["spec"]["volumeClaimTemplates"]
    assert claim["spec"]["accessModes"] == ["ReadWriteOncePod"]
    selectors = [PARTS[kind]["spec"]["selector"]["matchLabels"] for kind in ("StatefulSet", "PodDisruptionBudget")]
    assert [*selectors, PARTS["Service"]["spec"]["selector"]] == [POD["metadata"]["labels"]] * 3
    [stop] = re.findall(r"--stop-timeout (\d+)", section("Containers"))
    assert POD["spec"]["terminationGracePeriodSeconds"] == int(stop)


def test_its_rights_are_those_of_the_profile_restricted() -> None:
    assert PARTS["Namespace"]["metadata"]["labels"] == {"pod-security.kubernetes.io/enforce": "restricted"}
    whole, own = POD["spec"]["securityContext"], SERVER["securityContext"]
    assert (whole["runAsNonRoot"], whole["seccompProfile"]) == (True, {"type": "RuntimeDefault"})
    assert str(whole["runAsUser"]) == Image().one("USER")
    assert whole["fsGroup"] == whole["runAsGroup"] == whole["runAsUser"]
    assert (own["allowPrivilegeEscalation"], own["capabilities"]) == (False, {"drop": ["ALL"]})
    assert own["readOnlyRootFilesystem"] is True
    assert POD["spec"]["automountServiceAccountToken"] is False


def test_a_full_server_is_neither_killed_nor_taken_from_bots_that_come_back() -> None:
    """``/health`` fails while newcomers are turned away, as strangers can bring about."""
    paths = {probe: SERVER[probe]["httpGet"]["path"] for probe in PROBES}
    assert (paths["livenessProbe"], paths["startupProbe"]) == (LIVE, "/health")
    assert PARTS["Service"]["spec"]["publishNotReadyAddresses"] is True
    assert PARTS["Service"]["spec"]["externalTrafficPolicy"] == "Local"
    asked = {*paths.values(), POD["metadata"]["annotations"]["prometheus.io/path"]}
    assert "404 Not Found" not in {status_of(path) for path in asked}
    assert status_of("/healthz") == "404 Not Found"


def status_of(path: str) -> str:
    """Return what the server answers at its port for metrics, without what it needs."""
    found: list[str] = []

    def start_response(status: str, *_: object) -> Callable[[bytes], object]:
        found.append(status)
        return bytes

    list(_application(Counters())({"PATH_INFO": path, "REQUEST_METHOD": "GET", "QUERY_STRING": ""}, start_response))
    return found[0]


def test_what_it_keeps_is_in_a_folder_of_its_own_within_the_volume() -> None:
    mounts = {mount["name"]: mount["mountPath"] for mount in SERVER["volumeMounts"]}
    [data] = [variable["value"] for variable in SERVER["env"] if variable["name"] == "ORDAGO_DATA"]
    assert Path(data).parent == Path(mounts["data"])
    volumes = {volume["name"] for volume in POD["spec"]["volumes"]}
    claims = {claim["metadata"]["name"] for claim in PARTS["StatefulSet"]["spec"]["volumeClaimTemplates"]}
    assert mounts.keys() == volumes | claims


def test_ports_lead_from_the_service_to_the_server() -> None:
    opened = {port["name"]: port["containerPort"] for port in SERVER["ports"]}
    listened = {word.rpartition(":")[2] for word in Image().command(SERVER["args"]) if word.startswith("0.0.0.0:")}
    assert {str(port) for port in opened.values()} == listened
    assert {port["targetPort"] for port in PARTS["Service"]["spec"]["ports"]} == opened.keys() - {"metrics"}
    assert {SERVER[probe]["httpGet"]["port"] for probe in PROBES} == {"metrics"}
    assert POD["metadata"]["annotations"]["prometheus.io/port"] == str(opened["metrics"])


def test_the_ladder_file_and_the_command_line_are_right() -> None:
    text = (FOLDER / "ladder.toml").read_text(encoding="utf-8")
    assert parse_ladder(text).ladder.name == tomllib.loads(text)["ladder"]["name"]
    program.commands["serve"].make_context("serve", Image().command(SERVER["args"])[2:])


@pytest.mark.slow
def test_the_server_starts_as_it_is_told_there(tmp_path: Path) -> None:
    for folder in ("etc/ordago", "run/tls", "data"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/ordago/ladder.toml").write_bytes((FOLDER / "ladder.toml").read_bytes())
    files, place = Files(tmp_path), Place(tmp_path)
    files.certificate.rename(tmp_path / "run/tls/tls.crt")
    files.key.rename(tmp_path / "run/tls/tls.key")
    environment = Image().environment() | {one["name"]: one["value"] for one in SERVER["env"]}
    with started(Image().command(SERVER["args"]), environment, place) as server:
        server.said("the site is at ")
        for probe in PROBES:
            url = f"http://127.0.0.1:{place.port('9447')}{SERVER[probe]['httpGet']['path']}"
            with urllib.request.urlopen(url, timeout=SECONDS) as answer:
                assert answer.status == 200
        own = ssl.create_default_context(cadata=files.authority.cert_pem.bytes().decode())
        with urllib.request.urlopen(f"https://127.0.0.1:{place.port('8443')}/", timeout=SECONDS, context=own) as answer:
            assert answer.status == 200
    assert (tmp_path / "data/ordago/ladders/cards").is_dir()
