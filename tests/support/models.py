"""Small ONNX models, as people who train export them."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from ordago_gym import Encoding, model_metadata


def write_linear(
    path: Path,
    encoding: Encoding,
    *,
    weights: NDArray[Any] | None = None,
    said: Mapping[str, str] = MappingProxyType({}),
) -> Path:
    """Write a model whose scores are a product of the observation and of weights, which are of chance by default."""
    if weights is None:
        weights = np.random.default_rng(1).normal(size=(encoding.size, encoding.actions))
    nodes = [helper.make_node("MatMul", ["observation", "weights"], ["scores"])]
    return _write(path, nodes, {"weights": weights.astype(np.float32)}, weights.shape, _said(encoding, said))


def write_highest_card(path: Path) -> Path:
    """Write the model of the template for Mittlere Jass: its scores are the places of the cards in the hand."""
    cards, size = 36, 447
    values = {
        "first": np.array([0], np.int64),
        "last": np.array([cards], np.int64),
        "axes": np.array([1], np.int64),
        "places": np.arange(1, cards + 1, dtype=np.float32),
    }
    nodes = [
        helper.make_node("Slice", ["observation", "first", "last", "axes"], ["hand"]),
        helper.make_node("Mul", ["hand", "places"], ["scores"]),
    ]
    metadata = {"ordago.encoding": "mittlere_v0", "ordago.floats": str(size), "ordago.actions": str(cards)}
    return _write(path, nodes, values, (size, cards), metadata)


def _said(encoding: Encoding, changes: Mapping[str, str]) -> dict[str, str]:
    said = model_metadata(encoding) | {f"ordago.{key}": value for key, value in changes.items()}
    return {key: value for key, value in said.items() if value != "nothing"}


def _write(
    path: Path,
    nodes: list[Any],
    values: Mapping[str, NDArray[Any]],
    sizes: tuple[int, ...],
    metadata: dict[str, str],
) -> Path:
    floats, actions = sizes
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["matches", floats])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["matches", actions])],
        [numpy_helper.from_array(value, name) for name, value in values.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, metadata)
    onnx.save(model, path)
    return path
