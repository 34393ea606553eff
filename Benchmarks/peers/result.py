"""The result of a row."""
import statistics
from dataclasses import dataclass, field

from .contestants import DARKROOM


@dataclass
class Figure:
    name: str
    value: float
    """Against Darkroom, round by round; above 1 where the other takes more."""
    ratio: float
    note: str = ""


@dataclass
class Result:
    row: object
    figures: list = field(default_factory=list)

    @classmethod
    def of(cls, row, rounds, notes={}):
        """Returns the results from the values of each contestant in each round."""
        ours = rounds[DARKROOM]
        figures = [
            Figure(name, statistics.median(values), statistics.median(v / max(o, 1e-9) for v, o in zip(values, ours)),
                   notes.get(name, ""))
            for name, values in rounds.items() if values]
        return cls(row, figures)

    def line(self):
        return ", ".join(f"{figure.name} {figure.value:.1f} ({figure.ratio:.2f})" for figure in self.figures)
