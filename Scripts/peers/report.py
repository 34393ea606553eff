"""The table, as Markdown."""
import datetime
import platform
import re
import sys
from pathlib import Path

from . import setup


def markdown(results, arguments):
    lines = [
        f"Measured on {datetime.date.today().isoformat()} with `Scripts/compare-peers{shown(arguments)}`: medians of "
        f"{arguments.rounds} interleaved rounds, one thread unless the row says otherwise. Ratios are "
        "relative to Darkroom. The average size of the output, and its similarity to a thumbnail made from the full image "
        "(median peak signal-to-noise ratio), reveal unequal work.",
        "", f"Machine: {machine()}.", "", f"Versions: {setup.versions()}.", "",
    ]
    for result in results:
        lines += [f"**{result.row.title}** ({result.row.unit}; goal: {result.row.goal})", "",
                  "| library | figure | ratio | output |", "|---|---|---|---|"]
        lines += [f"| {figure.name} | {number(figure.value)} | {figure.ratio:.2f} | {figure.note} |" for figure in result.figures]
        lines.append("")
    return "\n".join(lines)


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
