"""Settings of the site: ``sphinx-build -W --keep-going -n docs build/docs``. Nothing is fetched while it is built."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pytest_trust import __version__

project = "pytest-trust"
copyright = "the authors of pytest-trust"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "directives"]
exclude_patterns = ["results"]
html_theme = "furo"
html_title = f"pytest-trust {release}"

smartquotes = False  # it would make one dash of the two before an option

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autodoc_default_options = {"members": True}
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False

# Types of packages that need not be installed here; of names that are, `directives` knows whether they exist.
nitpick_ignore_regex = [(r"py:.*", r"(?!pytest_trust).*")]
