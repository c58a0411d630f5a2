"""The reading API: the numbers of a link for a key of the scope read, and nothing that its link does not show."""

import functools
import json

import jsonschema
import pytest
from sklearn.metrics import accuracy_score, confusion_matrix, recall_score
from starlette.applications import Starlette
from starlette.middleware import Middleware

from data.runs import load
from data.sharing import api_keys, share
from data.store import links
from export.read_api import endpoints
from export.read_api.endpoints import list_endpoints
from tests.opened_runs import keep_file, keep_text
from tests.web.asgi import converse, run, scope_of
from web import read_api
from web.middleware.static_files import StaticFiles
from web.routes import ROUTES

TRUE = ["cat"] * 8 + ["dog"] * 5 + ["cow"] * 3 + ["emu"]
PRED = ["cat"] * 6 + ["dog"] * 2 + ["dog"] * 4 + ["cat"] + ["cow"] * 2 + ["dog"] + ["cat"]
LINES = [f"{i},secret {i},{'fm'[i % 2]},{true},{pred}" for i, (true, pred) in enumerate(zip(TRUE, PRED, strict=True))]
FILE = "\n".join(["id,words,sex,y_true,y_pred", *LINES]) + "\n"
OTHER = FILE.replace(",cow,dog\n", ",cow,cow\n")
PATHS = [endpoint.path for endpoint in list_endpoints()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A store and uploads that all tests share: every file is read once."""
    uploaded.cache_clear()
    key.cache_clear()
    return tmp_path_factory.mktemp("read")


@pytest.fixture(autouse=True)
def kept(folder, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_STORE", str(folder / "store"))


@functools.cache
def uploaded(folder, text):
    """Keep a file as an upload; returns its run."""
    return keep_text(folder / "pets.csv", text)


@functools.cache
def weighted(folder):
    """Keep a file whose rows have weights."""
    (folder / "weighted.csv").write_text("y_true,y_pred,w\n" + "cat,cat,3\n" * 6 + "cow,cat,1\n" * 6)
    return keep_file(folder / "weighted.csv", load.Given(weights="w"))


def shared(folder, text=FILE, query=None, **options):
    """Share a file on Overview; returns the link."""
    return share.share(uploaded(folder, text), views=[links.View("overview", query or {})], **options)


@functools.cache
def key(*scopes, person=""):
    """A key, made once: there may be so many only."""
    return api_keys.make("program", scopes=scopes, person=person)[0]


@pytest.fixture
def secret():
    """A key that reads."""
    return key("read")


def ask(path, secret="", query="", *, below="/api/v1/runs/", **headers):
    """Status, headers and JSON of an answer; of one that is no JSON its text."""
    app = Starlette(routes=ROUTES, middleware=[Middleware(StaticFiles, pages=("overview",))])
    pairs = [(name.replace("_", "-"), text) for name, text in headers.items()]
    pairs += [("authorization", f"Bearer {secret}")] if secret else []
    scope = scope_of(
        f"{below}{path}", "GET", pairs, query_string=query.encode(), scheme="http", server=("127.0.0.1", 8501),
        root_path="",
    )  # fmt: skip
    first, *rest = run(converse(app, scope))
    found = {name.decode().lower(): text.decode() for name, text in first["headers"]}
    content = b"".join(message.get("body", b"") for message in rest).decode()
    is_json = found.get("content-type", "").startswith("application/json") and content
    return first["status"], found, json.loads(content) if is_json else content


def test_document_names_every_path(secret):
    status, _, document = ask("openapi.json", secret, below="/api/v1/")
    assert status == 200 and list(document["paths"]) == [f"/api/v1/runs/{{id}}{path}" for path in PATHS]
    assert ask("openapi.json", below="/api/v1/")[0] == 401


# -- numbers ------------------------------------------------------------------------------------------


def test_numbers_are_those_of_scikit_learn(folder, secret):
    token = shared(folder).token
    status, _, said = ask(f"{token}/numbers", secret)
    assert status == 200 and said["format"] == 3
    assert said["numbers"]["accuracy"] == pytest.approx(accuracy_score(TRUE, PRED))
    classes = ask(f"{token}/classes", secret)[2]["classes"]
    recalls = recall_score(TRUE, PRED, labels=[line["label"] for line in classes], average=None)
    assert [line["numbers"]["recall"]["value"] for line in classes] == pytest.approx(recalls.tolist())
    cells = ask(f"{token}/confusion", secret)[2]["cells"]
    matrix = confusion_matrix(TRUE, PRED, labels=["cat", "dog", "cow", "emu"]).tolist()
    names = dict(enumerate(["cat", "dog", "cow", "emu"]))
    wanted = {(names[i], names[j]): n for i, line in enumerate(matrix) for j, n in enumerate(line) if n}
    assert {(cell["true"], cell["predicted"]): cell["rows"] for cell in cells} == wanted


def test_undefined_number_is_null(folder, secret):
    classes = ask(f"{shared(folder).token}/classes", secret)[2]["classes"]
    emu = next(line for line in classes if line["label"] == "emu")
    assert (emu["numbers"]["precision"]["value"], emu["state"]) == (None, "never predicted")


def test_run_says_its_first_numbers(folder, secret):
    said = ask(shared(folder).token, secret)[2]
    assert (said["name"], said["n_rows"], said["n_classes"], said["task"]) == ("pets.csv", 17, 4, "multiclass")
    first = {headline["key"]: headline["interval"]["value"] for headline in said["headlines"]}
    assert first["accuracy"] == pytest.approx(12 / 17)


def test_numbers_are_those_of_the_view(folder, secret):
    said = ask(f"{shared(folder, query={'filter': 'sex=f', 'ci': '0.9'}).token}/numbers", secret)[2]
    half = [(true, pred) for true, pred in zip(TRUE[::2], PRED[::2], strict=True)]
    assert said["numbers"]["accuracy"] == pytest.approx(sum(true == pred for true, pred in half) / len(half))
    assert said["intervals"]["accuracy"]["level"] == 0.9


def test_comparison_is_other_minus_this(folder, secret):
    this, other = shared(folder).token, shared(folder, OTHER).token
    status, _, said = ask(f"{this}/compare", secret, query=f"with={other}")
    assert status == 200
    [pair] = said["numbers"]["pairs"]
    assert pair["differences"]["accuracy"]["value"] == pytest.approx(1 / 17)


def test_slices_compare_with_the_rest(folder, secret):
    said = ask(f"{shared(folder).token}/slices", secret, query="by=sex")[2]
    rows = {line["slice"]["sex"]: line["n"] for line in said["numbers"]["slices"]}
    assert rows == {"f": 9, "m": 8}
    status, _, said = ask(f"{shared(folder).token}/slices", secret, query="by=sex&metric=nonsense")
    assert status == 422 and "have no number 'nonsense'; choose one of these: 'accuracy'" in said["error"]


def test_ids_are_refused_as_slices(folder, secret, monkeypatch):
    """Each slice has a kilobyte of numbers, so a column with a value in every row would fill an answer."""
    monkeypatch.setattr(endpoints, "MAX_SLICE_VALUES", 1)
    status, _, said = ask(f"{shared(folder).token}/slices", secret, query="by=sex")
    assert (status, said["error"]) == (422, "Column 'sex' makes 2 slices. Name one with 1 at most.")


def test_report_is_a_file_without_rows(folder, secret):
    status, headers, page = ask(f"{shared(folder).token}/report", secret)
    assert status == 200 and headers["content-disposition"].startswith("attachment")
    assert "70.6" in page and "secret 1" not in page


# -- rows ---------------------------------------------------------------------------------------------


def test_rows_are_those_that_were_asked_for(folder, secret):
    said = ask(f"{shared(folder).token}/rows", secret, query="only=errors&true=cat&limit=1&offset=1")[2]
    assert (said["total"], said["offset"], said["cut"]) == (2, 1, 0)
    line = dict(zip(said["columns"], said["rows"][0], strict=True))
    assert (line["row"], line["words"], line["true label"], line["predicted label"]) == (8, "secret 7", "cat", "dog")


def test_hidden_column_is_in_no_answer(folder, secret):
    token = shared(folder, hide=["words"]).token
    for path in PATHS:
        query = f"with={token}" if path == "/compare" else ""
        assert "secret 7" not in json.dumps(ask(f"{token}{path}", secret, query=query)[2]), path
    assert "words" not in ask(f"{token}/rows", secret)[2]["columns"]


def test_link_of_numbers_only_shows_no_rows(folder, secret):
    token = shared(folder, counts_only=True).token
    status, _, said = ask(f"{token}/rows", secret)
    assert status == 422 and "shows no rows" in said["error"]
    said = ask(token, secret)[2]
    assert (said["shows_rows"], said["columns"]) == (False, [])


# -- who may ask --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS)
def test_key_without_scope_reads_nothing(folder, path):
    token = shared(folder).token
    other = key("push", "manage")
    status, headers, said = ask(f"{token}{path}", other)
    assert status == 403 and set(said) == {"error"} and "etag" not in headers
    assert ask(f"{token}{path}")[0] == 401


def test_revoked_link_is_gone_before_304(folder, secret):
    made = shared(folder)
    headers = ask(f"{made.token}/numbers", secret)[1]
    assert headers["cache-control"] == "private, no-cache"
    assert ask(f"{made.token}/numbers", secret, if_none_match=headers["etag"])[0] == 304
    assert ask(f"{made.token}/numbers", if_none_match=headers["etag"])[0] == 401
    links.revoke(links.id_of(made.token), owner_key=made.owner_key)
    assert ask(f"{made.token}/numbers", secret, if_none_match=headers["etag"])[0] == 404


def test_other_run_is_looked_up_before_304(folder, secret):
    this, other = shared(folder).token, shared(folder, OTHER)
    query = f"with={other.token}"
    tag = ask(f"{this}/compare", secret, query=query)[1]["etag"]
    links.revoke(links.id_of(other.token), owner_key=other.owner_key)
    assert ask(f"{this}/compare", secret, query=query, if_none_match=tag)[0] == 404


def test_answers_have_tags_of_their_own(folder, secret):
    token = shared(folder).token
    asked = ["/numbers", "/classes", "/classes?limit=1", "/classes?limit=2"]
    tags = {ask(f"{token}{path.partition('?')[0]}", secret, query=path.partition("?")[2])[1]["etag"] for path in asked}
    assert len(tags) == len(asked)


def test_id_opens_for_its_owner_alone(folder):
    mine, yours = (key("read", person=name) for name in ("ann", "bob"))
    link_id = links.id_of(shared(folder, person="ann").token)
    assert ask(link_id, mine)[0] == 200
    assert ask(link_id, yours)[2] == ask("0" * 64, yours)[2] == ask("nonsense", yours)[2]


def test_upload_that_nobody_shared_is_not_read(folder, secret):
    assert ask(f"{uploaded(folder, FILE)}/numbers", secret)[0] == 404


def test_links_for_members_open_for_their_keys(folder, monkeypatch):
    token = shared(folder).token
    monkeypatch.setenv("BLINDSPOT_LINKS_FOR", "domain:example.org")
    for person, status in (("ann@example.org", 200), ("eve@elsewhere.org", 403), ("", 403)):
        assert ask(f"{token}/findings", key("read", person=person))[0] == status


# -- what cannot be answered --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("/nothing", "", 404), ("/rows", "limit=201", 400),
        ("/rows", "limit=-1", 400), ("/rows", "limit=1&limit=2", 400),
        ("/rows", "only=best", 400), ("/rows", "true=dodo", 422), ("/numbers", "sort=up", 400), ("/compare", "", 400),
        ("/compare", "with=nonsense", 404), ("/slices", "by=a&by=b&by=c", 400), ("/slices", "by=nothing", 422),
        ("/classes", "limit=9999", 400), ("/confusion", "offset=%D9%A1", 400),
    ],
)  # fmt: skip
def test_refusal_is_one_sentence_in_json(folder, secret, path, query, status):
    got, _, said = ask(f"{shared(folder).token}{path}", secret, query=query)
    assert (got, set(said)) == (status, {"error"}) and said["error"].endswith((".", "?"))


@pytest.mark.parametrize("run_name", ["screening", "support-intents-llm", "movie-genres", "weighted"])
@pytest.mark.parametrize("path", [endpoint.path for endpoint in list_endpoints() if endpoint.schema is not None])
def test_answer_fits_its_schema(folder, secret, run_name, path):
    if run_name == "weighted":
        run_name = share.share(weighted(folder)).token
    schema = next(endpoint.schema for endpoint in list_endpoints() if endpoint.path == path)
    status, _, said = ask(f"{run_name}{path}", secret, query=f"with={run_name}" if path == "/compare" else "")
    assert status == 200
    jsonschema.validate(said, schema, cls=jsonschema.Draft202012Validator)


def test_measurement_is_made_once(secret, monkeypatch):
    ask("digits", secret)
    monkeypatch.setattr(read_api, "open_draft", lambda *_: pytest.fail("it was read again"))
    assert ask("digits/numbers", secret)[0] == 200
