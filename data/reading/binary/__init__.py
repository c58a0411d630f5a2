"""Parquet, Excel workbooks and NumPy files."""
