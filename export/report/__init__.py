"""The parts of the self-contained HTML report."""
