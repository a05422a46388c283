"""JupyterLab as `alembic-sim lab` starts it: it ends when the command that started it is gone.

Ctrl-C, SIGTERM and a closed terminal reach the command, which then stops the server. Nothing
reaches a command that is killed outright; but the pipe closes that it held open.
"""

from __future__ import annotations

import os
import runpy
import signal
import threading


def main() -> None:
    """Runs JupyterLab with the arguments of this process."""
    threading.Thread(target=_end_when_left_alone, daemon=True).start()
    runpy.run_module("jupyterlab", run_name="__main__", alter_sys=True)


def _end_when_left_alone() -> None:
    while os.read(0, 1024):  # nobody writes there: it only ends
        pass
    os.kill(os.getpid(), signal.SIGTERM)  # as the command would have done


if __name__ == "__main__":
    main()
