"""Set the largest sizes, counts and times of what comes in from the network, each with its reason.

What whoever runs the server may change stands in `data.environment`.
"""

MESSAGE_BYTES = 4_000_000
"""Of a websocket message; `server.maxWidgetStateSize` says the same, and so does the transport (`web.start`)."""
MAX_CONTROLS = 2_000
"""Controls whose values one message brings: one that says nothing takes two bytes on its way and hundreds here."""
MAX_LIST_ITEMS = 10_000
"""Items of one kind of list in a message, such as chosen options or names of files: an empty one takes two bytes."""
CONTROL_ID_CHARS = 200
MAX_SESSION_OWNERS = 10_000  # sessions of which is kept which browser began them: some 200 bytes each
FIELD_BYTES = 1 << 20  # all fields of a form together: a parser may have 256 kB, a set of labels some more
MAX_FIELDS = 1_000  # of a form
DRAIN_SECONDS = 5.0  # that the rest of a refused form is read, so that its sender hears why
ANSWER_BYTES = 16 << 20  # of a server that `cli.py push` asks
HEAD_BYTES = 64 << 10  # of a request: a browser sends one or two thousand
GRACE_SECONDS = 20.0
"""An upload may be slow for so long: connections begin slowly."""
GRACE_WHEN_FULL = 3.0
"""The same while others wait for its place."""
SWEEP_SECONDS = 30  # between looks for sessions, uploaded files and results that nobody needs
LEFT_SECONDS = 10.0  # that the session of a closed tab waits: a proxy that starts anew also says that tabs were closed
RELEASE_SHARE = 0.75  # of BLINDSPOT_MEMORY_MB, from which on results are let go although people are there
RELEASE_GROWTH = 1.1  # by which memory has to grow after that before they are let go again
WAITING_SECONDS = 600  # that an uploaded file stays without a page that reads it
KEPT_RUNS, RUNS_AT_ONCE = 4, 2  # that the reading API keeps measured, and measures at once
KEPT_PAGES = 64  # static pages of share links in memory: some 150 kB each
PAGE_SECONDS = 30  # that a cache, and then a browser, may keep one: a revoked link is gone within a minute from both
SECRET_CHARS = 32  # of the secret that signs login cookies
LOGIN_RETURN_SECONDS = 900  # that a login may take and still lead back to its link
START_SECONDS = 60  # a server that has not answered by then will not
KEY_ANSWER_SECONDS = 30.0  # of a server that is asked what a key may
PUSH_ANSWER_SECONDS = 900.0  # the server receives, waits its turn and reads before it answers
