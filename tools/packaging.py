"""Takes the SDKs of other languages along into the package, for ``ordago bot new``."""

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SdkHook(BuildHookInterface):  # type: ignore[type-arg]  # of a configuration that nothing is looked up in
    """Adds the files; not to an editable installation, which finds them in its checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say which files go where."""
        if version == "editable":
            return
        root = Path(self.root)
        # The package cannot be imported before it is installed, but this module of it needs nothing else.
        path = root / "server/ordago/cli/bot/languages.py"
        spec = importlib.util.spec_from_file_location("ordago_languages", path)
        assert spec is not None
        assert spec.loader is not None
        languages = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(languages)
        for source, place in languages.packaged_files(root):
            build_data["force_include"][str(source)] = str(Path("ordago") / place)
