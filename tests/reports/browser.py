"""A headless Chromium with the page in it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
)  # fmt: skip


def installed() -> tuple[str, str] | None:
    """The paths of Chromium and its driver, where both are installed."""
    browser = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class Browser:
    """What the tests ask of a browser."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, *, width: int = 1200, scheme: str = "light") -> None:
        """The page, in a window of this ``width`` and the colours of ``scheme``."""
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        self.driver.get(path.as_uri())

    def run(self, script: str, *arguments: Any) -> Any:
        """What the ``script`` returns."""
        return self.driver.execute_script(script, *arguments)

    def choose(self, element: str, value: Any) -> None:
        """Gives a control its value, as a hand would."""
        self.run(
            "const e = document.getElementById(arguments[0]);"
            "if (e.type === 'checkbox') e.checked = arguments[1]; else e.value = arguments[1];"
            "e.dispatchEvent(new Event('input', {bubbles: true}));",
            *(element, value),
        )

    def press(self, *keys: str) -> None:
        """Keys of the keyboard, one after the other."""
        from selenium.webdriver.common.action_chains import ActionChains

        chain = ActionChains(self.driver, duration=0)
        for key in keys:
            chain = chain.send_keys(key)
        chain.perform()

    def open_all(self) -> None:
        """Opens every prediction of the page shown."""
        self.run(
            "for (const item of document.querySelectorAll('#list > li')) item.style.contentVisibility = 'visible';"
            "for (const item of document.querySelectorAll('#list details')) item.open = true;"
        )
        self.settle()

    def settle(self) -> None:
        """Waits until every opened prediction is filled, which happens when the browser comes to it."""
        self.driver.execute_async_script(
            """
            const done = arguments[0];
            const empty = () => document.querySelector('#list details[open]:not(:has(> .body))');
            const look = () => (empty() ? setTimeout(look, 5) : requestAnimationFrame(() => done()));
            look();
            """
        )

    @property
    def count(self) -> str:
        """What is said of the number of predictions shown."""
        return str(self.run("return document.getElementById('count').textContent"))

    def requests(self) -> list[str]:
        """The addresses that the page asked for since it was opened, its own among them."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [item["params"] for item in messages if item["method"] == "Network.requestWillBeSent"]
        return [item["request"]["url"] for item in sent if item["documentURL"] == self.driver.current_url]

    def complaints(self) -> list[str]:
        """The messages on the console since the page was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@contextmanager
def chromium(paths: tuple[str, str], profile: Path) -> Iterator[Browser]:
    """A browser with an empty ``profile``."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = paths[0]
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(paths[1]))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
