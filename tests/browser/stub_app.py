"""A page with one of every kind of element Blindspot is made of, and ways to fail: served by `test_door.py`."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

SCRIPT = """
export default function({parentElement, setStateValue}) {
  const button = parentElement.querySelector("button");
  button.textContent = "component is ready";
  button.onclick = () => setStateValue("clicks", 1);
}
"""


def fail() -> None:
    raise ValueError("a secret detail")


st.set_page_config(page_title="Stub", page_icon="assets/favicon.png")
if st.query_params.get("fail") == "page":
    fail()

st.title("Stub")
st.plotly_chart(go.Figure(go.Scatter(x=[1, 2], y=[1, 2], mode="markers")), on_select="rerun", key="points")
st.plotly_chart(go.Figure(go.Heatmap(z=[[1, 2], [3, 4]])), key="heatmap")
st.dataframe(pd.DataFrame({"a": range(100)}), on_select="rerun", key="table")
st.latex(r"\frac{a}{b}")
st.graphviz_chart("digraph {a -> b}")
st.file_uploader("file")
st.download_button("download", "a,b", "x.csv")
component = st.components.v2.component("probe", html="<button>component is loading</button>", js=SCRIPT)
st.text(f"clicks: {component(key='probe', on_clicks_change=lambda: None).clicks}")
st.button("fail in a callback", on_click=fail)


@st.fragment
def fragment() -> None:
    st.text(f"toggled: {st.toggle('toggle')}")
    if st.button("fail in a fragment"):
        fail()


fragment()
