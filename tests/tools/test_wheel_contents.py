"""The package takes the documentation along where it is built."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from wheel_contents import built_documentation

from ordago_web import documentation


def test_what_is_built_goes_where_a_site_looks_for_it(tmp_path: Path) -> None:
    assert built_documentation(tmp_path) == {}
    built = tmp_path / "out" / "docs"
    built.mkdir(parents=True)
    (built / "index.html").touch()
    [(source, place)] = built_documentation(tmp_path).items()
    assert Path(source) == built
    assert Path(documentation.__file__).parents[1] / place == documentation._PACKAGED
