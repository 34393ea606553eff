"""The dependencies of compare-peers on this machine."""
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WORK = ROOT / ".build/peers"
MAIN, SIMD = WORK / "python", WORK / "python-simd"
RAW = WORK / "raw"
BENCHMARKS, EXAMPLES = ROOT / "Benchmarks/.build/release", ROOT / "Examples/.build/release"
DEBIAN = {"gm": "graphicsmagick", "vipsthumbnail": "libvips-tools", "cc": "gcc"}


def python(environment):
    return str(environment / "bin/python")


def run(*command, **options):
    subprocess.run(command, check=True, **options)


def python_packages():
    if not installed(MAIN, "PIL, pyvips, cv2, numpy, ssimulacra2"):
        print("installing Pillow, pyvips and OpenCV from PyPI", file=sys.stderr)
        venv.create(MAIN, with_pip=True, clear=True)
        run(python(MAIN), "-m", "pip", "install", "-q", "pillow", "pyvips[binary]", "opencv-python-headless", "numpy", "ssimulacra2")
    if not (SIMD / "tried").exists():
        print("building Pillow-SIMD for AVX2", file=sys.stderr)
        venv.create(SIMD, with_pip=True, clear=True)
        command = [python(SIMD), "-m", "pip", "install", "-q", "--no-binary", "pillow-simd", "pillow-simd"]
        built = subprocess.run(command, env={**os.environ, "CC": "cc -mavx2"}, capture_output=True, text=True)
        (SIMD / "tried").write_text(built.stderr)
    if not has_simd():
        reason = (SIMD / "tried").read_text().strip().splitlines()
        print("Pillow-SIMD cannot be built; it needs zlib1g-dev, libjpeg-dev and python3-dev:", *reason[-1:], file=sys.stderr)


def has_simd():
    return installed(SIMD, "PIL")


def installed(environment, modules):
    if not Path(python(environment)).exists():
        return False
    return subprocess.run([python(environment), "-c", f"import {modules}"], capture_output=True).returncode == 0


def debian_packages():
    missing = [package for command, package in DEBIAN.items() if not shutil.which(command)]
    if missing:
        print("installing", *missing, "from Debian", file=sys.stderr)
        sudo = [] if os.geteuid() == 0 else ["sudo"]
        run(*sudo, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing, stdout=subprocess.DEVNULL)


def corpus(folder):
    run(python(MAIN), ROOT / "Scripts/make-corpus", folder, "--big", stdout=sys.stderr)


def programs(needs_command):
    benchmarks = ROOT / "Benchmarks"
    libraries = ["-lpng16", "-ljpeg", "-lgif", "-lwebp", "-lwebpdemux", "-lpthread", "-lm"]
    sources = [*benchmarks.glob("Raw/*.c"), *benchmarks.glob("Sources/CReference/*.c")]
    run("cc", "-O3", "-march=native", "-w", f"-I{benchmarks}/Sources/CReference/include", *sources, "-o", RAW, *libraries)
    swift_build(benchmarks, "peer-rows")
    if needs_command:
        swift_build(ROOT / "Examples", "darkroom")


def swift_build(package, product):
    print(f"building {product}", file=sys.stderr)
    built = subprocess.run(["swift", "build", "-c", "release", "--product", product], cwd=package, capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stdout + built.stderr)


def versions():
    """Returns the versions that were compared, in one line."""
    script = "import PIL, cv2, pyvips; v = pyvips.version; print(f'Pillow {PIL.__version__}, libvips {v(0)}.{v(1)}.{v(2)} " \
        "(PyPI), OpenCV {cv2.__version__}')"
    parts = [subprocess.run([python(MAIN), "-c", script], capture_output=True, text=True).stdout.strip()]
    if has_simd():
        command = [python(SIMD), "-c", "import PIL; print(PIL.__version__)"]
        parts.append("Pillow-SIMD " + subprocess.run(command, capture_output=True, text=True).stdout.strip())
    for package in ("graphicsmagick", "libvips-tools", "libjpeg62-turbo", "libpng16-16", "libwebp7", "zlib1g"):
        command = ["dpkg-query", "-W", "-f=${Package} ${Version}", package]
        parts.append(subprocess.run(command, capture_output=True, text=True).stdout)
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return ", ".join(part for part in [*parts, compiler, swift] if part)
