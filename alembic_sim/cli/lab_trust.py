"""Trust for fresh copies, so that JupyterLab shows the pictures in them before anything is run.

JupyterLab hides SVG and widgets of notebooks that this user never ran. A lesson that has just been
copied is ours, letter by letter; one that the learner edited becomes trusted when it is run.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def signature_options(private: Path) -> dict[str, str]:
    """Where signatures are kept: beside the lessons, apart from those of the learner's Jupyter."""
    return {
        "db_file": str(private / "signatures.db"),
        "secret_file": str(private / "signature_secret"),
    }


def trust_copies(folder: Path, private: Path, names: Iterable[str]) -> None:
    """Signs notebooks of `folder` as Jupyter would after running them. Raises OSError."""
    import nbformat  # slow to import, and only `lab` needs it
    from nbformat.sign import NotebookNotary

    notary = NotebookNotary(**signature_options(private))
    try:
        for name in names:
            notary.sign(nbformat.read(folder / name, as_version=4))
    finally:
        notary.store.close()
