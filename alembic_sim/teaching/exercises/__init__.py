"""Checked exercises: a task, a check that answers in six lines, three hints, a solution.

To add an exercise, add one module to `bank`, named for its id (`e03_1_the_gate.py` is 03.1), that
defines `EXERCISE`. The tests take every module of the bank: the solution must pass, each wrong
answer must fail on the case that it names, and the unedited cell must count as not answered.
"""
