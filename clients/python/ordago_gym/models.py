"""Policies from ONNX models: a model says in its metadata for which observations and ids it was trained."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from ordago_gym.encoding import Encoding, EncodingError, encoding_of
from ordago_gym.metadata import ACTIONS, ENCODING, SIZE


class ModelPolicy:
    """A policy that takes the legal id with the highest score of a model, of equal ones the first.

    The model has one input, ``[n, floats]`` of 32-bit floats, and its first output is ``[n, actions]``.

    Attributes:
        name: the name of the file.
        encoding: the encoding for which the model was trained, with its version, for instance ``mus_v0``.
        size: the number of floats of an observation.
        actions: the number of action ids.
    """

    def __init__(self, path: str | Path) -> None:
        """Load a model.

        Raises:
            EncodingError: it is no model, or its metadata or its input do not say what it was trained for, or this
                version of Ordago has no such encoding.
            OSError: the file cannot be read.
        """
        self.name: Final = Path(path).name
        self._session: Final = self._loaded(Path(path).read_bytes())
        found = self._session.get_modelmeta().custom_metadata_map
        self.encoding: Final = self._said(found, ENCODING)
        self.size: Final = self._number(found, SIZE)
        self.actions: Final = self._number(found, ACTIONS)
        self._check_version()
        self._input: Final = self._checked_input()

    def _loaded(self, content: bytes) -> onnxruntime.InferenceSession:
        options = onnxruntime.SessionOptions()
        # A bot has a core or a part of one, and threads that wait for each other actively would use all of it.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            # The library raises a class of its own for each status, without a common base.
            raise EncodingError(f"{self.name} is no ONNX model that can be loaded: {error}") from error

    def _said(self, found: dict[str, str], key: str) -> str:
        if key not in found:
            how = "write ordago_gym.model_metadata(encoding) into it when you export it"
            raise EncodingError(f"{self.name} has no {key} in its metadata: {how}")
        return found[key]

    def _number(self, found: dict[str, str], key: str) -> int:
        said = self._said(found, key)
        if not said.isascii() or not said.isdigit():
            raise EncodingError(f"{self.name} has {said!r} as its {key}, which is no number")
        return int(said)

    def _check_version(self) -> None:
        try:
            encoding_of(self.encoding)
        except EncodingError as error:
            raise EncodingError(f"{self.name}: {error}") from error

    def _checked_input(self) -> str:
        inputs = self._session.get_inputs()
        if len(inputs) != 1 or inputs[0].type != "tensor(float)" or inputs[0].shape[1:] != [self.size]:
            shapes = ", ".join(f"{one.type} of {one.shape}" for one in inputs)
            raise EncodingError(f"{self.name} needs one input, matches × {self.size} 32-bit floats; it has {shapes}")
        return str(inputs[0].name)

    def check(self, encoding: Encoding) -> None:
        """Check that the model plays matches of an encoding.

        Raises:
            EncodingError: it was trained for another game, or for options or players with other sizes.
        """
        if self.encoding != encoding.id:
            raise EncodingError(f"{self.name} plays {self.encoding}, and the match is of {encoding.id}")
        if (self.size, self.actions) != (encoding.size, encoding.actions):
            trained = f"{self.size} floats and {self.actions} ids"
            here = f"{encoding.size} and {encoding.actions} with the options and players of this match"
            raise EncodingError(f"{self.name} was trained for {trained}; {self.encoding} has {here}")

    def __call__(self, obs: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the legal id with the highest score for each row.

        Raises:
            ValueError: the model returns scores of another shape, or NaN.
        """
        scores: Any = self._session.run(None, {self._input: obs})[0]
        if scores.shape != mask.shape:
            raise ValueError(f"{self.name} returned scores of shape {scores.shape}, not {mask.shape}")
        if np.isnan(scores).any():
            raise ValueError(f"{self.name} returned NaN")
        best = np.where(mask, scores, -np.inf).argmax(axis=1)
        return np.asarray(best)
