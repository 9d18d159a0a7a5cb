"""A Sphinx extension: directives for what :mod:`tables` reads off the plugin, and a check that nothing is left out."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable

import tables
from docutils import nodes
from public import public_names
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

_logger = logging.getLogger(__name__)


def markdown_directive(render: Callable[[], str]) -> type[SphinxDirective]:
    """A directive without arguments that stands for the Markdown that ``render`` gives."""

    class Rendered(SphinxDirective):
        def run(self) -> list[nodes.Node]:
            return self.parse_text_to_nodes(render(), allow_section_headings=True)

    return Rendered


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the directives and the check."""
    for name, render in (
        ("trust-options", tables.options_table),
        ("trust-markers", tables.markers_table),
        ("trust-fixtures", tables.fixtures_table),
        ("trust-commands", tables.commands_help),
    ):
        app.add_directive(name, markdown_directive(render))
    app.connect("env-check-consistency", warn_of_missing)
    app.connect("warn-missing-reference", exists)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def warn_of_missing(_: Sphinx, env: BuildEnvironment) -> None:
    """Warns of every public name that no page of the reference documents."""
    documented = set(env.domains.python_domain.objects)
    for name in public_names():
        if name not in documented:
            _logger.warning("the public name %s is missing from the reference", name)


def exists(_: Sphinx, __: object, node: pending_xref) -> bool | None:
    """Whether a name without an entry of its own is one that can be imported: such a reference is no mistake."""
    try:
        pkgutil.resolve_name(node["reftarget"])
    except (ImportError, AttributeError, ValueError):
        return None
    return True
