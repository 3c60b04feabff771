# SPDX-License-Identifier: Apache-2.0
"""The curves of a long run, as an SVG without anything else."""

WIDTH, HEIGHT, LEFT, TOP = 720, 120, 80, 28
CURVES = (("resident", "resident memory, MB", 1e-6), ("held", "held by model and device, MB", 1e-6),
          ("allocated", "allocated and not freed, MB", 1e-6),
          ("p99_ms", "p99 of a fixed sentence, ms", 1), ("files", "open files", 1), ("threads", "threads", 1))


def panel(rows, at, name, title, scale):
    values = [(row.get(name) or 0) * scale for row in rows]
    most, end = max(values) * 1.1 or 1, rows[-1]["sentences"]
    x = [LEFT + (WIDTH - LEFT - 10) * row["sentences"] / end for row in rows]
    y = [at + HEIGHT - HEIGHT * value / most for value in values]
    parts = [f'<text x="{LEFT}" y="{at - 8}">{title}</text>',
             f'<path d="M{LEFT} {at}V{at + HEIGHT}H{WIDTH - 10}" class="axis"/>',
             f'<text x="{LEFT - 6}" y="{at + 8}" class="end">{most:.4g}</text>',
             f'<text x="{LEFT - 6}" y="{at + HEIGHT}" class="end">0</text>']
    runs = sorted({row["segment"] for row in rows})
    for run in runs:  # a line for each process
        points = " ".join(f"{x[i]:.1f},{y[i]:.1f}" for i, row in enumerate(rows) if row["segment"] == run)
        parts.append(f'<polyline points="{points}"/>')
    return parts


def draw(rows):
    step = HEIGHT + 44
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {TOP + step * len(CURVES)}" font-size="12" '
             'font-family="sans-serif">', "<style>polyline{fill:none;stroke:#06c;stroke-width:1.5}.axis{fill:none;stroke:#888}"
             ".end{text-anchor:end}</style>", '<rect width="100%" height="100%" fill="#fff"/>']
    for number, (name, title, scale) in enumerate(CURVES):
        parts += panel(rows, TOP + step * number, name, title, scale)
    parts.append(f'<text x="{WIDTH - 10}" y="{TOP + step * len(CURVES) - 22}" class="end">'
                 f'{rows[-1]["sentences"]:,} sentences, {rows[-1]["way"]}</text></svg>')
    return "\n".join(parts) + "\n"
