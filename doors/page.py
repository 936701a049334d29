"""Runs the Python of a page: its blocks `python`, one after the other, as one program.

Of a block with prompts (`>>>`), what is printed is compared; `...` stands for what varies. An error names the page and the line. `.ci/transcript`
runs the blocks `console`.
"""

import doctest
import re


def run_python(page, folders=None):
    """Runs the blocks of a page, a `pathlib.Path`. `folders` has the folders that stand for those of the page."""
    text, names = page.read_text(encoding="utf-8"), {}
    for shown, here in (folders or {}).items():
        text = text.replace(shown, str(here))
    for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, block.start(1))
        if ">>> " in block[1]:
            transcript = doctest.DocTestParser().get_doctest(block[1], names, page.name, str(page), line)
            names, printed = transcript.globs, []
            doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(transcript, out=printed.append, clear_globs=False)
            assert not printed, "".join(printed)
        else:
            exec(compile("\n" * line + block[1], str(page), "exec"), names)
    assert names, f"{page}: there is no Python"
