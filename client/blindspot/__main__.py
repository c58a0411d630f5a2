"""`python -m blindspot` is the command `blindspot`."""

import sys

from .command import main

sys.exit(main())
