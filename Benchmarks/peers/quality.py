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


def box(source, size):
    """Returns the part of an image that covers `size`: the largest one in the centre with its aspect ratio."""
    scale = max(size[0] / source[0], size[1] / source[1])
    across, down = (source[axis] / 2 for axis in range(2))
    return across - size[0] / scale / 2, down - size[1] / scale / 2, across + size[0] / scale / 2, down + size[1] / scale / 2


@functools.cache
def cover(path, size):
    """Returns the best possible picture that covers the size."""
    image = Image.open(path).convert("RGB")
    return image.resize(size, Image.Resampling.LANCZOS, box(image.size, size))


@functools.cache
def linear_cover(path, size):
    """Returns the same by way of linear light."""
    image = Image.open(path).convert("RGB")
    values = numpy.asarray(image).astype(numpy.float32) / 255
    light = numpy.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    channels = [Image.fromarray(light[..., index]).resize(size, Image.Resampling.LANCZOS, box(image.size, size))
                for index in range(3)]
    made = numpy.clip(numpy.stack([numpy.asarray(channel) for channel in channels], axis=2), 0, 1)
    shown = numpy.where(made <= 0.0031308, made * 12.92, 1.055 * made ** (1 / 2.4) - 0.055)
    return Image.fromarray(numpy.rint(shown * 255).astype(numpy.uint8))


@functools.cache
def exact_pixels(path, size):
    """Returns the same in colours composited over black, before rounding."""
    channels = numpy.moveaxis(flat(Image.open(path).convert("RGBA")), 2, 0)
    made = [Image.fromarray(channel).resize(size, Image.Resampling.LANCZOS) for channel in channels]
    return numpy.clip(numpy.stack([numpy.asarray(channel) for channel in made], axis=2), 0, 255)


def note(contestant, files, pixel_size=None, best=thumbnail):
    """Returns the mean file size in kilobytes and the median peak signal-to-noise ratio; for pixels only the ratio.

    `best` returns the best possible picture of a file and a size."""
    with tempfile.TemporaryDirectory() as folder:
        answer = contestant.ask(f"write {folder}")
        paths = sorted(Path(folder).iterdir(), key=lambda path: int(path.name))
        if not answer or len(paths) != len(files):
            return ""
        if pixel_size:
            return f"{statistics.median(pixel_decibels(*pair, pixel_size) for pair in zip(paths, files)):.1f} dB"
        level = statistics.median(decibels(*pair, best) for pair in zip(paths, files))
        return f"{answer[1] / len(files) / 1000:.1f} kB, {level:.1f} dB"


def decibels(path, source, best):
    image = Image.open(path)
    image = image.convert("RGBA" if "A" in image.mode else "RGB")
    return peak_level(flat(image), flat(best(source, image.size).convert(image.mode)))


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
