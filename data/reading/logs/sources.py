"""Recognise the source of a file: the tables of recognisers and rows. The first that fits is taken."""

from __future__ import annotations

from data.reading.logs import (
    argilla,
    every_eval,
    inspect_log,
    label_scores,
    lm_eval,
    openai_evals,
    pandas_json,
    promptfoo,
)
from data.reading.logs.source import DocumentSource, StreamSource

STREAMS: tuple[StreamSource, ...] = (
    StreamSource("lm-evaluation-harness", lm_eval.recognises, lm_eval.read_rows),
    StreamSource("OpenAI Evals", openai_evals.recognises, openai_evals.read_rows),
    StreamSource("Every Eval Ever", every_eval.recognises, every_eval.read_rows),
    StreamSource("promptfoo", promptfoo.recognises_records, promptfoo.record_rows),
    StreamSource("Vertex AI", label_scores.is_vertex, label_scores.vertex_rows),
    StreamSource("Hugging Face pipeline", label_scores.is_pipeline, label_scores.pipeline_rows),
    StreamSource("Argilla", argilla.recognises, argilla.read_rows),
    StreamSource("Neo", pandas_json.is_neo, pandas_json.neo_rows),
)
"""Files of one value a line, or of one array; known by their first values."""

DOCUMENTS: tuple[DocumentSource, ...] = (
    DocumentSource(inspect_log.NAME, inspect_log.recognises, inspect_log.read_rows),
    DocumentSource("promptfoo", promptfoo.recognises, promptfoo.read_rows),
    DocumentSource("lm-evaluation-harness", lm_eval.is_summary, lm_eval.refuse_summary),
    DocumentSource("W&B", pandas_json.is_wandb, pandas_json.split_rows),
    DocumentSource(None, pandas_json.is_split, pandas_json.split_rows),
    DocumentSource(None, pandas_json.is_table, pandas_json.table_rows),
    DocumentSource(None, pandas_json.is_columns, pandas_json.column_rows),
    DocumentSource(None, pandas_json.is_indexed, pandas_json.indexed_rows),
    DocumentSource(None, pandas_json.is_by_id, pandas_json.rows_by_id),
)
"""Files of one object; known by where its lists are."""

HEAD = 5
"""Number of values of a stream that are looked at."""
