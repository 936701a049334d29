"""The examples and the pages run, the stubs are right, and everything has a text."""

import doctest
import importlib.util
import inspect
import pathlib
import pydoc
import subprocess
import sys

import pytest

import bloomwise
from bloomwise import _native
from conftest import ROOT
from page import run_python

PUBLIC = [getattr(bloomwise, name) for name in bloomwise.__all__]
METHODS = [getattr(kind, name) for kind in (bloomwise.Filter, bloomwise.Patch) for name in vars(kind) if not name.startswith("_")]


@pytest.mark.parametrize("thing", [bloomwise, *PUBLIC, *METHODS], ids=lambda thing: thing.__name__)
def test_examples_run(thing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(thing)
    assert text and text[0].isupper()
    examples = doctest.DocTestParser().get_doctest(text, {}, str(thing), None, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
    assert result.failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/tables.md", "doors/python/README.md"])
def test_pages_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_python(ROOT / page)


def test_error_of_a_page_names_page_and_line(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n```python\n>>> 1 + 1\n2\n>>> 1 + 2\n4\n```\n")
    with pytest.raises(AssertionError, match=r'page\.md", line 6'):
        run_python(page)


def test_everything_that_makes_or_asks_a_filter_has_an_example():
    silent = [thing.__name__ for thing in PUBLIC if inspect.isroutine(thing) and ">>>" not in thing.__doc__]
    assert silent == ["join"]


def test_help_has_the_signature_and_every_option():
    text = pydoc.render_doc(bloomwise.build, renderer=pydoc.plaintext)
    assert "build(kind, positives, negatives=None, costs=None, *, bits_per_key=None" in text
    for option in inspect.signature(bloomwise.build).parameters:
        assert option in bloomwise.build.__doc__, option


def test_the_package_is_typed():
    assert (pathlib.Path(bloomwise.__file__).parent / "py.typed").exists()


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_stubs_have_the_types_of_the_compiled_part():
    run = [sys.executable, "-m", "mypy.stubtest", "bloomwise._native", "--ignore-disjoint-bases"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert _native.__doc__
