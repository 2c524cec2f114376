"""The hand-made files of analyze_pipeline/ and read_bytes/; README.md has the layout.

Run from this folder: python3 make.py. Files that the fuzzer found are not made here.
"""

import math
import struct
from pathlib import Path

DOUBLES, BYTES, NEAR_ONE, RUNS = range(4)
MEDIAN, MEAN, QUANTILE, HARMONIC = 1, 2, 4, 8
EXACT, SEQUENCE, SPA, BCA, SIGN, T, Z = range(1, 8)
LOWER, UPPER = 1, 2
OFF = 1  # of the steady state and of the grid
REMOVE, KEEP = 1, 2
FULL, TUKEY, MAD = 1, 2, 3
TINY, HUGE = 5e-324, 1.7976931348623157e308


def write(name, values, encoding=DOUBLES, statistics=MEDIAN | MEAN | QUANTILE, p=0.9, confidence=0, sides=0,
          method=0, executions=0, seed=1, pooled=False, correlogram=False, steady=0, outliers=0, rule=0, grid=0):
    header = bytes([encoding, executions, statistics, confidence, sides, method])
    header += struct.pack("<H", round(p * 65537) - 1) + bytes([seed, pooled + 2 * correlogram])
    header += bytes([steady, outliers, rule, grid, 0, 0])
    body = {
        DOUBLES: lambda: b"".join(struct.pack("<d", value) for value in values),
        BYTES: lambda: bytes(values),
        NEAR_ONE: lambda: b"".join(struct.pack("<h", value) for value in values),
        RUNS: lambda: b"".join(struct.pack("<Bh", count, value) for count, value in values),
    }[encoding]()
    Path("analyze_pipeline", name).write_bytes(header + body)


write("n1", [3.5])
write("n2", [1.0, 2.0])
write("n2_equal", [1.0, 1.0], method=BCA, statistics=MEAN)
write("n3_lower", [2.0, 1.0, 4.0], sides=LOWER)
write("n5_p99_upper", [5, 1, 4, 2, 3], BYTES, p=0.99, sides=UPPER)
write("n6_sign", [9, 7, 8, 6, 5, 10], BYTES, statistics=MEDIAN, method=SIGN)
write("n10_z", [(37 * i + 11) % 50 for i in range(10)], BYTES, statistics=MEAN, method=Z)
write("n19_just_too_few_to_judge", [(37 * i + 11) % 50 for i in range(19)], BYTES)
write("n20_just_enough_to_judge", [(37 * i + 11) % 50 for i in range(20)], BYTES)
write("n22_spa", [(31 * i + 5) % 97 for i in range(22)], BYTES, statistics=QUANTILE, method=SPA, confidence=204)
write("n30_almost_certain", [(31 * i + 5) % 97 for i in range(30)], BYTES, confidence=255)
write("n200_least_confidence", [i * i % 101 for i in range(200)], BYTES, confidence=1, method=SEQUENCE,
      statistics=MEDIAN | QUANTILE)
write("constant_n30", [(30, 12)], RUNS)
write("constant_zero_n40", [(40, 0)], RUNS, method=BCA)
write("constant_tenth_n30", [0.1] * 30)
write("constant_huge", [HUGE] * 25)
write("two_values_n40", [7, 9, 9, 7, 9] * 8, BYTES)
write("two_values_one_ulp_apart", [1.0, 1.0 + 2.0**-52] * 15)
write("alternating_n40", [0, 1] * 20, BYTES)
write("alternating_signs_huge", [HUGE, -HUGE] * 15)
write("ties_coarse_clock", [(12, 3), (9, 4), (1, 5), (17, 3), (2, 4), (11, 3), (1, 40)], RUNS)
write("all_but_one_equal", [(49, 5), (1, 6)], RUNS, method=BCA)
write("ramp_up_n100", list(range(100)), BYTES)
write("ramp_down_slight", [-i for i in range(120)], NEAR_ONE)
write("step_down_n60", [(20, 200), (40, 100)], RUNS)
write("two_states_dwell_10", [(10, i % 2) for i in range(20)], RUNS)
write("warm_up_then_noise", [250, 200, 170, 150, 140] + [100 + (37 * i) % 7 for i in range(60)], BYTES)
write("bursts", [10 + (i % 3) + (150 if i % 50 in (7, 8, 9) else 0) for i in range(200)], BYTES, p=0.99)
write("sine_n90", [math.sin(i / 5) for i in range(90)])
write("tiny_subnormals", [TINY * (i % 5) for i in range(30)])
write("huge_spread", [HUGE / 2, -HUGE, TINY, 0.0, -0.0, 1.0, HUGE] * 5)
write("mixed_zeros", [0.0, -0.0] * 12)
write("large_offset", [1e15 + i % 3 for i in range(50)])
write("executions_of_5", [(37 * i + 11) % 50 for i in range(60)], BYTES, executions=5)
write("executions_pooled", [(37 * i + 11) % 50 for i in range(60)], BYTES, executions=7, pooled=True)
write("one_execution", [(37 * i + 11) % 50 for i in range(30)], BYTES, executions=255, method=T, statistics=MEAN)
write("p_least", [(37 * i + 11) % 50 for i in range(50)], BYTES, statistics=QUANTILE, p=1 / 65537)
write("harmonic_rates", [100 + (37 * i) % 23 for i in range(40)], BYTES, statistics=HARMONIC | MEAN, correlogram=True)
write("harmonic_negative", [1.0, -1.0] * 15, statistics=HARMONIC)
write("harmonic_huge_and_tiny", [HUGE, 1e-308, TINY] * 10, statistics=HARMONIC, sides=UPPER)
write("bursts_removed_full", [10 + (i % 3) + (150 if i % 50 == 7 else 0) for i in range(200)], BYTES, outliers=REMOVE,
      rule=FULL)
write("bursts_tukey_skip_20", [10 + (i % 3) + (150 if i % 50 == 7 else 0) for i in range(200)], BYTES, rule=TUKEY,
      steady=21)
write("mad_kept_off", [(37 * i + 11) % 50 for i in range(60)], BYTES, outliers=KEEP, rule=MAD, steady=OFF)
write("mad_huge", [HUGE, -HUGE, 1.0] * 9, rule=MAD, outliers=REMOVE)
write("full_without_grid", [(37 * i + 11) % 50 for i in range(60)] + [250], BYTES, rule=FULL, grid=OFF)
write("tiny_grid_step", [HUGE, 1.0, 2.0, TINY] * 8, rule=FULL, grid=2)
write("huge_grid_step", [1.0, 2.0, 4.0, 3.0, 90.0] * 8, grid=255, outliers=REMOVE)
write("skip_all", [3, 1, 2], BYTES, steady=200)

# For read_bytes the real files are seeds (fuzz/README.md); these are what no tool writes.
for name, text in {
    "empty": b"",
    "byte_order_mark": b"\xef\xbb\xbf1\n2\n",
    "utf16": "1\n2\n".encode("utf-16"),
    "gzip_header_only": b"\x1f\x8b\x08\x00",
    "not_a_number": b"1\nnan\ninf\n-1e999\n",
    "csv_quotes": b'a_ms;"b ""x""";c\r\n1,5;"2";3\r\n4;5\r\n',
    "deep_json": b"[" * 200,
    "hyperfine_no_times": b'{"results":[{"command":"a","mean":1.0}]}',
    "fathom_sizes_overflow": b'{"schema":"fathom/1","subjects":[{"name":"a","values":[1],'
                             b'"executions":[18446744073709551615,2]}]}',
    "gem5_dump": b"---------- Begin Simulation Statistics ----------\nsimSeconds 0.5 # s\n",
}.items():
    Path("read_bytes", name).write_bytes(text)
