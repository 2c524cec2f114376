#!/usr/bin/env python3
"""Runs the commands in README.md and compares what they print; --write puts it in instead.

usage: check_readme.py FATHOM [--write]     in this folder, after cargo build --release
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

fathom = os.path.abspath(sys.argv[1])
os.chdir(os.path.dirname(os.path.abspath(__file__)))
with open("README.md") as file:
    before = file.read()

with tempfile.TemporaryDirectory() as scratch:
    os.symlink(fathom, os.path.join(scratch, "fathom"))
    environment = dict(os.environ, PATH=scratch + os.pathsep + os.environ["PATH"], NO_COLOR="1")
    environment["XDG_DATA_HOME"] = os.path.join(scratch, "data")

    def block(match):
        lines = match.group(1).split("\n")
        # A command goes on while lines end with a backslash.
        length = next(i for i, line in enumerate(lines) if not line.endswith("\\")) + 1
        command = "\n".join(lines[:length])
        done = subprocess.run(command, shell=True, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode not in (0, 1):
            sys.exit(f"{command}\nexited with {done.returncode}: {done.stderr}")
        return "```console\n$ " + command + "\n" + done.stdout.rstrip("\n") + "\n```\n"

    after = re.sub(r"```console\n\$ (.*?)\n```\n", block, before, flags=re.S)

if "--write" in sys.argv:
    with open("README.md", "w") as file:
        file.write(after)
elif after != before:
    sys.stdout.writelines(line + "\n" for line in difflib.unified_diff(
        before.split("\n"), after.split("\n"), "README.md", "what was printed", lineterm=""))
    sys.exit("README.md does not show what the commands print")
