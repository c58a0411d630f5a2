"""Overview: what the file is, what its accuracy hides, and the same predictions through five lenses."""

import streamlit as st

from ui import blocks, cache, finding_rows, labels_per_row, left_out, lenses, tiles

st.title("Overview")
evaluation = blocks.need_evaluation("The overview says what a file's accuracy hides.")
blocks.headline(evaluation)

tiles.top_tiles(evaluation)
left_out.note(evaluation)

found = cache.found(evaluation)
st.subheader("What the accuracy hides")
if not found:
    st.markdown(
        ":green[:material/check_circle:] Nothing stands out: no class is ignored, "
        "no confusion dominates, and accuracy beats its baseline."
    )
blocks.finding_list(found[:5], here="overview", rows_of=lambda one: finding_rows.link(evaluation, one))
if len(found) > 5:
    with st.expander(f"{len(found) - 5} more"):
        blocks.finding_list(found[5:], here="overview", rows_of=lambda one: finding_rows.link(evaluation, one))

st.subheader("The same predictions through five lenses")
lenses.five(evaluation)
if evaluation.task == "multilabel":
    labels_per_row.section(evaluation)
