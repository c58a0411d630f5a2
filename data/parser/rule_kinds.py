"""The rules that a parser may have: their names, what each does, and what it looks for where nothing is said."""

TRIM_RULES = ("strip_thinking", "in_tag", "after_last", "json_field", "first_line", "last_line", "strip", "regex")
"""Rules that leave less text to the rules after them; where they find nothing, the text stays as it is."""
MATCH_RULES = (
    "exact", "normalised", "alias", "choice_letter", "only_mentioned", "first_mentioned", "last_mentioned",
)  # fmt: skip
"""Rules that read a label from what is left; the first that knows one decides."""
MENTIONS = ("only_mentioned", "first_mentioned", "last_mentioned")

HELP = {
    "strip_thinking": "Keeps what follows the last thinking block (`<think>…</think>`), or what stands before it if "
    "nothing follows. An unclosed block is a truncated answer. Values: names of tags.",
    "in_tag": "Keeps what stands in the last `<answer>…</answer>`; the closing tag may be missing at the end. Values: "
    "names of tags.",
    "after_last": "Keeps the text after the last marker, to the end of that line or of the next line with text. Case "
    "does not matter. Values: markers.",
    "json_field": "Keeps the value of a field of the JSON object in the text, also inside a code fence. Values: names "
    "of fields, the first that is there counts; without: the one text field that is a label.",
    "first_line": "Keeps the first line that is not empty.",
    "last_line": "Keeps the last line that is not empty.",
    "strip": "Removes decorations at both ends, and the content of the last `\\boxed{}`. Values: which decorations.",
    "regex": "Keeps group 1, or the whole, of the first (or last) match of a pattern in RE2 syntax.",
    "exact": "The text is a label, letter by letter.",
    "normalised": "The text is a label apart from case, underscores, quotes, bold, brackets, fences, a full stop, or "
    "“Answer:” in front. Labels that become one by this are not read.",
    "alias": "The text is listed as another name of a label; compared like normalised.",
    "choice_letter": "The text is a letter, as in `(A)`, `A.` or `**A**`, alone or before its label. Pairs: letter and "
    "label; without: the labels that are letters themselves, or A for the first label, B for the second…",
    "only_mentioned": "Exactly one label occurs in the text as whole words. Labels of one character never count.",
    "first_mentioned": "The label that occurs first in the text, as whole words. Labels of one character never count.",
    "last_mentioned": "The label that occurs last in the text, as whole words. Labels of one character never count.",
}
"""Descriptions of the rules, a sentence or two each."""

DECORATIONS = {
    "dollars": "$…$",
    "boxed": "\\boxed{…}",
    "bold": "**…**",
    "quotes": "“…”",
    "brackets": "(…)",
    "fence": "```…```",
    "full stop": "….",
}
"""Decorations that `strip` removes, by the name that its values use."""
MARKERS = ("answer is", "answer:", "[/INST]")
"""Default markers of `after_last`."""
LABEL_MARKERS = ("label:", "answer:", "category:", "class:", "label is", "category is")
"""Markers behind which the standard parser looks for a label, where it found none before."""
ANSWER_TAGS = (
    "answer", "final_answer", "label", "class", "category", "classification", "prediction", "intent", "sentiment",
    "verdict", "output", "result",
)  # fmt: skip
"""Default tags of `in_tag`."""
THINKING_TAGS = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad")
"""Default tags of `strip_thinking`."""
