"""The table, as Markdown."""
import datetime
import platform
import re
import sys
from pathlib import Path

from . import setup

START, END = "<!-- compare-peers: begin -->", "<!-- compare-peers: end -->"


def markdown(results, arguments):
    lines = [
        f"Measured on {datetime.date.today().isoformat()} with `Scripts/compare-peers{shown(arguments)}`: medians of "
        f"{arguments.rounds} interleaved rounds, one thread unless the row says otherwise. In brackets, how many times what "
        "Darkroom takes. The output of a row that writes files was the same in kind and size: how large an average file is, "
        "and how near it comes to a thumbnail that was made of the whole picture (the median peak of signal to noise), tells "
        "unequal work.",
        "", f"Machine: {machine()}.", "", f"Versions: {setup.versions()}.", "",
    ]
    for result in results:
        lines += [f"**{result.row.title}** ({result.row.unit}; goal: {result.row.goal})", "",
                  "| who | figure | ratio | output |", "|---|---|---|---|"]
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


def replace(path, text):
    """Puts `text` between the marks in the document at `path`."""
    document = path.read_text()
    if START not in document or END not in document:
        sys.exit(f"{path} has no place for the table: {START} and {END}")
    head, tail = document.split(START)[0], document.split(END)[1]
    path.write_text(f"{head}{START}\n{text}\n{END}{tail}")
