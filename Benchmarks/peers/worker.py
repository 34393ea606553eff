"""A Python contestant of compare-peers: `worker.py PEER ROW FILE...` does the row's work for each line it reads.

The protocol is that of `peer-rows`: the response to an empty line is the CPU milliseconds and the output size in bytes,
`write FOLDER` also writes the output there, and the response to `peak` is the memory in KiB that the last file takes in
addition to the memory after the first.
"""
import io
import os
import sys
import time
from pathlib import Path

os.environ.update(VIPS_CONCURRENCY="1", OMP_NUM_THREADS="1", OPENCV_FOR_THREADS_NUM="1")
THUMBNAIL, PAGE, ICON, COVER, POST = (180, 120), (1280, 1280), (256, 256), (300, 200), (500, 500)
SIZES = {"resize-400": (400, 300), "resize-1280": (1280, 960)}


def pillow_rows():
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = None
    lanczos = Image.Resampling.LANCZOS

    def shrunk(size, name, **options):
        def work(data):
            image, file = Image.open(io.BytesIO(data)), io.BytesIO()
            image.thumbnail(size, lanczos)  # as it comes: a gap of 2
            image.save(file, name, **options)
            return file.getvalue()

        return work

    def cover(data):
        image, file = Image.open(io.BytesIO(data)), io.BytesIO()
        scale = max(COVER[0] / image.width, COVER[1] / image.height)
        # The gap of `thumbnail`.
        image.draft(None, (round(2 * scale * image.width), round(2 * scale * image.height)))
        ImageOps.fit(image, COVER, lanczos).save(file, "JPEG", quality=80)
        return file.getvalue()

    def decode(data):
        Image.open(io.BytesIO(data)).load()

    def frames(data):
        image = Image.open(io.BytesIO(data))
        for index in range(image.n_frames):
            image.seek(index)
            image.load()

    def opened(data):
        image = Image.open(io.BytesIO(data))
        # Four bytes for each pixel, even without alpha; RGB has this layout in memory as well.
        return image.convert("RGBA" if "A" in image.mode else "RGBX")

    jpeg = shrunk(THUMBNAIL, "JPEG", quality=80)
    return {
        "thumbnail": jpeg, "small": jpeg, "decode": decode, "frames": frames, "webp": shrunk(PAGE, "WEBP", quality=80, method=4),
        "png": shrunk(ICON, "PNG"), "gif": shrunk(POST, "GIF"), "cover": cover, "prepare": opened, "bytes": lambda image: image.convert("RGBA").tobytes(),
        **{row: lambda image, size=size: image.resize(size, lanczos) for row, size in SIZES.items()},
    }


def vips_rows():
    import pyvips

    pyvips.cache_set_max(0)

    def shrunk(size, save, **options):
        def work(data):
            image = pyvips.Image.thumbnail_buffer(data, size[0], height=size[1], size="down")
            return getattr(image, save)(**options)

        return work

    def cover(is_linear):
        def work(data):
            image = pyvips.Image.thumbnail_buffer(data, COVER[0], height=COVER[1], crop="centre", linear=is_linear)
            return image.jpegsave_buffer(Q=80)

        return work

    def decode(data):
        memory = pyvips.Image.new_from_buffer(data, "").copy_memory()
        assert memory.width

    def frames(data):
        memory = pyvips.Image.new_from_buffer(data, "", n=-1).copy_memory()
        assert memory.width

    def opened(data):
        image = pyvips.Image.new_from_buffer(data, "")
        return (image if image.hasalpha() else image.bandjoin(255)).copy(interpretation="srgb").copy_memory(), image.hasalpha()

    def resized(size):
        def work(input):
            image, has_alpha = input
            if has_alpha:
                image = image.premultiply()
            image = image.resize(size[0] / image.width, vscale=size[1] / image.height)
            if has_alpha:
                image = image.unpremultiply().cast("uchar")
            return image.write_to_memory()

        return work

    jpeg = shrunk(THUMBNAIL, "jpegsave_buffer", Q=80)
    return {
        "thumbnail": jpeg, "small": jpeg, "decode": decode, "frames": frames, "webp": shrunk(PAGE, "webpsave_buffer", Q=80, effort=4),
        "png": shrunk(ICON, "pngsave_buffer", compression=6), "gif": shrunk(POST, "gifsave_buffer"),
        "cover": cover(False), "cover-linear": cover(True), "prepare": opened, "bytes": bytes,
        **{row: resized(size) for row, size in SIZES.items()},
    }


def opencv_rows():
    import cv2
    import numpy

    cv2.setNumThreads(1)

    def fitted(image, size):
        scale = min(size[0] / image.shape[1], size[1] / image.shape[0], 1)
        target = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
        # Its Lanczos filter does not widen when downsampling; the area mean is the closest alternative.
        return cv2.resize(image, target, interpolation=cv2.INTER_AREA) if scale < 1 else image

    def reduced(data, size):
        """Decodes at the smallest of its four scales that leaves at least twice the target."""
        array = numpy.frombuffer(data, numpy.uint8)
        width, height = jpeg_size(data)
        scale = min(size[0] / width, size[1] / height, 1)
        flags = [(8, cv2.IMREAD_REDUCED_COLOR_8), (4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2)]
        flag = next((flag for factor, flag in flags if 1 / factor >= 2 * scale), cv2.IMREAD_COLOR)
        return fitted(cv2.imdecode(array, flag), size)

    def written(image, extension, *options):
        return cv2.imencode(extension, image, options)[1].tobytes()

    def decode(data):
        assert cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_UNCHANGED) is not None

    def opened(data):
        image = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_UNCHANGED)
        return image if image.shape[2] == 4 else cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)

    quality, level = (cv2.IMWRITE_JPEG_QUALITY, 80), (cv2.IMWRITE_PNG_COMPRESSION, 6)
    return {
        "thumbnail": lambda data: written(reduced(data, THUMBNAIL), ".jpg", *quality),
        "webp": lambda data: written(reduced(data, PAGE), ".webp", cv2.IMWRITE_WEBP_QUALITY, 80),
        "png": lambda data: written(fitted(opened(data), ICON), ".png", *level),
        "decode": decode, "prepare": opened, "bytes": lambda image: cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA).tobytes(),
        **{row: lambda image, size=size: cv2.resize(image, size, interpolation=cv2.INTER_AREA)
           for row, size in SIZES.items()},
    }


def jpeg_size(data):
    position = 2
    while data[position + 1] not in (0xC0, 0xC1, 0xC2):
        position += 2 + int.from_bytes(data[position + 2:position + 4], "big")
    return int.from_bytes(data[position + 7:position + 9], "big"), int.from_bytes(data[position + 5:position + 7], "big")


def kibibytes(name):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])


def measure(work, inputs, folder, as_bytes):
    start = time.process_time()
    made = [work(item) for item in inputs]
    took = (time.process_time() - start) * 1000
    if folder:
        for index, item in enumerate(made):
            Path(folder, str(index)).write_bytes(item if isinstance(item, bytes) else as_bytes(item))
    return took, sum(len(item) for item in made if isinstance(item, bytes))


def peak(work, inputs):
    work(inputs[0])
    Path("/proc/self/clear_refs").write_text("5")
    floor = kibibytes("VmRSS")
    work(inputs[-1])
    return kibibytes("VmHWM") - floor, 0


def main(peer, row, *paths):
    rows = {"pillow": pillow_rows, "vips": vips_rows, "opencv": opencv_rows}[peer]()
    inputs = [Path(path).read_bytes() for path in paths]
    if row in SIZES:
        inputs = [rows["prepare"](data) for data in inputs]
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["peak"]:
            result = peak(rows[row], inputs)
        else:
            result = measure(rows[row], inputs, words[1] if words else None, rows.get("bytes"))
        print(*result, flush=True)


main(*sys.argv[1:])
