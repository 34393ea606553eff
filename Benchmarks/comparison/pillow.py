"""Decodes all frames with Pillow: upright RGBA, colour under alpha 0 zeroed, profiles kept."""
import warnings

import numpy
from PIL import Image, ImageOps

# Pillow rejects images of more than twice this size; Darkroom's default limit is 100 million pixels.
Image.MAX_IMAGE_PIXELS = 50_000_000
MOST_FRAMES = 400
ORIENTATION = 0x0112
warnings.simplefilter("ignore")


def rgba(picture):
    if picture.mode.startswith("I"):
        values = numpy.asarray(picture).astype(numpy.uint32)
        gray = ((values * 255 + 32895) >> 16).astype(numpy.uint8)
        clear = picture.info.get("transparency")
        alpha = numpy.where(values == clear, 0, 255).astype(numpy.uint8) if clear is not None else numpy.full_like(gray, 255)
        return zeroed(numpy.stack([gray, gray, gray, alpha], axis=-1))
    made = picture.convert("RGB") if picture.mode == "CMYK" else picture
    return zeroed(numpy.array(made.convert("RGBA")))


def zeroed(pixels):
    pixels = pixels.copy()
    pixels[pixels[..., 3] == 0] = 0
    return pixels


def decode(path):
    """Returns the frames, with the mode of the first one or "turned" if it was rotated, or the text of the error."""
    try:
        with Image.open(path, formats=["PNG", "JPEG", "GIF", "WEBP"]) as picture:
            picture.load()
            mode, frames = picture.mode, []
            count = 1 if picture.format in ("JPEG", "MPO") else getattr(picture, "n_frames", 1)
            for index in range(min(count, MOST_FRAMES)):
                picture.seek(index)
                picture.load()
                frames.append(rgba(ImageOps.exif_transpose(picture)))
            return frames, "turned" if picture.getexif().get(ORIENTATION, 1) != 1 else mode, None
    except Exception as error:
        return None, None, f"{type(error).__name__}: {error}"
