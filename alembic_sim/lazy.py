"""lazy_names: a package's public names, each loaded from its module when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(
    package: str, where: Mapping[str, str]
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """What the package takes for its `__all__`, its `__getattr__` and its `__dir__` (PEP 562)."""
    module_of = modules_by_name(where)

    def get(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    return [*module_of], get, lambda: sorted(module_of)


def modules_by_name(where: Mapping[str, str]) -> dict[str, str]:
    """The module of each name, out of a table of modules and the names that each holds.

    >>> modules_by_name({"result": "Ok Err"})
    {'Ok': 'result', 'Err': 'result'}
    """
    return {name: module for module, names in where.items() for name in names.split()}
