"""Whether what our pages say that a command prints is what it prints.

examples_test.py SOURCE_DIR CUVIER
In each block of a page that is marked as ```console, lines that begin with $ are run on a terminal of
110 columns. The others must be among what they print, in that order; ... stands for what is left out, of
lines or at the end of one. Times may differ.
"""

import fcntl
import functools
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import textwrap
import time

source = pathlib.Path(sys.argv[1]).resolve()
program = pathlib.Path(sys.argv[2]).resolve()
work = tempfile.TemporaryDirectory()
pages = ["README.md", "docs/tutorial/README.md", "docs/howto/write-an-oracle.md",
         "docs/results/threads.md"]
faults = []


@functools.cache
def on_terminal(command, folder=None):
    """What the command writes to a terminal as its standard output, and the folder that it ran in."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 110, 0, 0))
    path = f"{program.parent}:{os.environ['PATH']}"
    if not folder:
        folder = tempfile.mkdtemp(dir=work.name)
        os.symlink(source / "docs", pathlib.Path(folder) / "docs")
    begun = time.monotonic()
    child = subprocess.Popen(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=theirs,
                             stderr=subprocess.DEVNULL, env={**os.environ, "PATH": path})
    os.close(theirs)
    text = b""
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:
            break
        if not some:
            break
        text += some
    child.wait()
    os.close(ours)
    print(f"{time.monotonic() - begun:5.1f} s: {command}", flush=True)
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text.decode()).replace("\r", ""), folder


def printed_by(commands):
    """What a page begins with, and another one goes on with, is run once."""
    text, folder = "", None
    for command in commands.split(" && "):
        more, folder = on_terminal(command, folder)
        text += more
    return text


def without_times(line):
    return re.sub(r"\s*\b(\d+ min )?[0-9.]+ s\b", " T s", line).strip()


def is_there(expected, line):
    if expected.endswith("..."):
        return line.startswith(expected[:-3].rstrip())
    return line == expected


blocks = 0
for name in pages:
    for block in re.findall(r"^ *```console\n(.*?)^ *```", (source / name).read_text(), re.S | re.M):
        blocks += 1
        printed = []
        for line in textwrap.dedent(block).splitlines():
            if line.startswith("$ "):
                printed = [without_times(p) for p in printed_by(line[2:]).splitlines()]
            elif line.strip() not in ("...", ""):
                if "cvc5" in line and not shutil.which("cvc5"):
                    continue
                while printed and not is_there(without_times(line), printed[0]):
                    printed.pop(0)
                if not printed:
                    faults.append(f"{name}: not printed, or not there: {line}")
                    break
                printed.pop(0)

for fault in faults:
    print(fault)
sys.exit(1 if faults or blocks < 20 else 0)
