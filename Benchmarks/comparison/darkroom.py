"""Decodes files one after the other with `dump-frames`, and restarts it when it terminates."""
import os
import re
import resource
import selectors
import signal
import subprocess
import tempfile
from typing import NamedTuple

import numpy

SECONDS = 30
# The default decoding limit, the file itself, the dumped frames, and the process.
MOST_BYTES = (512 + 128 + 400 + 128) << 20


class Answer(NamedTuple):
    """The outcome for a file: `verdict` is ok, error, crash or hang."""
    verdict: str
    text: str
    frames: list
    durations: list
    loops: int
    peak: int


class Darkroom:
    def __init__(self, executable):
        self.executable = executable
        memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        self.output = tempfile.NamedTemporaryFile(prefix="frames", dir=memory)
        self.errors = tempfile.TemporaryFile()
        self.process = None

    def start(self):
        # The address sanitizer reserves far more address space than it uses, so it cannot be limited.
        environment = dict(os.environ, ASAN_OPTIONS="quarantine_size_mb=8:detect_leaks=0:allocator_may_return_null=1")
        self.process = subprocess.Popen(
            [self.executable, self.output.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            env=environment, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def decode(self, path):
        if not self.process:
            self.start()
        self.forget_peak()
        self.errors.seek(0)
        self.errors.truncate()
        self.process.stdin.write(os.fsencode(path) + b"\n")
        self.process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(SECONDS):
                self.stop()
                return Answer("hang", f"no answer within {SECONDS} s", [], [], 0, 0)
        line = self.process.stdout.readline().decode(errors="replace").strip()
        if not line:
            return self.crashed()
        peak = self.peak()
        verdict, rest = line.split(" ", 1)
        if verdict == "error":
            return Answer("error", rest, [], [], 0, peak)
        name, width, height, loops, durations = rest.split(" ")
        durations = [None if d == "-" else float(d) for d in durations.split(",")]
        pixels = numpy.fromfile(self.output.name, dtype=numpy.uint8).reshape(-1, int(height), int(width), 4)
        pictures = iter(pixels)
        frames = [None if d is None else next(pictures) for d in durations]
        return Answer("ok", name, frames, durations, int(loops), peak)

    def crashed(self):
        self.process.wait()
        code, self.process = self.process.returncode, None
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace")
        cause = re.search(r"(?m)^.*(Fatal error|ERROR: AddressSanitizer|Crash:).*$", said)
        how = signal.Signals(-code).name if code < 0 else f"status {code}"
        return Answer("crash", f"{how}: {cause.group(0).strip() if cause else said[-200:].strip()}", [], [], 0, 0)

    def forget_peak(self):
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")

    def peak(self):
        """Returns the peak memory of the process in bytes since `forget_peak`."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) << 10
