"""The page as a person uses it: the real server, in a real Chromium, driven by keys and clicks."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from tests.conftest import SHOP
from tests.web.conftest import HOSTILE

import recollect

ROOT = Path(__file__).resolve().parents[2]
_SPEC = importlib.util.spec_from_file_location("browser", ROOT / "tools" / "browser.py")
browser_tool = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(browser_tool)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.xdist_group("chromium"),
    pytest.mark.skipif(
        None in (browser_tool.CHROMIUM, browser_tool.DRIVER, importlib.util.find_spec("selenium")),
        reason=browser_tool.MISSING,
    ),
]
ASKED = "/?" + urlencode({"q": "how long is waited between attempts"})
WIDTHS = ((1280, 900), (375, 800))
WIDER = "return document.documentElement.scrollWidth > innerWidth"
TEXT = "return document.body.innerText"
FAINT = """
const channel = (v) => (v /= 255, v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const light = (c) => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
const colour = (text) => text.match(/[\\d.]+/g).map(Number);
const behind = (at) => {
  for (; at; at = at.parentElement) {
    const found = colour(getComputedStyle(at).backgroundColor);
    if (found.length < 4 || found[3] > 0.99) return found;
  }
  return [255, 255, 255];
};
const faint = [];
for (const at of document.querySelectorAll("main :is(p, a, button, label, dd, dt, h1, h2), nav a")) {
  const own = [...at.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
  if (!own || !at.checkVisibility()) continue;
  const style = getComputedStyle(at);
  const [a, b] = [light(colour(style.color)), light(behind(at))].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) faint.push([at.innerText.slice(0, 40), ratio.toFixed(2)]);
}
return faint;
"""


class Window:
    """A browser that came in through the address that the server printed."""

    def __init__(self, browser, address):
        self.browser, self.base = browser, address.partition("/?")[0]
        self.keys = __import__("selenium.webdriver.common.keys", fromlist=["Keys"]).Keys
        browser.get(address)

    def see(self, path):
        self.browser.get(self.base + path)
        return self.text

    @property
    def text(self):
        return self.browser.execute_script(TEXT)

    def press(self, *keys):
        """Type without touching the mouse, wherever the focus is."""
        self.browser.switch_to.active_element.send_keys(*keys)

    def reach(self, words):
        """Press Tab until what has the focus says so; a person without a mouse has no other way."""
        for _ in range(120):
            self.press(self.keys.TAB)
            said = self.browser.execute_script(
                "const at = document.activeElement; return at.innerText || at.getAttribute('aria-label') || at.name"
            )
            if said and words in said:
                return
        raise AssertionError(f"Tab never reaches {words!r} on {self.browser.current_url}")

    def wait(self, said, seconds=60):
        from selenium.webdriver.support.wait import WebDriverWait

        try:
            WebDriverWait(self.browser, seconds, 0.1).until(lambda _: said in self.text)
        except Exception as error:
            raise AssertionError(f"{said!r} never appeared in: {self.text}") from error


@pytest.fixture(scope="module")
def chromium():
    with browser_tool.chromium() as browser:
        yield browser


def serving(root):
    return subprocess.Popen(
        [sys.executable, "-m", "recollect", "serve", "--json", "--path", str(root)],
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def end(server):
    server.terminate()
    server.wait(15)
    server.stdout.close()


@pytest.fixture(scope="module")
def window(chromium, tmp_path_factory):
    root = tmp_path_factory.mktemp("web") / "shop"
    for name, text in SHOP.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    with recollect.open(root) as project:
        project.index()
        for text in HOSTILE:
            project.remember(text)
        project.remember("The bank hangs up after 30 seconds of waiting", kind="decision", tags=["bank"])
        project.dream()
    server = serving(root)
    try:
        one = Window(chromium, json.loads(server.stdout.readline())["url"])
        browser_tool.look(chromium)
        yield one
    finally:
        end(server)


def pages(window):
    window.see("/memories")
    ids = re.findall(r'href="(/memories/m[a-z0-9]+)"', window.browser.page_source)
    fixed = (
        "/",
        ASKED,
        "/graph",
        "/graph?symbol=Client.send",
        "/memories",
        "/memories?q=bank",
        "/memories/forget",
    )
    return (
        *fixed,
        "/memories/hygiene",
        "/dreams?try=yes",
        "/index",
        "/bench",
        "/settings",
        "/nothing",
        ids[0],
    )


def test_every_page_fits_and_can_be_read_in_dark_and_light_on_a_screen_and_on_a_phone(window):
    wrong = []
    try:
        for path in pages(window):
            for width, height in WIDTHS:
                for dark in (False, True):
                    browser_tool.look(window.browser, width, height, dark, still=True)
                    window.see(path)
                    if window.browser.execute_script(WIDER):
                        wrong.append((path, width, "wider than the window"))
                    wrong += [(path, width, dark, *one) for one in window.browser.execute_script(FAINT)]
    finally:
        browser_tool.look(window.browser)
    assert not wrong


def test_nothing_of_a_hostile_memory_runs_and_nothing_is_asked_of_another_host(window):
    window.browser.get_log("performance")
    window.browser.get_log("browser")
    for path in pages(window):
        if path != "/nothing":
            window.see(path)
            assert window.browser.title not in ("taken", "1")
    said = [row["message"] for row in window.browser.get_log("browser")]
    assert said == [], "the content security policy had to stop nothing, and no script failed"
    sent = [json.loads(row["message"])["message"] for row in window.browser.get_log("performance")]
    asked = {
        urlsplit(row["params"]["request"]["url"]).netloc
        for row in sent
        if row["method"] == "Network.requestWillBeSent" and row["params"]["documentURL"].startswith("http")
    }
    assert asked == {urlsplit(window.base).netloc}


def test_a_question_is_asked_and_explained_by_keyboard_alone(window):
    window.see("/graph")
    window.reach("Search")
    window.press(window.keys.ENTER)
    window.wait("What do you need to know?")
    window.press("how long is waited between attempts", window.keys.ENTER)
    window.wait("Why it is here")
    window.browser.execute_script("document.activeElement.blur()")
    window.press("j")
    window.reach("Why it is here")
    window.press(window.keys.ENTER)
    window.wait("How the score moved")
    window.press("/")
    assert window.browser.switch_to.active_element.get_attribute("name") == "q"


def test_the_graph_is_walked_by_keyboard_alone(window):
    window.see("/graph?symbol=deliver")
    window.reach("Client.send")
    window.press(window.keys.ENTER)
    window.wait("RetryPolicy.attempts")
    assert "Client.send" in window.browser.title


def test_a_memory_is_written_edited_forgotten_and_brought_back_by_keyboard_alone(window):
    window.see("/memories")
    window.reach("Remember something")
    window.press(window.keys.ENTER)
    window.press(window.keys.TAB, "The kettle is on the left")
    window.press(window.keys.TAB)
    window.reach("Remember")
    window.press(window.keys.ENTER)
    window.wait("Remembered.")
    window.reach("Edit it")
    window.press(window.keys.ENTER)
    window.press(window.keys.TAB, window.keys.END, " of the sink")
    window.reach("Replace")
    window.press(window.keys.ENTER)
    window.wait("The kettle is on the left of the sink")
    assert "supersedes" in window.text
    window.reach("Forget …")
    window.press(window.keys.ENTER)
    window.wait("1 memory would go")
    window.reach("Forget for good")
    window.press(window.keys.ENTER)
    window.wait("Forgotten from every file: 1 memory.")
    assert "left of the sink" not in window.text
    window.reach("Undo")
    window.press(window.keys.ENTER)
    window.wait("Brought back: 1 memory.")
    assert "left of the sink" in window.text


def test_a_profile_with_a_mistake_is_told_while_it_is_typed(window):
    window.see("/settings")
    area = window.browser.find_element("css selector", "textarea.file")
    area.send_keys(window.keys.CONTROL, window.keys.HOME)
    area.send_keys("budgt = 3\n")
    window.wait("there is no key 'budgt'")


def test_how_far_the_first_index_has_come_is_shown_and_the_answer_follows_by_itself(chromium, tmp_path):
    root = tmp_path / "fresh"
    for number in range(1500):
        file = root / f"part{number % 40}" / f"module{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        body = "\n".join(f"def work_{number}_{one}(value):\n    return value + {one}\n" for one in range(20))
        file.write_text(body, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    server = serving(root)
    try:
        window = Window(chromium, json.loads(server.stdout.readline())["url"])
        window.see("/?" + urlencode({"q": "work_3_1"}))
        assert "Reading the project for the first time" in window.text
        window.wait("of 1,500")
        window.wait("Why it is here", 120)
    finally:
        end(server)
