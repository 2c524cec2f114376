"""The hand-made files of all folders; README.md has the layout.

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


def files(folder, contents):
    Path(folder).mkdir(exist_ok=True)
    for name, content in contents.items():
        Path(folder, name).write_bytes(content if isinstance(content, bytes) else content.encode())


# Real files are seeds too (scripts/fuzz names their folders); most of these are what no tool writes.
files("read_bytes", {
    "empty": "",
    "byte_order_mark": b"\xef\xbb\xbf1\n2\n",
    "utf16": "1\n2\n".encode("utf-16"),
    "gzip_header_only": b"\x1f\x8b\x08\x00",
    "not_a_number": "1\nnan\ninf\n-1e999\n",
    "csv_quotes": 'a_ms;"b ""x""";c\r\n1,5;"2";3\r\n4;5\r\n',
    "deep_json": "[" * 200,
    "hyperfine_no_times": '{"results":[{"command":"a","mean":1.0}]}',
    "fathom_sizes_overflow": '{"schema":"fathom/1","subjects":[{"name":"a","values":[1],'
                             '"executions":[18446744073709551615,2]}]}',
    "gem5_dump": "---------- Begin Simulation Statistics ----------\nsimSeconds 0.5 # s\n",
    "escape_code_in_a_name": '{"results":[{"command":"\\u001b[2J","times":[1,"x"]}]}',
})

files("observations", {
    "empty": "",
    "scalars_twice": "ipc,ipc\n1,2\n",
    "times_go_back": "time,power\n2,1\n1,2\n",
    "cut_in_a_line": "time,power\n0,1\n1,2\n2,",
    "journal_torn": '{"request":{"question":"check","version":1}}\n{"ticket":{"number":1,"system":0,"seed":7},"host":"h",',
    "infinite_end": '{"schema":"fathom-execution/1","end":1e999,"scalars":{}}',
    "state_over_its_end": '{"schema":"fathom-execution/1","end":5,"states":{"busy":[[1,9]]}}',
    "name_with_an_escape_code": '{"schema":"fathom-execution/1","scalars":{"\\u001b[2J":"x"}}',
})

files("trace_imports", {
    "empty": "",
    "one_time": "time,a\n0,1\n",
    "start_after_end": "start_ns,end_ns,a\n5,1,2\n",
    "prometheus_labels": '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up",'
                         '"job":"a\\"b\\\\","\\u202e":""},"values":[[1,"NaN"],[2.5,"+Inf"],[3,"7"]]}]}}',
    "prometheus_error": '{"status":"error","errorType":"bad\\ndata","error":"\\u001b[31mno"}',
    "perf_not_counted": "1.000000000,<not counted>,,cycles,0,0.00,,\n2.0,5,,cycles,1,100.00,1.5,GHz\n",
    "gc_pause": "[0.1s][info][gc] GC(0) Pause Young (Normal) 24M->4M(256M) 3.4ms\n[0.2s] GC(0) Eden regions: 6->0(4)\n",
    "netdata": '{"labels":["time","user"],"data":[[1700000002,2.5],[1700000001,null]]}',
    "times_since_1970": "timestamp,a\n2024-02-30T25:61:00Z,1\n",
})

SAMPLER = '{"name":"fast","file":"run-1.fast.parquet","interval_ns":10000000,"rows":3,"lateness_ns":[1,2,3],"cpu_share":0.1,' \
          '"probes":[{"probe":"p","samples":1,"ns_per_sample":1.5,"cpu_share":0.01}]}'


def manifest(schema="fathom-trace/1", run="run-1", sampler=SAMPLER, common="null", metrics=""):
    environment = '{"tool":"fathom","tool_version":"0.1.0","os":"linux","arch":"x86_64"}'
    return (f'{{"schema":"{schema}","command":["true"],"started":1,"environment":{environment},"common":{common},'
            f'"metrics":[{metrics}],"runs":[{{"id":"{run}","group":"process","clock":{{"monotonic_ns":5,"wall_ns":6}},'
            f'"ended_ns":7,"ending":{{"exited":0}},"samplers":[{sampler}],"notes":["a note"]}}]}}')


METRIC = '{"name":"perf.faults","layer":"os","unit":"","kind":"counter","number":"integer","probe":"perf","about":""}'
files("manifest", {
    "complete": manifest(metrics=METRIC, common='"perf.faults"'),
    "two_samplers_of_one_name": manifest(sampler=f"{SAMPLER},{SAMPLER}"),
    "file_outside": manifest(sampler=SAMPLER.replace("run-1.fast", "../x")),
    "no_common_metric": manifest(common='"ipc"'),
    "newer": manifest(schema="fathom-trace/2"),
    "times_out_of_range": manifest().replace('"ended_ns":7', '"ended_ns":9223372036854775808'),
    "schema_with_an_escape_code": '{"schema":"\\u001b[2J"}',
    "unknown_kind_with_a_line_break": manifest(metrics=METRIC.replace("counter", "\\n")),
})

files("parquet", {
    "empty": b"",
    "magic_only": b"PAR1",
    "magic_twice": b"PAR1PAR1",
    "footer_longer_than_the_file": b"PAR1" + b"\x15\x04" + struct.pack("<I", 1 << 31) + b"PAR1",
    "footer_of_zeros": b"PAR1" + bytes(64) + struct.pack("<I", 64) + b"PAR1",
})

files("property", {
    "scalar": "runtime < 12.5 s and x >= 3",
    "always_in_a_window": "G[0ms, 5ms) (power < 12 W -> F[0, 2ms] ipc > 1)",
    "until": "power < 10W U[1ms,inf] ipc == 0",
    "event_attribute": "max(latency of request where latency > 3ms) < 5ms and gap(request) > 1us",
    "share": 'P >= 0.9 [ "ipc" > 1 at rise(power > 10W) ]',
    "two_runs": "runs a from base, b from new: speedup(a, b, runtime) > 1.1 and x@a = x@b",
    "windows_back": "avg[-2ms, 0ms](power) - pct[0,inf](ipc, 99) > abs(-1)",
    "deep": "(" * 300,
    "unclosed_text": '"power',
    "line_breaks": "x\n=\r\n2 # a comment\n",
    "huge_number": "x < 1e999",
    "frequency": "2.5GHz",
})

files("requests", {
    "run": '{"version":1,"question":"run","subjects":{"commands":["sleep 0.1","-x"]},"confidence":"0.99"}',
    "compare": '{"version":1,"question":"compare","source":{"commands":{"commands":["a","b"]}}}',
    "check": '{"question":"check","version":1,"probability":"80%","about":{"estimate":{"expression":"runtime",'
             '"precision":"5%"}},"executions":{"commands":{"systems":{"command":["./sim","--seed","{seed}"]},'
             '"budget":{"at_most":{"time":"90s"}},"executor":{"slurm":{"partition":"main","options":["--constraint=fast"]}}}}}',
    "check_of_a_property": '{"question":"check","version":1,"about":{"property":{"text":"x < 1"}}}',
    "explain": '{"version":1,"question":"explain","traces":{"paths":["traces"]},"target":"ipc","windows":["1..2.5"]}',
    "suggest": '{"version":1,"question":"suggest","traces":{"paths":["traces"]},"target":"ipc"}',
    "record": '{"version":1,"question":"record","command":{"words":["sleep","1"]}}',
    "analyze": '{"version":1,"question":"analyze","inputs":[{"file":"a.csv"}]}',
    "newer": '{"version":2,"question":"run"}',
    "without_a_version": '{"question":"run"}',
    "question_with_an_escape_code": '{"version":1,"question":"\\u001b[2J"}',
})

SUBJECT = '{"name":"a","unit":"s","n":3,"values":[1.5,2,1e-300],"executions":[1,2],"warnings":["slow"],' \
          '"estimates":[{"confidence":0.99}],"shell_startup":{"subtracted":0.001,"values":[0.001,0.002]}}'
files("documents", {
    "result": f'{{"schema":"fathom/1","command_line":"fathom run a","seed":7,"subjects":[{SUBJECT}],"warnings":[]}}',
    "newer": '{"schema":"fathom/2","subjects":[]}',
    "without_values": '{"schema":"fathom/1","subjects":[{"name":"a","n":9}]}',
    "no_subjects": '{"schema":"fathom/1"}',
    "explanation": '{"ranking":[{"metric":"gc"}],"command_line":"fathom explain traces --target ipc","request":'
                   '{"version":1,"question":"explain","traces":{"paths":["/"]},"target":"ipc"}}',
    "explanation_without_a_request": '{"ranking":[],"command_line":"fathom explain \\u001b[2J"}',
    "executions_that_do_not_add_up": '{"schema":"fathom/1","subjects":[{"name":"a\\u0007","values":[1],"executions":[2]}]}',
})

TICKET = '{"ticket":{"number":1,"system":0,"seed":7},"host":"node1","ending":{"exited":0},"usage":{},"outcome":'
files("journal", {
    "two_executions": '{"request":{"question":"check","version":1}}\n' + TICKET +
                      '{"Ok":{"schema":"fathom-execution/1","scalars":{"ipc":1.25}}}}\n' + TICKET.replace("1,", "2,", 1) +
                      '{"Err":{"how":"exited with status 3","said":["no memory"],"hint":null}}}\n',
    "torn": TICKET,
    "damaged_in_the_middle": "{}\n" + TICKET + "\n",
    "unknown_ending_with_an_escape_code": TICKET.replace("exited", "\\u001b[2J") + "null}\n{}\n",
    "ledger": '{"schema":"fathom-slurm-1","name":"fathom-a1-","largest_array":21,"batches":[{"number":4294967295,'
              '"job":17,"is_cancelled":false}]}',
    "work": '{"recipe":{"systems":[],"folder":"/","timeout":{"secs":1,"nanos":5},"metrics":["a=x"],"files":[]},"kept":null}',
    "tickets": '[{"number":1,"system":0,"seed":7}]',
    "squeue": "13|0|PENDING||fathom-a1-1|BeginTime\n10|N/A|FAILED||s.sh|Bad|Constraints\n",
    "scontrol": "JobId=5 ArrayJobId=1 ArrayTaskId=3 JobState=FAILED ExitCode=3:0 BatchHost=node2\nMaxArraySize = 21\n",
    "sbatch": "Welcome!\n17;cluster\n\n",
    "time_limit": "1-02:03:04",
    "memory_size": "2G",
})

files("labels", {
    "first_version": '{"schema":"fathom-labels/1","labels":{"ipc":{"gc":"maybe"}}}',
    "of_windows": '{"schema":"fathom-labels/2","labels":{},"of_windows":[{"target":"ipc","run":"run-1","windows":[[1,2.5]],'
                  '"labels":{"gc":"yes","cpu":"no"}}]}',
    "newer": '{"schema":"fathom-labels/3\\u001b[2J","labels":{}}',
    "unknown_label_with_a_line_break": '{"schema":"fathom-labels/2","labels":{"ipc":{"gc":"\\n"}}}',
    "empty": "",
    "marking": '{"target":"ipc","run":"run-1","windows":[[1e308,-1e308]],"metric":"ipc","label":"yes"}',
})

OK = "HTTP/1.1 200 OK\r\n"
QUESTION = '{"target":"ipc","run":"run-1","windows":[[9,15]],"baseline":[20,30],"segments":3,"pattern":[[9,1],[15,0.25]],' \
           '"common":"cpu","normalise":true,"penalty":0.5,"correlator":"combined","score_in":"nearest"}'
files("http", {
    "prometheus": OK + 'Content-Length: 118\r\n\r\n# HELP a_seconds the "help"\n# TYPE a_seconds histogram\n'
                  'a_seconds_bucket{le="+Inf",b="\\"\\\\\\n"} 2 1700000000\na_seconds_sum NaN\n',
    "openmetrics": OK + "Content-Type: application/openmetrics-text; version=1.0.0\r\n\r\n# UNIT b_bytes bytes\n"
                   'b_bytes_total 5 # {trace="x"} 1\n{"quoted name",a="1"} 3\n# EOF\n',
    "chunked": "HTTP/1.1 100 Continue\r\n\r\n" + OK + "Transfer-Encoding: chunked\r\n\r\n4;x=y\r\na 1\n\r\n0\r\nA: b\r\n\r\n",
    "chunk_of_all_memory": OK + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    "redirect": "HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\u001b[2J\r\n\r\n",
    "refused": "HTTP/1.0 503 Busy \u202e\r\nContent-Length: x\r\n\r\n",
    "compressed": OK + "Content-Encoding: gzip\r\n\r\n",
    "address": "http://[::1]:9090/metrics?a=b#c",
    "question": QUESTION,
    "view": f'{{"question":{QUESTION},"selects":true}}',
    "warps": '{"run":"run-2","target":"ipc","common":"cpu","normalise":false,"penalty":1e308}',
    "session_options": '{"confidence":0.99,"outliers":"remove","steady_state":12,"statistic":"p90"}',
})

files("printed", {
    "regex": "rps=Requests/sec: +([0-9.]+)\nLatency: 3 ms\nRequests/sec:  1250.5\n",
    "json": 'p[ms]=json:a.b[0]["c d"]\n{"a":{"b":[{"c d":1.5}]}}\n',
    "csv": "ipc=csv:ipc\nname;ipc\nx;1,5\ny;2,5\n",
    "last_number": "n=last-number\ntook 1_000.5e-3 s\n",
    "event": "pause[ms,event]=pause ([0-9]+)\npause 3 heap 70\r\u001b[1mpause\u001b[0m 5\n",
    "in_a_file": "x=in:{dir}/out.json:json:x\n",
    "bad_regex": "x=(\u001b[\n",
    "bad_name": "\u202ex=y\n1\n",
    "json_lines": 'a=a(.*)\n{"time":1,"a":{"b":[1,2,3]},"s":"x"}\n[1,{"x":2}]\n',
})


def hsperfdata(entries, order="<", used=None, count=None):
    body = b""
    for name, unit, variability, value in entries:
        data = (20 + len(name) + 1 + 7) // 8 * 8
        entry = struct.pack(order + "iii", data + 8, 20, 0) + bytes([ord("J"), 0, unit, variability])
        entry += struct.pack(order + "i", data) + name
        body += entry.ljust(data, b"\0") + struct.pack(order + "q", value)
    head = b"\xca\xfe\xc0\xc0" + bytes([order == "<", 2, 0, 1])
    head += struct.pack(order + "iiqii", used or 32 + len(body), 0, 1, 32, len(entries) if count is None else count)
    return head + body


COUNTERS = [(b"sun.os.hrt.frequency", 6, 1, 1_000_000_000), (b"sun.gc.collector.0.invocations", 4, 2, 7),
            (b"sun.gc.generation.0.space.0.used", 2, 3, -5)]
files("hsperfdata", {
    "little_endian": hsperfdata(COUNTERS),
    "big_endian": hsperfdata(COUNTERS, ">"),
    "more_entries_than_there_are": hsperfdata(COUNTERS, count=(1 << 31) - 1),
    "negative_length": hsperfdata(COUNTERS, used=-1),
    "name_twice": hsperfdata(COUNTERS[:2] * 2),
    "not_ready": bytes(64),
    "other_version": b"\xca\xfe\xc0\xc0\x01\x03\x01\x01",
})


def order(arguments, variables, length, strings):
    words = struct.pack("<7Q", length, arguments, variables, 2**64 - 1, 0, 1, 0)
    return words + bytes(128 + 8 * (min(arguments, 9) + min(variables, 9) + 2)) + strings


STRINGS = b"/bin/x\0\0x\0A=1\0"
files("worker_protocol", {
    "order": order(1, 1, 128 + 32 + len(STRINGS), STRINGS),
    "more_arguments_than_there_are": order(5, 1, 128 + 64 + len(STRINGS), STRINGS),
    "more_arguments_than_memory": order(2**61, 1, 128, STRINGS),
    "memory_beyond_the_file": order(1, 1, 1 << 40, STRINGS),
    "reply_with_odd_counters": struct.pack("<12Q", 3, 2, 9, 10, 1, 2, 3, 4, 5, 6, 11, 2**64 - 1) +
                               struct.pack("<4d", math.nan, math.inf, -math.inf, 1.5),
    "hello": '{"fathom-bench":1,"functions":["a/b","odd \\"name\\"\\n"]}\n',
    "hello_of_another_version": '{"fathom-bench":2}\n',
    "no_bench": "\u001b[2Jusage: x\n",
    "orders": "pin 1\nsize 3\nbatch 0 12\nbatch 1\n",
    "replies": 'done \nzero \nsize 8\ntook 1.25e-9\ntook NaN\nbroken "two\\nlines"\n',
})

files("proc", {
    "counters_without_an_end": "proc/stat\ncpu  18446744073709551615 0 0 18446744073709551615 0 0 0 1",
    "name_with_brackets": "proc/42/stat\n42 (a) b) (c) R 1 1 1 0 -1 0 5 5 5 5 5 5 5 5 20 0 1 0 9 8192 2 1844674 1 1 1\n",
    "load_that_is_no_number": "proc/loadavg\nNaN inf -1 18446744073709551616/0 1\n",
    "quota_of_nothing": "sys/fs/cgroup/user.slice/cpu.max\n0 0\n",
    "names_of_the_table_twice": "proc/42/net/snmp\nTcp: InSegs InSegs\nTcp: 1\nTcp: 1 2\n",
    "interrupts_of_many_cpus": "proc/interrupts\nCPU0 CPU1 CPU9999\n 1: 1 2 x\n\u202e: 1\n",
    "cpu_list_of_all": "sys/devices/system/cpu/online\n0-4294967295,3-1,x\n",
    "model_with_an_escape_code": "proc/cpuinfo\nprocessor : 0\nmodel name : \u001b[2JXeon\n",
    "empty": "proc/meminfo\n",
})
