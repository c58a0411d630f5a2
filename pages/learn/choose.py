"""Choose a metric: a flowchart that the loaded file answers as far as it can."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.learn import choosing

heading("Choose a metric")
evaluation = loaded.evaluation_if_any()
choosing.introduction(evaluation)
path = choosing.chart(evaluation)
choosing.verdict(path, evaluation)
