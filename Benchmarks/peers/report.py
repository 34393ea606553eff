"""The table, as Markdown."""
import datetime
import platform
import re
import sys
from pathlib import Path

from . import setup
from .contestants import DARKROOM, RAW

CONTESTANTS = [DARKROOM, RAW, "Pillow", "Pillow-SIMD", "libvips", "OpenCV", "GraphicsMagick"]
UNIT = "CPU ms per file"


def markdown(results, arguments):
    libraries = [result for result in results if not has_own_contestants(result)]
    names = [name for name in CONTESTANTS if any(name == figure.name for result in libraries for figure in result.figures)]
    noted = [result for result in libraries if any(figure.note for figure in result.figures)]
    others = [result for result in results if has_own_contestants(result)]
    lines = [
        f"Measured on {datetime.date.today().isoformat()} with `Scripts/compare-peers{shown(arguments)}`: medians of "
        f"{arguments.rounds} interleaved rounds.",
        "", f"Machine: {machine()}.", "", f"Versions: {setup.versions()}.", "",
        "Milliseconds of CPU time per file on one thread, unless a row names another unit, and the ratio to Darkroom's. The goal "
        "stands in brackets after the work.",
    ]
    if libraries:
        lines += ["", *head(names), *(ratios(result, names) for result in libraries)]
    if noted:
        lines += [
            "", "The average size of the output, and its similarity to a thumbnail made from the full image (median peak "
            "signal-to-noise ratio), reveal unequal work.",
            "", *head(names), *(notes(result, names) for result in noted)]
    if others:
        lines += ["", "With contestants of their own:", "", *head(["figures and ratios"]), *map(contest, others)]
    return "\n".join(lines)


def has_own_contestants(result):
    """Returns whether the result compares ways of doing the work, or commands, instead of the libraries."""
    return any(figure.name not in CONTESTANTS for figure in result.figures)


def head(names):
    return ["| work | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]


def work(result):
    unit = "" if result.row.unit == UNIT else f", {result.row.unit}"
    return f"{result.row.title}{unit} ({result.row.goal})"


def ratios(result, names):
    cells = {figure.name: f"{number(figure.value)}, {figure.ratio:.2f}" for figure in result.figures}
    cells |= {figure.name: number(figure.value) for figure in result.figures if figure.name == DARKROOM}
    return f"| {work(result)} | " + " | ".join(cells.get(name, "") for name in names) + " |"


def notes(result, names):
    cells = {figure.name: figure.note for figure in result.figures}
    return f"| {result.row.title} | " + " | ".join(cells.get(name, "") for name in names) + " |"


def contest(result):
    figures = (
        ", ".join([f"{figure.name} {number(figure.value)}", f"{figure.ratio:.2f}", *filter(None, [figure.note])])
        for figure in result.figures)
    return f"| {work(result)} | " + "; ".join(figures) + " |"


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def shown(arguments):
    words = [f" --rows {arguments.rows}"] if arguments.rows else []
    return "".join(words + ([f" --rounds {arguments.rounds}"] if arguments.rounds != 5 else []))


def machine():
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    count = len(re.findall(r"^processor", Path("/proc/cpuinfo").read_text(), re.MULTILINE))
    system = re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())
    return f"{processor[1] if processor else platform.machine()}, {count} cores, {system[1] if system else platform.system()}"


def replace(path, text, name="compare-peers"):
    """Replaces the text between the markers of the script `name` in the document at `path` by `text`."""
    start, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    document = path.read_text()
    if start not in document or end not in document:
        sys.exit(f"{path} has no place for the table: {start} and {end}")
    head, tail = document.split(start)[0], document.split(end)[1]
    path.write_text(f"{head}{start}\n\n{text.strip()}\n\n{end}{tail}")
