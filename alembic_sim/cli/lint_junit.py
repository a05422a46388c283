"""JUnit XML of a linted home: each file is a suite, and each rule that holds for it a test.

The tests are the same on every run over the same files, so that a service can follow them. So what
is counted here is rules that are broken, whereas the text and the JSON count findings: a rule may
be broken several times in one file, and then its failure says how many.
"""

from __future__ import annotations

from xml.etree import ElementTree as xml

from alembic_sim.cli.lint_view import LintView
from alembic_sim.cli.visible import visible_line
from alembic_sim.hermes.linting.finding import RULES
from alembic_sim.hermes.linting.lint_home import LintedFile


def lint_junit(view: LintView) -> str:
    """The whole report as XML text, with its declaration and a final newline."""
    root = xml.Element("testsuites", name="alembic-sim lint")
    root.extend(_suite(view, one) for one in view.files)
    for count in ("tests", "failures"):
        root.set(count, str(sum(int(suite.get(count, 0)) for suite in root)))
    root.set("errors", "0")
    xml.indent(root)
    body = xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _suite(view: LintView, one: LintedFile) -> xml.Element:
    path = visible_line(view.place(one.file.path))
    codes = [code for code in one.codes if RULES[code].severity == "error"]
    suite = xml.Element("testsuite", name=path, tests=str(len(codes)), errors="0")
    failures = 0
    for code in codes:
        name = f"{code}: {RULES[code].holds}"
        case = xml.SubElement(suite, "testcase", name=name, classname=path, file=path)
        found = [view.told(finding) for finding in one.findings if finding.code == code]
        if found:
            failures += 1
            count = f"{len(found)} findings, the first: " if len(found) > 1 else ""
            failure = xml.SubElement(case, "failure", type=code, message=f"{count}{found[0]}")
            failure.text = "\n".join(found)
    suite.set("failures", str(failures))
    notes = [view.told(finding) for finding in one.findings if finding.severity == "note"]
    if notes:
        xml.SubElement(suite, "system-out").text = "\n".join(notes)
    return suite
