"""Test that threads share the heaps of the C library."""

import subprocess
import sys

import pytest

from data.process.heap import HEAPS

THREADS = """
import ctypes, threading
from data.process.heap import share_heaps

share_heaps()
together = threading.Barrier(8)
threads = [threading.Thread(target=lambda: (bytes(5000), together.wait())) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
library = ctypes.CDLL(None)
library.malloc_info(0, ctypes.c_void_p.in_dll(library, "stdout"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc has such heaps")
def test_threads_share_heaps():
    told = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, check=True).stdout
    assert told.count("<heap nr=") == HEAPS
