"""`python -m blindspot_eval` is the command `blindspot-eval`."""

import sys

from .command import main

sys.exit(main())
