"""Overview: what the file is, what its accuracy hides, and the same predictions through five lenses."""

import streamlit as st

from ui.frame import loaded
from ui.frame.heading import heading
from ui.overview import labels_per_row, lenses, tiles
from ui.overview.finding_list import finding_list
from ui.rows import left_out
from ui.thresholds import own_scale, rule_in_force

evaluation = loaded.need_evaluation("The overview says what a file's accuracy hides.")
heading("Overview")

if evaluation.has_predictions:
    tiles.lead(evaluation)
    tiles.top_tiles(evaluation)
else:
    own_scale.ranking_tiles(evaluation)
left_out.note(evaluation)

found = rule_in_force.found(evaluation)
st.subheader("What the accuracy hides")
if not found:
    st.markdown(
        ":green[:material/check_circle:] Nothing stands out: no class is ignored, "
        "no confusion dominates, and accuracy beats its baseline."
    )
finding_list(evaluation, found[:5], here="overview")
if len(found) > 5:
    with st.expander(f"{len(found) - 5} more"):
        finding_list(evaluation, found[5:], here="overview")

if evaluation.has_predictions:
    st.subheader("The same predictions through five lenses")
    lenses.five(evaluation)
    if evaluation.task == "multilabel":
        labels_per_row.section(evaluation)
