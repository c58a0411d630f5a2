"""A step of a review is read like an address, and nothing in it leads to another file."""

from hypothesis import given, strategies as st

from data.store.links import View
from ui.review import review_steps
from ui.view.address import address_query, read_query, values_of, write_query
from ui.view.pages import PAGES, page_title
from ui.view.url import PARAMETERS

pages = st.sampled_from(sorted(PAGES))
queries = st.dictionaries(st.sampled_from([*PARAMETERS, "nobody", "embed"]), st.text(max_size=12) | st.just("1"))


@given(pages, queries)
def test_stored_query_gives_only_allowed_parameters(page, query):
    values = values_of(View(page, query), page)
    allowed, _ = read_query({}, page)
    assert not {"run", "step"} & set(values)
    for name, value in values.items():
        if name in query:
            told = read_query({name: query[name]}, page)[0][name]
            assert value == told or value == allowed.get(name, PARAMETERS[name].default)
        else:
            assert value == allowed[name]


@given(pages, queries, st.integers(1, 50))
def test_address_of_a_step_equals_the_pages(page, query, step):
    """Else the page would write it again, which is one more press of Back."""
    found = address_query(View(page, query), "digits", step)
    assert (found["run"], found["step"]) == ("digits", str(step))
    values, problems = read_query(found, page)
    assert problems == [] and write_query(values, page) == found


def test_edited_step_becomes_its_view():
    view = View("confusion", {"true": "a"}, "title", "note")
    assert review_steps.step_of(view).view() == view


def test_every_page_has_a_title_for_a_view():
    assert all(page_title(page) for page in PAGES)
    assert page_title("rows") == "Rows"
