"""Checks that contestants did equivalent work: compares their results with a thumbnail of the full-size image."""
import functools
import math
import statistics
import tempfile
from pathlib import Path

import numpy
from PIL import Image

Image.MAX_IMAGE_PIXELS = None


@functools.cache
def thumbnail(path, size):
    """Returns the best possible thumbnail, as an 8-bit image."""
    image = Image.open(path)
    image = image.convert("RGBA" if "A" in image.mode else "RGB")
    return image.resize(size, Image.Resampling.LANCZOS)


@functools.cache
def exact_pixels(path, size):
    """Returns the same in colours composited over black, before rounding."""
    channels = numpy.moveaxis(flat(Image.open(path).convert("RGBA")), 2, 0)
    made = [Image.fromarray(channel).resize(size, Image.Resampling.LANCZOS) for channel in channels]
    return numpy.clip(numpy.stack([numpy.asarray(channel) for channel in made], axis=2), 0, 255)


def note(contestant, files, pixel_size=None):
    """Returns the mean file size in kilobytes and the median peak signal-to-noise ratio; for pixels only the ratio."""
    with tempfile.TemporaryDirectory() as folder:
        answer = contestant.ask(f"write {folder}")
        paths = sorted(Path(folder).iterdir(), key=lambda path: int(path.name))
        if not answer or len(paths) != len(files):
            return ""
        if pixel_size:
            return f"{statistics.median(pixel_decibels(*pair, pixel_size) for pair in zip(paths, files)):.1f} dB"
        level = statistics.median(decibels(*pair) for pair in zip(paths, files))
        return f"{answer[1] / len(files) / 1000:.1f} kB, {level:.1f} dB"


def decibels(path, source):
    image = Image.open(path)
    image = image.convert("RGBA" if "A" in image.mode else "RGB")
    return peak_level(flat(image), flat(thumbnail(source, image.size).convert(image.mode)))


def pixel_decibels(path, source, size):
    image, best = flat(Image.frombytes("RGBA", size, path.read_bytes())), exact_pixels(source, size)
    channels = 4 if best[..., 3].min() < 254 else 3
    return peak_level(image[..., :channels], best[..., :channels])


def peak_level(left, right):
    error = float(((left - right) ** 2).mean())
    return math.inf if error == 0 else 10 * math.log10(255 * 255 / error)


def flat(image):
    """Returns the visible channels: composited over black if there is alpha."""
    pixels = numpy.asarray(image).astype(numpy.float32)
    if pixels.shape[2] == 4:
        pixels[..., :3] *= pixels[..., 3:] / 255
    return pixels
