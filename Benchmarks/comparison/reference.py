"""A third decoder: the tools of the libraries, and for animations a compositor that follows the specifications."""
import configparser
import subprocess

import numpy

from fixtures.patches import taken_apart
from fixtures.tools import dwebp, rgba_of, run

from .pillow import zeroed


def frames(data, animated):
    """Returns the reference frames and their source, or `None` and the reason if there are none."""
    try:
        if animated or data[:3] == b"GIF":
            return composed(taken_apart(data)), "the rules of composition"
        if data[:2] == b"\xff\xd8":
            return [picture(rgba_of(run("djpeg", "-dct", "int", data=data)))], "djpeg"
        if data[:4] == b"RIFF":
            return [picture(dwebp(data))], "dwebp"
        return [picture(rgba_of(run("pngtopam", "-alphapam", data=data)))], "pngtopam"
    except subprocess.CalledProcessError as error:
        return None, (error.stderr.decode(errors="replace").strip().splitlines() or ["it fails without a word"])[-1]
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def golden(path):
    """Returns the frames beside a file of gdk-pixbuf's gif-test-suite, listed in a `.conf`; `None` for other files."""
    listing = configparser.ConfigParser()
    if not listing.read(path.with_suffix(".conf")) or "frames" not in listing["config"]:
        return None
    shape = (listing["config"].getint("height"), listing["config"].getint("width"), 4)
    names = [listing[name]["pixels"] for name in listing["config"]["frames"].split(",") if name]
    return [zeroed(numpy.fromfile(path.with_name(name), numpy.uint8).reshape(shape)) for name in names]


def picture(image):
    return zeroed(numpy.array(image.convert("RGBA")))


def composed(parts):
    """Returns every frame as a complete image, with straight alpha and each channel rounded once."""
    width, height = parts.size
    canvas, shown = numpy.zeros((height, width, 4), numpy.uint8), []
    for patch in parts.patches[:400]:
        before = canvas.copy()
        area = numpy.s_[patch.top:patch.top + patch.image.height, patch.left:patch.left + patch.image.width]
        below = canvas[area]
        above = picture(patch.image)[:below.shape[0], :below.shape[1]]
        canvas[area] = over(above, below) if patch.blending else above
        shown.append(canvas.copy())
        if patch.disposal == 1:
            canvas[area] = 0
        elif patch.disposal == 2:
            canvas = before
    return shown


def over(above, below):
    weight, lower = above[..., 3:] * 255.0, below[..., 3:] * (255.0 - above[..., 3:])
    total = weight + lower
    color = numpy.floor((above[..., :3] * weight + below[..., :3] * lower) / numpy.maximum(total, 1) + 0.5)
    alpha = numpy.floor(total / 255 + 0.5)
    return zeroed(numpy.concatenate([color, alpha], axis=-1).astype(numpy.uint8))
