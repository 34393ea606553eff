"""The chart: one bar for each contestant, with its ratio to Darkroom as the length."""
from xml.sax.saxutils import escape

from .contestants import DARKROOM, RAW

WIDTH, LABEL, BAR, GAP, HEADING = 900, 190, 15, 14, 24
LONGEST = 5.0
# The colours are visible on white and on black.
STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #333 }
.title { font-weight: 600; font-size: 13px }
.line { stroke: #8886 }
.ours { fill: #e8590c } .raw { fill: #868e96 } .peer { fill: #4c8bd0 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } }
</style>"""


def svg(results):
    parts, y = [], 10
    unit = (WIDTH - LABEL - 70) / LONGEST
    for result in (result for result in results if result.row.is_charted):
        parts.append(f'<text class="title" x="10" y="{y + 14}">{escape(result.row.title)}</text>')
        y += HEADING
        for figure in result.figures:
            parts.append(bar(figure, y, unit))
            y += BAR + 2
        y += GAP
    one = LABEL + unit
    line = f'<line class="line" x1="{one:.1f}" x2="{one:.1f}" y1="10" y2="{y - GAP}"/>'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" role="img" aria-label="Ratios to Darkroom">\n'
            f"{STYLE}\n{line}\n" + "\n".join(parts) + "\n</svg>\n")


def bar(figure, y, unit):
    kind = "ours" if figure.name == DARKROOM else "raw" if figure.name == RAW else "peer"
    length = min(figure.ratio, LONGEST) * unit
    beyond = " →" if figure.ratio > LONGEST else ""
    return (f'<text x="{LABEL - 8}" y="{y + 12}" text-anchor="end">{escape(figure.name)}</text>'
            f'<rect class="{kind}" x="{LABEL}" y="{y}" width="{length:.1f}" height="{BAR}" rx="2"/>'
            f'<text x="{LABEL + length + 6:.1f}" y="{y + 12}">{figure.ratio:.2f}{beyond}</text>')
