"""Makes the Parquet files of this folder, as other programs write them.

Made with pandas 3.1.1, pyarrow 26.0.1, polars 2.1.0 and duckdb 2.0.0:
    pip install pandas pyarrow polars duckdb && python3 make.py
Five rows each: the values are in crates/fathom-formats/tests/trace_foreign.rs.
"""

from decimal import Decimal

import datetime
import os

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet

os.chdir(os.path.dirname(os.path.abspath(__file__)))
UTC = datetime.timezone.utc
BEGIN = datetime.datetime(2026, 11, 16, 1, 40, 0, tzinfo=UTC)
TIMES = [BEGIN + datetime.timedelta(milliseconds=10 * n) for n in range(5)]

# An index of dates without a name, narrow types, dictionaries, text; snappy.
pandas.DataFrame(
    {
        "faults": pandas.array([1, 2, 3, None, 5], dtype="Int32"),
        "load": pandas.array([0.5, 0.25, float("nan"), 1.5, 2.5], dtype="float32"),
        "busy": [True, False, True, True, False],
        "phase": pandas.Categorical(["a", "a", "b", "b", "b"]),
    },
    index=pandas.DatetimeIndex(TIMES),
).to_parquet("pandas.parquet")

# Dates without a time zone, unsigned integers; zstd.
polars.DataFrame(
    {
        "small": polars.Series([1, 2, 3, 4, 255], dtype=polars.UInt8),
        "time": polars.Series([time.replace(tzinfo=None) for time in TIMES], dtype=polars.Datetime("us")),
        "large": polars.Series([0, 1, None, 2**63, 2**64 - 1], dtype=polars.UInt64),
        "wide": polars.Series([2**32 - 1, 0, 1, 2, 3], dtype=polars.UInt32),
        "wait_ms": [1.5, None, 3.5, float("inf"), 5.5],
    }
).write_parquet("polars.parquet")

# Seconds as doubles, decimals, rows out of order.
duckdb.sql(
    """copy (select * from (values
        (0.03::double, 3.25::decimal(9, 2), 30::bigint),
        (0.00, 0.25, 0), (0.01, -1.25, 10), (0.02, null, 20), (0.04, 4.25, 40))
        as rows(t, price, requests_total)) to 'duckdb.parquet'"""
)

# Milliseconds in the name, whole file by gzip, second version of pages.
table = pyarrow.table({"time_ms": pyarrow.array([0, 10, 20, 30, 40], pyarrow.int32()), "x": [5, 4, 3, 2, 1]})
pyarrow.parquet.write_table(table, "gzip.parquet", compression="gzip", data_page_version="2.0")

# No column that looks like a time: the first one is it.
table = pyarrow.table({"step": [0, 1, 2, 3, 4], "x": [1.5, 2.5, 3.5, 4.5, 5.5]})
pyarrow.parquet.write_table(table, "steps.parquet", compression="lz4")

# Nothing to be a time.
table = pyarrow.table({"name": ["a", "b"], "x": [1, 2]})
pyarrow.parquet.write_table(table, "no-time.parquet")

# The timestamps of old Spark, and a struct and a list.
table = pyarrow.table(
    {
        "when": pyarrow.array(TIMES, pyarrow.timestamp("ns", "UTC")),
        "x": [1, 2, 3, 4, 5],
        "point": [{"a": 1, "b": 2}] * 5,
        "list": [[1, 2]] * 5,
    }
)
pyarrow.parquet.write_table(table, "spark.parquet", use_deprecated_int96_timestamps=True)

# A time that is missing.
table = pyarrow.table({"time": [0.0, None, 2.0], "x": [1, 2, 3]})
pyarrow.parquet.write_table(table, "missing-time.parquet")

# A trace as docs/trace-format.md says, but with a narrow integer.
table = pyarrow.table(
    {
        "start_ns": pyarrow.array([0, 0], pyarrow.int64()),
        "end_ns": pyarrow.array([0, 9], pyarrow.int64()),
        "p.gauge": pyarrow.array([1, None], pyarrow.int32()),
        "p.counter": pyarrow.array([7, 8], pyarrow.int64()),
    }
)
pyarrow.parquet.write_table(table, "narrow-trace.parquet")

# A compression that Fathom does not read.
table = pyarrow.table({"time": [0.0, 1.0, 2.0], "x": [1.0, 2.0, 3.0]})
pyarrow.parquet.write_table(table, "brotli.parquet", compression="brotli")

# Decimals, which pyarrow stores as bytes.
table = pyarrow.table(
    {
        "time": [0.0, 1.0, 2.0],
        "price": pyarrow.array(
            [Decimal("1.23"), None, Decimal("-12345678901234.56")], pyarrow.decimal128(20, 2)
        ),
        "note": ["a", "b", "c"],
    }
)
pyarrow.parquet.write_table(table, "decimals.parquet", store_schema=False)

# 140 million rows of zeros in 3 KB.
schema = pyarrow.schema(
    [
        pyarrow.field("time", pyarrow.int64(), nullable=False),
        pyarrow.field("x", pyarrow.int64(), nullable=False),
    ]
)
rows = 10_000_000
zeros = pyarrow.array([0]).take(pyarrow.nulls(rows, pyarrow.int64()).fill_null(0))
table = pyarrow.table({"time": zeros, "x": zeros}, schema=schema)
with pyarrow.parquet.ParquetWriter(
    "many-rows.parquet",
    schema,
    compression="none",
    write_statistics=False,
    data_page_size=1 << 30,
    max_rows_per_page=rows,
    store_schema=False,
) as writer:
    for _ in range(14):
        writer.write_table(table, row_group_size=rows)
