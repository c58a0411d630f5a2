"""Begin Overview and the report: the title, the numbers with their pictures, and how much a finding is about."""
