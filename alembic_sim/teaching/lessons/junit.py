"""JUnit XML of verified notebooks: the form of test results that CI services show.

A notebook is a suite, and each of its code cells a test.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as xml

from alembic_sim.teaching.lessons.hygiene import Finding, code_cells
from alembic_sim.teaching.lessons.notebook import source_of
from alembic_sim.teaching.lessons.verify import FAILURES, Verified, first_line
from alembic_sim.teaching.svg import readable


def junit_xml(all_verified: Iterable[Verified]) -> str:
    """The whole report as XML text, with its declaration and a final newline."""
    root = xml.Element("testsuites", name="alembic-sim lessons verify")
    root.extend(_suite(verified) for verified in all_verified)
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.get(count, 0)) for suite in root)))
    root.set("time", f"{sum(float(suite.get('time', 0)) for suite in root):.3f}")
    xml.indent(root)
    body = xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _suite(verified: Verified) -> xml.Element:
    suite = xml.Element(
        "testsuite", name=readable(str(verified.path)), time=f"{verified.seconds:.3f}"
    )
    of_the_file = [one for one in verified.findings if one.cell is None]
    _add_case(suite, verified, "notebook", of_the_file)
    stop = verified.run.stop
    for place, cell in code_cells(verified.stored):
        found = [one for one in verified.findings if one.cell == place]
        if not found and not source_of(cell).strip():
            continue
        not_reached = stop is not None and (stop.cell is None or place > stop.cell)
        skipped = "the run stopped before this cell" if not_reached else None
        _add_case(suite, verified, f"cell {place}: {first_line(cell)}", found, skipped)
    suite.set("tests", str(len(suite)))
    for kind, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(kind, str(sum(1 for case in suite if case.find(tag) is not None)))
    return suite


def _add_case(
    suite: xml.Element,
    verified: Verified,
    name: str,
    found: list[Finding],
    skipped: str | None = None,
) -> None:
    path = readable(str(verified.path))
    case = xml.SubElement(
        suite, "testcase", name=readable(name), classname=path, file=path, time="0.000"
    )
    # One entry a test is what services read: an error counts before a failure.
    errors = [one for one in found if one.rule in FAILURES]
    if found:
        first = (errors or found)[0]
        tag = "error" if errors else "failure"
        entry = xml.SubElement(
            case, tag, type=first.rule, message=readable(f"{first.rule}: {first.what}")
        )
        entry.text = readable("\n\n".join(_told(one) for one in found))
    elif skipped is not None:
        xml.SubElement(case, "skipped", message=skipped)


def _told(finding: Finding) -> str:
    return "\n".join([f"{finding.rule}: {finding.what}", *finding.lines, finding.remedy])
