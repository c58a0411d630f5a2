"""A row's text is data in a prompt, never template; a template reads its row and nothing else."""

import pytest

from data.errors import DataError
from harness.prompts import Prompts, Shot, check_text_used, draw_shots, read_template, single_braces, truth_in_prompts

HOSTILE = ["{{ 7 * 7 }}", "{% for l in labels %}x{% endfor %}", "{{ ''.__class__.__mro__ }}", "{# gone #}", "<&'\">"]


@pytest.mark.parametrize("text", HOSTILE)
def test_prompt_keeps_a_rows_text_as_it_is(text):
    prompts = Prompts("{{ labels[0] }}|{{ text }}|{{ row.topic }}|{{ shots[0].text }}", (text,), (Shot(text, "a"),))
    assert prompts.render({"topic": text}, text) == "|".join([text] * 4)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ labels.append('x') }}", "there is no 'append'; there are"),
        ("{{ row.update({'a': 'b'}) }}", "unsafe|not safely callable"),
        ("{{ txt }}", r"there is no 'txt'; there are text, labels, shots and row\['topic'\]"),
        ("{{ row.nothing }}", r"^prompt\.txt: there is no 'nothing'; there are text, "),
        ("{{ shots[0].question }}", r"^prompt\.txt: there is no '(0|question)'; there are"),
        ("{% include '/etc/passwd' %}", "no loader"),
        ("a\n{% for %}", "prompt.txt, line 2: .*; correct the template"),
        ("{{ row.intent }}", "it names 'intent', which holds the truth; leave the truth out"),
        ("{{ 1 // 0 }}", "correct the template"),
    ],
)
def test_prompt_refuses_with_one_sentence(source, said):
    with pytest.raises(DataError, match=said):
        Prompts(source, ("a",), name="prompt.txt", hidden=("intent",)).render({"topic": "x", "intent": "a"}, "t")


def test_template_file_is_checked(tmp_path):
    (tmp_path / "empty").write_text(" \n")
    (tmp_path / "latin").write_bytes(b"\xff\xfe\xff")
    (tmp_path / "long").write_text("x" * (1 << 20) + "y")
    for name, said in [("no", "no such file"), ("empty", "is empty"), ("latin", "UTF-8"), ("long", "larger than 1 MB")]:
        with pytest.raises(DataError, match=said):
            read_template(tmp_path / name)


def test_few_shots_are_drawn_by_seed_without_questions():
    candidates = [Shot(f"t{n}", "ab"[n % 2]) for n in range(30)]
    drawn, left_out = draw_shots(candidates, {"t0", "t1"}, 5, seed=3)
    assert left_out == 2 and len(set(drawn)) == 5 and not {"t0", "t1"} & {shot.text for shot in drawn}
    assert draw_shots(candidates, {"t0", "t1"}, 5, seed=3)[0] == drawn
    assert draw_shots(candidates, {"t0", "t1"}, 5, seed=4)[0] != drawn
    with pytest.raises(DataError, match=r"29 examples were wanted, but .* 28 that are not asked"):
        draw_shots(candidates, {"t0", "t1"}, 29, seed=3)


def test_truth_in_prompts_is_found():
    prompts = Prompts("{{ labels|join(' ') }}: {{ text }}", ("lost_card", "top_up"))
    leaking = [({"n": str(n)}, f"Lost card {n}", "lost_card") for n in range(10)]
    assert "In 10 of the first 10 rows the text itself names the true label" in truth_in_prompts(prompts, leaking)
    assert truth_in_prompts(prompts, [({}, f"where is it, {n}", "lost_card") for n in range(10)]) == ""
    assert truth_in_prompts(prompts, leaking[:2]) == ""


def test_digests_tell_what_changed():
    one = Prompts("{{ text }}", ("a",), (Shot("t", "a"),)).digests
    for other, changed in [
        (Prompts("{{ text }}.", ("a",), (Shot("t", "a"),)), "prompt"),
        (Prompts("{{ text }}", ("a", "b"), (Shot("t", "a"),)), "label list"),
        (Prompts("{{ text }}", ("a",)), "few shots"),
    ]:
        assert [name for name in one if one[name] != other.digests[name]] == [changed]


ROWS = [({"text": f"t{n}", "topic": "x" * n}, f"t{n}") for n in range(3)]


@pytest.mark.parametrize("source", ["{{ text }}", "{{ row.text }}", "{{ row['text']|upper }}", "{{ text.index('t') }}"])
def test_prompt_that_uses_the_text_passes(source):
    check_text_used(Prompts(source), ROWS, "text")


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ("Label this.", "write {{ text }} into it"),
        ("Label this: {text}", "has {text} in single braces, which stays as it is; write {{ text }}"),
        ("Label {{ row.topic }}", "write {{ text }} into it"),
    ],
)
def test_prompt_without_the_text_is_refused(source, advice):
    with pytest.raises(DataError, match="the template does not use the text of 'text'") as error:
        check_text_used(Prompts(source), ROWS, "text")
    assert advice in str(error.value)


def test_single_braces_are_named_beside_double_ones():
    assert "{labels} in single braces" in single_braces(Prompts("{labels} {{ text }}"))
    assert single_braces(Prompts('{% if text %}{{text}}{% endif %} {"label": "x"} {{ {"a": text}.a }}')) == ""
