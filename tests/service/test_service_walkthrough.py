"""A person's whole way in a real browser, over a whole service: upload, verdict, review, approval, apply; and a run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page

from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from tests.service.test_service_browser import browser  # noqa: F401 - a fixture
from tests.service.test_service_killed import Served, served  # noqa: F401 - a fixture

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.slow]
SOURCE = '''"""Bonn has been called Berlin for a while."""
CONTRACT = {"shape": "table", "modifies": ["city"]}
def detect(df):
    return df["city"] == "Bonn"
def rename_city(df):
    """Say Berlin for Bonn."""
    out = df.copy()
    out["city"] = out["city"].replace({"Bonn": "Berlin"})
    return out
'''
CSV = "city,n\n Bonn,1\nBonn,2\nKiel ,3\nBonn,4\nUlm,5\nBonn,6\n"
_ENOUGH_MS = 120_000


@pytest.fixture
def page(browser: Browser, served: Served, tmp_path: Path) -> Iterator[Page]:  # noqa: F811 - fixtures
    """Logged in, at a service that has a proved sandbox."""
    served.wait_ready()
    with TokenStore(f"sqlite:///{tmp_path}/r/registry.db") as store:
        _, secret = store.create("ann", set(TokenScope), 1)
    context = browser.new_context(base_url=str(served.client.base_url))
    context.set_default_timeout(_ENOUGH_MS)
    made = context.new_page()
    made.goto("/login")
    made.fill("#token", secret)
    made.keyboard.press("Enter")
    made.wait_for_url("**/")
    yield made
    context.close()


def test_a_person_goes_from_an_upload_to_an_applied_function(page: Page) -> None:
    """A function that is held is approved, and then used on the next file; a run's report leads back to the pages."""
    data: FilePayload = {"name": "a.csv", "mimeType": "text/csv", "buffer": CSV.encode()}
    page.goto("/new")
    page.set_input_files("#function", {"name": "f.py", "mimeType": "text/x-python", "buffer": SOURCE.encode()})
    page.set_input_files("#verify-data", data)
    page.check("text=Leave out the checks")
    page.check("text=Store it in the registry")
    page.get_by_role("button", name="Verify").click()
    page.wait_for_selector(".badge.hold")
    page.click("text=Review it.")
    assert "a word becomes another word" in page.inner_text("main")
    page.get_by_label("Why it is right").fill("the city was renamed")
    page.get_by_role("button", name="Approve").click()
    page.wait_for_selector("text=Nothing waits for you.")

    page.goto("/new")
    page.set_input_files("#apply-data", data)
    page.get_by_role("button", name="Apply").click()
    page.wait_for_selector("text=cleaned.csv")
    with page.expect_download() as download:
        page.click("text=cleaned.csv")
    assert download.value.path().read_text(encoding="utf-8") == CSV.replace("\nBonn", "\nBerlin")

    page.goto("/new")
    page.set_input_files("#run-data", data)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("link", name="Report", exact=True).click()
    page.wait_for_selector("text=report of a run")
    page.get_by_role("link", name="The job").click()
    page.wait_for_selector("text=cleaned.csv")
    assert "1\nfunction promoted" in page.inner_text(".tiles")
