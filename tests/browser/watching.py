"""Watch: everything that the pages of a browser window asked for, said, or tried to open."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Dialog, Page

ON_THIS_MACHINE = {"127.0.0.1", "localhost"}
IN_THE_PAGE = {"data", "blob", "about"}


class Watch:
    """Requests, sockets, dialogs and script errors, in the order in which they happened."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        self._told: set[str] = set()

    def over(self, window: BrowserContext) -> None:
        """Begins to watch every page of the window, the ones to come as well."""
        window.on("request", lambda request: self.urls.append(request.url))
        window.on("page", self._page)

    def _page(self, page: Page) -> None:
        page.on("websocket", lambda socket: self.urls.append(socket.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._dialog)

    def _dialog(self, dialog: Dialog) -> None:
        if dialog.type == "beforeunload":  # JupyterLab's own, about unsaved edits: leave
            dialog.accept()
            return
        self.dialogs.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    def strangers(self) -> list[str]:
        """The addresses outside of this machine that were asked for."""
        return [url for url in self.urls if not _stays_here(url)]

    def odd_news(self) -> list[str]:
        """What should not have happened and was not told before."""
        odd = [*self.strangers(), *self.dialogs, *self.errors]
        news = [one for one in dict.fromkeys(odd) if one not in self._told]
        self._told.update(news)
        return news


def _stays_here(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in IN_THE_PAGE or parts.hostname in ON_THIS_MACHINE
