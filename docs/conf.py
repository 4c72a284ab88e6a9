"""Sphinx for the documentation site: ``make docs``."""

import gc
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

# Nearly all that is made here lives to the end of the process: looking for garbage among it takes half of the time.
gc.disable()

project = "Ordago"
author = "The Ordago maintainers"
root_doc = "docs/index"
include_patterns = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**", "clients/*/README.md", "research/*.md"]
exclude_patterns = ["[.]*", "deploy", "out", "proto", "server", "tests", "tools", "tournaments", "clients/*/*/**"]
# The site shows the translated rule pages beside its tables; the documentation is in English.
exclude_patterns += ["docs/rules/??/**"]
extensions = ["docs_site", "docs_fields", "docs_keys", "myst_parser", "sphinx_click"]

# As sites for code make the anchors of headings, so that links hold there and here.
myst_heading_anchors = 6
html_theme = "furo"
html_title = "Ordago"
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
html_show_sourcelink = False
# For summaries of what the search finds the browser would ask for each page, and a site does not let it ask so much.
html_show_search_summary = False
html_static_path = ["_static", "../tournaments/ordago_ladder/assets/mark.svg"]
html_css_files = ["ordago.css"]
html_favicon = "../tournaments/ordago_ladder/assets/favicon.svg"
autodoc_member_order = "bysource"
templates_path = ["_templates"]
