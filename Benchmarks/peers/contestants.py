"""Programs that repeat the work of a row; worker.py describes their protocol."""
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import setup

WORKER = Path(__file__).parent / "worker.py"
DARKROOM, RAW = "Darkroom", "plain C"


class Worker:
    """A process that holds the files of a row in memory."""

    def __init__(self, name, command, environment={}):
        self.name = name
        self.complaints = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.complaints, text=True,
            env={**os.environ, **environment})

    def ask(self, line=""):
        """Returns two numbers, or None if the peer does not support the row; it reports the reason."""
        self.send(line)
        return self.receive()

    def send(self, line):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def receive(self):
        words = self.process.stdout.readline().split()
        if len(words) == 2:
            return float(words[0]), int(float(words[1]))
        self.process.wait()
        self.complaints.seek(0)
        print(f"{self.name} fails:", *self.complaints.read().splitlines()[-1:], file=sys.stderr)
        return None

    def stop(self):
        # End of input terminates the process; a failed one has terminated already.
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.complaints.close()


class Magick:
    """A `gm batch` process that receives commands, so that its start is not counted; files are read from disk."""

    def __init__(self, files, before, after, format):
        self.name = "GraphicsMagick"
        self.files, self.before, self.after, self.format = files, before, after, format
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            ["gm", "batch", "-prompt", "off", "-feedback", "on", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})

    def ask(self, line=""):
        folder = line.removeprefix("write ") or self.folder.name
        start, byte_count = self.milliseconds(), 0
        for index, path in enumerate(self.files):
            target = Path(folder, str(index))
            command = ["convert", *self.before, path, *self.after, f"{self.format}:{target}"]
            self.process.stdin.write(" ".join(map(str, command)) + "\n")
            self.process.stdin.flush()
            if not self.process.stdout.readline().startswith("PASS"):
                return None
            byte_count += target.stat().st_size
        return self.milliseconds() - start, byte_count

    def milliseconds(self):
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e6

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()


def darkroom(row, files, name=DARKROOM):
    return Worker(name, [setup.BENCHMARKS / "peer-rows", row, *files])


def raw(row, files):
    # Darkroom's bitmaps use huge pages, so plain C gets them as well.
    return Worker(RAW, [setup.RAW, row, *files], {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"})


def library(peer, row, files):
    name = {"pillow": "Pillow", "pillow-simd": "Pillow-SIMD", "vips": "libvips", "opencv": "OpenCV"}[peer]
    environment = setup.SIMD if peer == "pillow-simd" else setup.MAIN
    return Worker(name, [setup.python(environment), WORKER, peer.split("-")[0], row, *files])


def run_command(command, folder):
    """Returns the CPU and wall-clock milliseconds of a command in `folder`, including all its children."""
    start = time.monotonic()
    before = os.times()
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
                   env={**os.environ, "OMP_NUM_THREADS": "1", "VIPS_CONCURRENCY": "1"})
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu * 1000, (time.monotonic() - start) * 1000
