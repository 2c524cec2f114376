#!/usr/bin/env python3
"""Faults in real programs.

usage: faults.py NAME TOLD SECONDS AT LENGTH    run NAME for so long with a fault, and write to TOLD when it was
       faults.py --list                         a line for each: name, programs, metrics that name the cause
"""
import os
import random
import sqlite3
import sys
import threading
import time

from subject import Subject, answer_to, connected, free_port, http, main

NETWORK = r"system\.network\..*(bytes|packets|Octets|Segs|Receives|Delivers|Requests)"
SOFT_INTERRUPTS = r"system\.softirqs\.(NET_RX|NET_TX)|system\.stat\.softirq.*"
FORKS = r"system\.stat\.forks|process\.stat\.(processes|threads)|process\.status\.threads"
FAULTS = r"process\.stat\.minflt|perf\.software\.(minor-faults|page-faults)|system\.vmstat\.pgfault"
MEMORY = (
    r"process\.(stat|statm|status|smaps)\..*([rR]ss|RSS|resident|Anon|anon|VmData|data|Private|Pss).*"
    r"|system\.meminfo\.(MemFree|MemAvailable|AnonPages|Active.*|Committed_AS)"
    r"|system\.vmstat\.(nr_(free_pages|.*anon.*)|pgalloc.*|pgfree)|system\.cgroup\.memory\..*"
)
WRITES = (
    r"process\.io\.(wchar|syscw|write_bytes)|system\.disks\..*(write|busy|queue|in_flight).*"
    r"|system\.(vmstat\.nr_|meminfo\.|cgroup\.memory\.stat\.)([dD]irt|[wW]riteback|written).*"
    r"|system\.(vmstat\.(pgpgout|nr_dirtied|nr_written)|pressure\.io\..*|cgroup\.blkio\..*)"
    r"|process\.stat\.(disk_wait|blkio_delay)"
)
READS = (
    r"process\.io\.read_bytes|system\.disks\..*(read|busy|queue).*|system\.vmstat\.(pgpgin|pgmajfault|workingset.*)"
    r"|process\.stat\.(majflt|disk_wait|blkio_delay)|perf\.software\.major-faults|system\.pressure\.io\..*"
    r"|system\.meminfo\.(Cached|.*\(file\)|.*file.*)|system\.vmstat\.nr_.*file.*|system\.cgroup\.(memory|blkio)\..*"
)
SWITCHES = (
    r"(process\.status\.|perf\.software\.|system\.stat\.).*(ctxt|context-switches).*"
    r"|process\.schedstat\.(timeslices|wait)|process\.stat\.(threads|running)|process\.status\.threads"
)
PROCESSOR = (
    r"process\.(stat\.utime|schedstat\.(run|wait|timeslices))|perf\.software\.task-clock|system\.stat\.(user|idle|procs_running)"
    r"|system\.pressure\.cpu\..*"
)


class Nginx(Subject):
    needs = {"nginx": "nginx-light"}

    def start(self):
        self.port = free_port()
        self.written("small", "x" * 1000)
        with open(self.path("large"), "wb") as file:
            file.write(os.urandom(1 << 20) * 40)
        self.configuration = self.written(
            "nginx.conf",
            f"daemon off; master_process on; worker_processes 2; pid {self.folder}/pid; error_log /dev/null;\n"
            f"user root; events {{ worker_connections 500; }}\n"
            f"http {{ access_log off; keepalive_requests 100000000; keepalive_timeout 600; client_body_temp_path {self.folder}/b;"
            f" proxy_temp_path {self.folder}/p; fastcgi_temp_path {self.folder}/f; uwsgi_temp_path {self.folder}/u;"
            f" scgi_temp_path {self.folder}/s; server {{ listen 127.0.0.1:{self.port}; root {self.folder}; }} }}\n",
        )
        self.server = self.run("nginx", "-c", self.configuration, "-e", "/dev/null")
        self.link = connected(self.port)

    def step(self):
        try:
            http(self.link, "/small")
        except (ConnectionError, StopIteration):
            self.link = connected(self.port)


class NginxDownloads(Nginx):
    """Clients load large files."""

    causes = f"{NETWORK}|{SOFT_INTERRUPTS}|process\\.io\\.rchar"

    def begin(self):
        load = "import sys, urllib.request\nwhile 1: urllib.request.urlopen(sys.argv[1]).read()"
        self.clients = [self.python(load, f"http://127.0.0.1:{self.port}/large") for _ in range(2)]

    def end(self):
        for client in self.clients:
            self.stop(client)


class NginxReloads(Nginx):
    """Someone reloads the configuration again and again: workers end and start."""

    causes = FORKS

    def begin(self):
        reload = f"while :; do nginx -c {self.configuration} -e /dev/null -s reload; done"
        self.reloads = [self.run("sh", "-c", reload) for _ in range(2)]

    def end(self):
        for one in self.reloads:
            self.stop(one)


class Redis(Subject):
    needs = {"redis-server": "redis-server"}
    options = ()

    def start(self):
        self.port = free_port()
        self.run("redis-server", "--port", str(self.port), "--save", "", "--dir", self.folder, *self.options)
        self.link = connected(self.port)
        self.call("DEBUG", "POPULATE", "400000", "key", "100")
        self.number = 0

    def call(self, *words):
        parts = "".join(f"${len(word)}\r\n{word}\r\n" for word in words)
        self.link.sendall(f"*{len(words)}\r\n{parts}".encode())
        answer_to(self.link, b"\r\n")

    def step(self):
        self.number = (self.number * 7919 + 104729) % 400_000
        self.call("SET", f"key:{self.number}", "y" * 100)


class RedisSave(Redis):
    """Snapshots: a fork, pages that are copied as they are written, and the file; everyone waits for it."""

    causes = f"{FAULTS}|{FORKS}|{WRITES}|{MEMORY}"

    def begin(self):
        self.saves = self.run("sh", "-c", f"while :; do redis-cli -p {self.port} SAVE; redis-cli -p {self.port} BGSAVE; done")

    def end(self):
        self.stop(self.saves)


class RedisKeys(Redis):
    """Another client asks for all keys."""

    causes = f"{NETWORK}|{SOFT_INTERRUPTS}|{MEMORY}|{FAULTS}"

    def begin(self):
        ask = f"while :; do redis-cli -p {self.port} KEYS '*'; done"
        self.askers = [self.run("sh", "-c", ask) for _ in range(3)]

    def end(self):
        for asker in self.askers:
            self.stop(asker)


class RedisDisk(Redis):
    """Every change is synchronised with the disk, which another program writes to."""

    options = ("--appendonly", "yes", "--appendfsync", "always")
    causes = WRITES

    def begin(self):
        copy = f"while :; do dd if=/dev/zero of={self.folder}/other bs=1M count=64 conv=fdatasync; done"
        self.writer = self.run("sh", "-c", copy)

    def end(self):
        self.stop(self.writer)


class Memcached(Subject):
    """Hundreds of connections are made and closed."""

    needs = {"memcached": "memcached"}
    causes = f"{NETWORK}|system\\.network\\.Tcp\\..*|system\\.network\\.(tcp|ip).*|{SOFT_INTERRUPTS}"

    def start(self):
        self.port = free_port()
        self.run("memcached", "-p", str(self.port), "-l", "127.0.0.1", "-u", "root", "-t", "2", "-U", "0")
        self.link = connected(self.port)
        self.link.sendall(b"set k 0 0 100\r\n" + b"v" * 100 + b"\r\n")
        answer_to(self.link, b"\r\n")

    def step(self):
        self.link.sendall(b"get k\r\n")
        answer_to(self.link, b"END\r\n")

    def begin(self):
        storm = (
            "import socket, sys\n"
            "while 1:\n"
            "  all = [socket.create_connection(('127.0.0.1', int(sys.argv[1]))) for _ in range(100)]\n"
            "  [one.close() for one in all]"
        )
        self.storm = self.python(storm, self.port)

    def end(self):
        self.stop(self.storm)


class SqliteImport(Subject):
    """The command line of SQLite imports a table into the database that transactions use."""

    needs = {"sqlite3": "sqlite3"}
    causes = WRITES

    def start(self):
        self.base = sqlite3.connect(self.path("base"), isolation_level=None, timeout=30)
        self.base.execute("PRAGMA journal_mode = WAL")
        self.base.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v TEXT)")
        self.written("rows.csv", "".join(f"{n},{'z' * 200}\n" for n in range(40_000)))
        self.number = 0

    def step(self):
        self.number += 1
        self.base.execute("INSERT OR REPLACE INTO t VALUES (?, ?)", (self.number % 5000, "w" * 200))

    def begin(self):
        # Each import is one transaction, during which nobody else may write.
        load = (
            f"while :; do sqlite3 -cmd '.timeout 10000' {self.path('base')} 'DROP TABLE IF EXISTS b' "
            f"'CREATE TABLE b (k, v)' 'BEGIN IMMEDIATE' '.import --csv {self.path('rows.csv')} b' COMMIT; done"
        )
        self.load = self.run("sh", "-c", load)

    def end(self):
        self.stop(self.load)


class NodeAllocates(Subject):
    """Requests that keep what they allocate, and then drop it."""

    needs = {"node": "nodejs"}
    causes = f"{FAULTS}|{MEMORY}"

    def start(self):
        self.port = free_port()
        code = (
            "let kept = [];\n"
            "require('http').createServer((q, r) => {\n"
            "  if (q.url === '/leak') { kept.push(new Array(400000).fill({a: kept.length})); }\n"
            "  if (q.url === '/drop') { kept = []; }\n"
            "  const text = 'x'.repeat(500);\n"
            "  r.setHeader('Content-Length', text.length); r.end(text);\n"
            "}).listen(Number(process.argv[1]), '127.0.0.1');\n"
        )
        self.run("node", "--max-old-space-size=1500", "-e", code, str(self.port))
        self.link = connected(self.port)
        self.is_leaking = False

    def step(self):
        http(self.link, "/leak" if self.is_leaking and random.random() < 0.3 else "/")

    def begin(self):
        self.is_leaking = True

    def end(self):
        self.is_leaking = False
        http(connected(self.port), "/drop")


class PythonThreads(Subject):
    """Other threads of the interpreter want its lock."""

    causes = f"{SWITCHES}|{PROCESSOR}"

    def step(self):
        sum(n * n for n in range(2000))
        time.sleep(0.0005)

    def begin(self):
        self.is_busy = True

        def work():
            while self.is_busy:
                sum(n for n in range(1000))

        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()

    def end(self):
        self.is_busy = False


class LockConvoy(Subject):
    """Threads queue for a lock that one of them holds for long."""

    causes = SWITCHES

    def start(self):
        self.lock, self.hold = threading.Lock(), 0.0
        for _ in range(6):
            threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        while True:
            with self.lock:
                sum(n for n in range(300))
                if self.hold:
                    time.sleep(self.hold)
            time.sleep(0.002)

    def step(self):
        with self.lock:
            sum(n for n in range(300))
        time.sleep(0.001)

    def begin(self):
        self.hold = 0.004

    def end(self):
        self.hold = 0.0


class PageCache(Subject):
    """The file that is read drops out of the page cache."""

    causes = READS

    def start(self):
        self.size = 300 << 20
        with open(self.path("data"), "wb") as file:
            part = os.urandom(1 << 20)
            for _ in range(self.size >> 20):
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        self.file = os.open(self.path("data"), os.O_RDONLY)
        for at in range(0, self.size, 1 << 20):
            os.pread(self.file, 1 << 20, at)

    def step(self):
        for _ in range(20):
            os.pread(self.file, 16_384, random.randrange(self.size - 16_384) & ~4095)

    def begin(self):
        self.is_dropping = True

        def drop():
            while self.is_dropping:
                os.posix_fadvise(self.file, 0, 0, os.POSIX_FADV_DONTNEED)
                time.sleep(0.05)

        threading.Thread(target=drop, daemon=True).start()

    def end(self):
        self.is_dropping = False


class ForkStorm(Redis):
    """A script starts thousands of short processes."""

    causes = f"{FORKS}|{FAULTS}|system\\.vmstat\\.(pgalloc.*|pgfree)"

    def begin(self):
        storm = "while :; do /bin/true; done"
        self.storms = [self.run("sh", "-c", storm) for _ in range(2)]

    def end(self):
        for storm in self.storms:
            self.stop(storm)


class Throttled(Subject):
    """The control group's quota of processor time is cut to a twentieth of one processor."""

    causes = r"system\.cgroup\.cpu\..*(throttled|periods).*"
    #: The wrapper starts Fathom and the program in this control group.
    cgroup = True

    def start(self):
        for line in open("/proc/self/cgroup"):
            number, controllers, place = line.strip().split(":", 2)
            if "cpu" in controllers.split(","):
                self.group = f"/sys/fs/cgroup/cpu{place}"
            elif number == "0" and os.path.exists(f"/sys/fs/cgroup{place}/cpu.max"):
                self.group = f"/sys/fs/cgroup{place}"

    def step(self):
        sum(n * n for n in range(3000))

    def quota(self, share):
        if os.path.exists(f"{self.group}/cpu.max"):
            name, text = "cpu.max", "max 100000" if share is None else f"{int(share * 100_000)} 100000"
        else:
            name, text = "cpu.cfs_quota_us", "-1" if share is None else str(int(share * 100_000))
        with open(f"{self.group}/{name}", "w") as file:
            file.write(text)

    def begin(self):
        self.quota(0.05)

    def end(self):
        self.quota(None)


class Neighbours(Memcached):
    """Programs that have nothing to do with it take the processors."""

    causes = PROCESSOR

    def begin(self):
        self.others = [self.run("sh", "-c", "while :; do :; done") for _ in range(4)]

    def end(self):
        for other in self.others:
            self.stop(other)


class MemoryHog(Subject):
    """A child takes and returns memory."""

    causes = f"{FAULTS}|{MEMORY}"

    def start(self):
        self.rows = [os.urandom(4096) for _ in range(2000)]

    def step(self):
        sum(self.rows[random.randrange(2000)][n] for n in range(0, 4096, 8))

    def begin(self):
        take = (
            "import mmap\n"
            "while 1:\n"
            "  memory = mmap.mmap(-1, 1 << 28)\n"
            "  for at in range(0, 1 << 28, 4096): memory[at] = 1\n"
            "  memory.close()"
        )
        self.child = self.python(take)

    def end(self):
        self.stop(self.child)


SUBJECTS = {
    "nginx-downloads": NginxDownloads,
    "nginx-reloads": NginxReloads,
    "redis-save": RedisSave,
    "redis-keys": RedisKeys,
    "redis-disk": RedisDisk,
    "memcached-connections": Memcached,
    "sqlite-import": SqliteImport,
    "node-allocates": NodeAllocates,
    "python-threads": PythonThreads,
    "lock-convoy": LockConvoy,
    "page-cache": PageCache,
    "fork-storm": ForkStorm,
    "throttled": Throttled,
    "neighbours": Neighbours,
    "memory-hog": MemoryHog,
}

if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        for name, subject in SUBJECTS.items():
            print(name, ",".join(f"{a}={b}" for a, b in subject.needs.items()) or "-", subject.causes, sep="\t")
    else:
        main(SUBJECTS)
