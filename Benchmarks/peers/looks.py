"""The row that compares how thumbnails look at equal bytes: the scaling, the encoder and its settings together."""
import functools
import os
import statistics
import tempfile
from pathlib import Path

import numpy
from PIL import Image

from . import contestants, setup
from .contestants import DARKROOM
from .result import Result

SIDE, LEVEL, QUALITIES = 500, 75, (50, 60, 70, 80, 88)


@functools.cache
def reference(path, size):
    """Returns the file of the best thumbnail: by Lanczos in linear light."""
    values = numpy.asarray(Image.open(path).convert("RGB")).astype(numpy.float32) / 255
    linear = numpy.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    channels = [Image.fromarray(linear[..., index]).resize(size, Image.Resampling.LANCZOS) for index in range(3)]
    made = numpy.clip(numpy.stack([numpy.asarray(channel) for channel in channels], axis=2), 0, 1)
    shown = numpy.where(made <= 0.0031308, made * 12.92, 1.055 * made ** (1 / 2.4) - 0.055)
    file = Path(tempfile.mkdtemp(), "reference.png")
    Image.fromarray(numpy.rint(shown * 255).astype(numpy.uint8)).save(file)
    return file


def command(name, quality, output, extension):
    side = f"{SIDE}x{SIDE}"
    return {
        DARKROOM: [setup.EXAMPLES / "darkroom", "load", "--no-cache", "--quiet", "--thumbnail", side, "--format",
                   {"jpg": "jpeg"}.get(extension, extension), "--quality", quality, "--output", f"{output}/"],
        "vipsthumbnail": ["vipsthumbnail", "--size", side, "-o", f"{output}/%s.{extension}[Q={quality},strip]"],
        "gm mogrify": ["gm", "mogrify", "-output-directory", output, "-format", extension, "-size", f"{2 * SIDE}x{2 * SIDE}",
                       "-resize", side, "-quality", quality, "+profile", "*"],
    }[name]


def scores(name, quality, paths, folder, extension):
    """Returns the median score and the mean bits per pixel of the thumbnails of `paths`, files in `folder`."""
    from ssimulacra2 import compute_ssimulacra2

    found, bits = [], []
    with tempfile.TemporaryDirectory() as output:
        if name == "Pillow":
            for path in paths:
                image = Image.open(folder / path)
                image.thumbnail((SIDE, SIDE))
                image.save(Path(output, f"{Path(path).stem}.{extension}"), quality=quality)
        else:
            contestants.run_command([*command(name, quality, output, extension), *paths], folder)
        for path in paths:
            file = Path(output, f"{Path(path).stem}.{extension}")
            image = Image.open(file).convert("RGB")
            shown = Path(output, "shown.png")
            image.save(shown)
            found.append(compute_ssimulacra2(str(reference(folder / path, image.size)), str(shown)))
            bits.append(file.stat().st_size * 8 / (image.width * image.height))
    return statistics.median(found), statistics.mean(bits)


class Looks:
    unit, is_charted = f"bits per pixel for a SSIMULACRA2 of {LEVEL}", False
    goal = "≤ 1.02 × the best"

    def __init__(self, extension):
        self.extension = extension
        self.name = f"looks-{extension}"
        self.title = f"Visual quality at equal bytes: photographs → {SIDE}×{SIDE} {'JPEG' if extension == 'jpg' else 'WebP'}"

    def measure(self, corpus, _):
        os.environ["OMP_NUM_THREADS"] = "1"
        # The scaling must not be that of the encoder of the source.
        paths = [path.name for path in sorted((corpus / "jpeg").glob("*.jpg")) if max(Image.open(path).size) >= 1900][::2]
        rounds, notes = {}, {}
        for name in (DARKROOM, "vipsthumbnail", "gm mogrify", "Pillow"):
            points = [scores(name, quality, paths, corpus / "jpeg", self.extension) for quality in QUALITIES]
            levels, bits = zip(*points)
            rounds[name] = [float(numpy.interp(LEVEL, levels, bits))]
            notes[name] = f"{numpy.interp(1, bits, levels):.1f} at 1 bit per pixel"
        return Result.of(self, rounds, notes)
