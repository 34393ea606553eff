"""The rows of the table: the work, the files, and the contestants."""
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import contestants, quality, setup
from .contestants import DARKROOM
from .looks import Looks
from .result import Figure, Result

LIBRARIES = ("pillow", "pillow-simd", "vips", "opencv")

FRAME_LIBRARIES = ("pillow", "pillow-simd", "vips")


def files(corpus, pattern, step=1):
    found = sorted(corpus.glob(pattern))[::step]
    if not found:
        raise SystemExit(f"there is no {pattern} in {corpus}")
    return found


@dataclass
class Row:
    """Work on files in memory, in CPU milliseconds for each file."""
    name: str
    title: str
    goal: str
    pattern: str
    work: str
    step: int = 1
    libraries: tuple = LIBRARIES
    magick: tuple = ()
    is_compared: bool = True
    """The size of the result if it consists of bare pixels."""
    pixel_size: tuple = None
    """The best possible picture of a file, which results are compared with."""
    best: Callable = quality.thumbnail
    has_raw: bool = True
    unit: str = "CPU ms per file"
    is_charted: bool = True

    def measure(self, corpus, round_count):
        paths = files(corpus, self.pattern, self.step)
        workers = self.contestants(paths)
        rounds = {worker.name: [] for worker in workers}
        notes = {worker.name: quality.note(worker, paths, self.pixel_size, self.best) if self.is_compared else ""
                 for worker in workers}
        # A contestant that has written its files is warm, and one that does not support the row has exited.
        able = [worker for worker in workers if notes[worker.name] or worker.ask()]
        for index in range(round_count):
            for worker in able if index % 2 == 0 else reversed(able):
                rounds[worker.name].append(worker.ask()[0] / len(paths))
        for worker in workers:
            worker.stop()
        return Result.of(self, rounds, notes)

    def contestants(self, paths):
        workers = [contestants.darkroom(self.work, paths)] + ([contestants.raw(self.work, paths)] if self.has_raw else [])
        workers += [
            contestants.library(peer, self.work, paths) for peer in self.libraries
            if peer != "pillow-simd" or setup.has_simd()]
        if self.magick:
            workers.append(contestants.Magick(paths, *self.magick))
        return workers


class Sizes:
    name, title = "sizes", "8 sizes of one JPEG: in one call, and in eight"
    goal, unit, is_charted = "one call ≤ 0.45 × eight", "CPU ms per file", True

    def measure(self, corpus, round_count):
        paths = files(corpus, "jpeg/*.jpg", 6)
        together = contestants.darkroom("sizes-together", paths)
        apart = contestants.darkroom("sizes-apart", paths, "Darkroom, eight calls")
        rounds = {together.name: [], apart.name: []}
        for worker in (together, apart):
            worker.ask()
        for _ in range(round_count):
            for worker in (together, apart):
                rounds[worker.name].append(worker.ask()[0] / len(paths))
        together.stop()
        apart.stop()
        return Result.of(self, rounds)


class Threads:
    name, title = "threads", "JPEG → 180×120 → JPEG through the whole pipeline: 2 threads against 1"
    goal, unit, is_charted = "Darkroom ≥ 1.9", "ratio of throughputs, by wall-clock time", False

    def measure(self, corpus, round_count):
        # Several times, so that the last file, on one thread, does not matter.
        paths = files(corpus, "jpeg/*.jpg") * 4
        pairs = [[make("thumbnail", paths) for _ in range(2)] for make in (contestants.darkroom, contestants.raw)]
        gains = {name: [] for first, _ in pairs for name in (first.name, self.processes(first))}
        for worker in sum(pairs, []):
            worker.ask("threads 2")
        for _ in range(round_count):
            for first, second in pairs:
                single = first.ask("threads 1")[0]
                gains[first.name].append(single / first.ask("threads 2")[0])
                for worker in (first, second):
                    worker.send("threads 1")
                both = max(worker.receive()[0] for worker in (first, second))
                gains[self.processes(first)].append(2 * single / both)
        for worker in sum(pairs, []):
            worker.stop()
        return Result.of(self, gains)

    def processes(self, worker):
        """What two processes gain, which share nothing but the machine."""
        return f"{worker.name}, two processes"


class Resident:
    name, title = "resident", "Resident memory after 10,000 loads: every other one a thumbnail, two at once"
    goal, unit, is_charted = "within 10 % of 100 loads", "MiB", False

    def measure(self, corpus, _):
        small = ["jpeg/*-camera-dune-800.jpg", "jpeg/*-flower_cropped-1040.jpg", "jpeg/*-greenmeadow-1280.jpg",
                 "webp/lossy-q75-800.webp", "rgba/cutout-friends-600.png", "png/rgba16-800x500.png", "gif/turning*.gif"]
        paths = [path for pattern in small for path in files(corpus, pattern)]
        # Occasionally a large one.
        paths = paths * 8 + files(corpus, "jpeg/*-camera-kleiber-*.jpg") + files(corpus, "png/rgb-screenshot*.png")
        worker = contestants.darkroom("thumbnail", paths)
        first, last = (worker.ask(f"resident {count}")[0] / 1024 for count in (100, 10_000))
        worker.stop()
        return Result(self, [
            Figure("Darkroom, 100 loads", first, first / last), Figure(DARKROOM, last, 1, f"{(last / first - 1) * 100:+.1f} %")])


@dataclass
class Peak:
    """The peak memory of one thumbnail, above that of a process that has made a small one before."""
    name: str
    title: str
    goal: str
    warm: str
    pattern: str
    libraries: tuple = ("pillow", "vips")
    unit: str = "MiB"
    is_charted: bool = True

    def measure(self, corpus, _):
        paths = files(corpus, self.warm)[:1] + files(corpus, self.pattern)
        workers = [contestants.darkroom("small", paths), contestants.raw("small", paths)]
        workers += [contestants.library(peer, "small", paths) for peer in self.libraries]
        rounds = {}
        for worker in workers:
            answer = worker.ask("peak")
            rounds[worker.name] = [answer[0] / 1024] if answer else []
            worker.stop()
        return Result.of(self, rounds)


class Command:
    name, title = "command", "60 photographs → 180×120 JPEG q80 by one command, including start-up"
    goal, unit, is_charted = "≤ 0.9 × both", "CPU ms per file", True

    def measure(self, corpus, round_count):
        with tempfile.TemporaryDirectory() as folder:
            sources, output = Path(folder, "in"), Path(folder, "out")
            # GraphicsMagick preserves the folders of a path.
            paths = photographs(files(corpus, "jpeg/*.jpg"), 60, sources)
            output.mkdir()
            commands = {
                DARKROOM: [setup.EXAMPLES / "darkroom", "load", "--no-cache", "--quiet", "--thumbnail", "180x120",
                           "--quality", "80", "--format", "jpeg", "--output", f"{output}/", *paths],
                "gm mogrify -size": ["gm", "mogrify", "-output-directory", output, "-size", "360x240", "-resize", "180x120",
                                     "-quality", "80", *paths],
                "gm mogrify": ["gm", "mogrify", "-output-directory", output, "-resize", "180x120", "-quality", "80", *paths],
                "vipsthumbnail": ["vipsthumbnail", "--size", "180x120", "-o", f"{output}/%s.jpg[Q=80]", *paths],
            }
            rounds, clocks = {name: [] for name in commands}, {name: [] for name in commands}
            for index in range(round_count + 1):
                for name, command in commands.items():
                    cpu, clock = contestants.run_command(command, sources)
                    if index > 0:
                        rounds[name].append(cpu / len(paths))
                        clocks[name].append(clock / len(paths))
            notes = {name: f"{sorted(values)[len(values) // 2]:.1f} ms wall clock" for name, values in clocks.items()}
        return Result.of(self, rounds, notes)


def photographs(paths, count, folder):
    """Returns the names of `count` separate files, so that none is loaded twice."""
    folder.mkdir()
    return [shutil.copyfile(paths[index % len(paths)], folder / f"{index}.jpg").name for index in range(count)]


def decode(name, title, goal, pattern):
    return Row(f"decode-{name}", f"Full decode, {title}", goal, pattern, "decode", is_compared=False)


def frames(name, title, pattern):
    return Row(f"frames-{name}", f"All frames, {title}", "≤ 1.05 × plain C", pattern, "frames", libraries=FRAME_LIBRARIES,
               is_compared=False)


def resize(alpha, size):
    target = f"{size[0]}×{size[1]}"
    title = f"Resize alone, 4000×3000 → {target}, {'with alpha' if alpha == 'alpha' else 'opaque'}"
    libraries = ("pillow", "pillow-simd", "vips") + (("opencv",) if alpha == "opaque" else ())
    goal = "≤ 0.6 × the best" if alpha == "alpha" else "≤ 0.95 × the best"
    return Row(f"resize-{alpha}-{size[0]}", title, goal, f"resize/{alpha}-4000x3000.png", f"resize-{size[0]}",
               libraries=libraries, pixel_size=size)


THUMBNAIL = (["-size", "360x240"], ["-resize", "180x120", "-quality", "80"], "jpeg")
ROWS = [
    Row("thumbnail-baseline", "Baseline JPEG → 180×120 → JPEG q80", "≤ 1.05 × plain C, ahead of all",
        "jpeg/baseline-*.jpg", "thumbnail", magick=THUMBNAIL),
    Row("thumbnail-progressive", "Progressive JPEG → 180×120 → JPEG q80", "≤ 0.45 × the best peer",
        "jpeg/progressive-*.jpg", "thumbnail", magick=THUMBNAIL),
    Row("cover", "JPEG → resize 300×200, cover, at the scale that it needs → JPEG q80", "ahead of all", "jpeg/*.jpg", "cover",
        step=4, libraries=("pillow", "pillow-simd", "vips"), best=quality.cover, has_raw=False),
    Row("linear", "JPEG → resize 300×200, cover, in linear light → JPEG q80", "ahead of libvips", "jpeg/*.jpg", "cover-linear",
        step=4, libraries=("vips",), best=quality.linear_cover, has_raw=False),
    Row("webp", "JPEG → 1280×1280 → WebP q80", "≤ 1.03 × plain C", "jpeg/*.jpg", "webp", step=4,
        magick=(["-size", "2560x2560"], ["-resize", "1280x1280", "-quality", "80"], "webp")),
    Row("gif", "JPEG → 500×500 → GIF of 256 colours, dithered", "ahead of all, by bytes and dB", "jpeg/*.jpg", "gif", step=4,
        libraries=("pillow", "pillow-simd", "vips"), has_raw=False),
    Row("png", "PNG with alpha → 256×256 → PNG", "ahead of all, equal bytes ± 5 %", "rgba/*.png", "png",
        magick=([], ["-resize", "256x256", "-quality", "65"], "png32")),
    resize("opaque", (400, 300)), resize("opaque", (1280, 960)), resize("alpha", (400, 300)), resize("alpha", (1280, 960)),
    decode("jpeg-baseline", "baseline JPEG", "≤ 1.05 × plain C", "jpeg/baseline-*.jpg"),
    decode("jpeg-progressive", "progressive JPEG", "≤ 1.05 × plain C", "jpeg/progressive-*.jpg"),
    decode("png", "PNG", "ahead of libvips", "png/*.png"),
    decode("webp", "WebP", "≤ 1.05 × plain C", "webp/*.webp"),
    decode("gif", "GIF", "≤ 1.05 × plain C", "gif/still-*.gif"),
    frames("gif-pan", "GIF of 480×360 with 40 complete frames", "gif/pan-*.gif"),
    frames("gif-recording", "GIF of 960×600 with 60 frames that change little", "gif/recording-*.gif"),
    frames("gif-turning", "GIF of 300×300 with 24 frames that are cleared", "gif/turning-*.gif"),
    frames("gif-small", "GIFs of 24 to 84×24 with 4 frames", "gif/small-*.gif"),
    frames("webp", "animated WebP", "awebp/*.webp"),
    Sizes(), Threads(), Resident(), Command(), Looks("jpg"), Looks("webp"),
    Peak("peak-jpeg", "Peak memory, 100 megapixels of baseline JPEG → 180×120", "< 16 MiB",
         "jpeg/baseline-420-flower_cropped-*.jpg", "big/baseline-*.jpg"),
    Peak("peak-progressive", "Peak memory, 100 megapixels of progressive JPEG → 180×120", "≤ plain C",
         "jpeg/progressive-420-camera-dune-*.jpg", "big/progressive-*.jpg"),
    Peak("peak-png", "Peak memory, PNG of 20,000×20,000 → 180×120", "< 16 MiB", "png/rgb-screenshot-*.png", "big/rgb-*.png"),
]
