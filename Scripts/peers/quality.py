"""Whether contestants did the same work: their files against a thumbnail of the whole picture that was never shrunk before."""
import math
import statistics
import tempfile
from pathlib import Path

import numpy
from PIL import Image

Image.MAX_IMAGE_PIXELS = None


class References:
    """The best thumbnails there are, made once each."""

    def __init__(self):
        self.made = {}

    def thumbnail(self, path, size):
        key = (path, size)
        if key not in self.made:
            image = Image.open(path)
            image = image.convert("RGBA" if "A" in image.mode else "RGB")
            self.made[key] = image.resize(size, Image.Resampling.LANCZOS)
        return self.made[key]


REFERENCES = References()


def note(contestant, files):
    """The kilobytes of an average file, and the median of its peaks of signal to noise."""
    with tempfile.TemporaryDirectory() as folder:
        answer = contestant.ask(f"write {folder}")
        paths = sorted(Path(folder).iterdir(), key=lambda path: int(path.name))
        if not answer or len(paths) != len(files):
            return ""
        levels = [decibels(path, source) for path, source in zip(paths, files)]
        return f"{answer[1] / len(files) / 1000:.1f} kB, {statistics.median(levels):.1f} dB"


def decibels(path, source):
    image = Image.open(path)
    image = image.convert("RGBA" if "A" in image.mode else "RGB")
    best = REFERENCES.thumbnail(source, image.size)
    apart = flat(image) - flat(best.convert(image.mode))
    error = float((apart * apart).mean())
    return math.inf if error == 0 else 10 * math.log10(255 * 255 / error)


def flat(image):
    """Channels as they are seen: over black where there is alpha."""
    pixels = numpy.asarray(image).astype(numpy.float32)
    if pixels.shape[2] == 4:
        pixels[..., :3] *= pixels[..., 3:] / 255
    return pixels
