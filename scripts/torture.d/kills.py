"""Every long command with every signal."""

import signal

from kill_measuring import (
    KillBaseline, KillCheck, KillCompare, KillRecord, KillResume, KillRun, KillSlurm,
)
from kill_writing import (
    KillAnalyze, KillBench, KillExplain, KillExport, KillFiles, KillImport, KillImportAgain, KillReport,
    KillUi,
)

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
KINDS = [
    KillRun, KillCompare, KillBaseline, KillFiles, KillBench, KillCheck, KillSlurm, KillRecord,
    KillResume, KillImport, KillImportAgain, KillExport, KillExplain, KillReport, KillUi, KillAnalyze,
]


def trials():
    return [kind(number) for kind in KINDS for number in SIGNALS]
