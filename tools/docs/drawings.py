#!/usr/bin/env python3
"""Writes the drawings of docs/concepts.md, computed and not drawn by hand.

usage: tools/docs/drawings.py FOLDER     (docs/drawings)
       tools/docs/drawings.py --check FOLDER    fails where a file is not what would be written
"""
import fractions
import math
import sys
from pathlib import Path

INK, SOFT, ACCENT, SECOND = "#222", "#bbb", "#3949ab", "#d81b60"


def svg(width, height, title, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}" '
            f'font-family="system-ui, sans-serif" font-size="14" fill="{INK}" style="background:#fff">\n'
            f"<title>{title}</title>\n" + "\n".join(body) + "\n</svg>\n")


def text(x, y, content, anchor="start", colour=INK, size=14):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{content}</text>'


def box(x, y, width, height, colour, opacity=1.0):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}" '
            f'fill-opacity="{opacity}"/>')


def curve(points, colour, width=2, close=False, fill="none", opacity=1.0):
    path = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + ("Z" if close else "")
    return (f'<path d="{path}" stroke="{colour}" stroke-width="{width}" fill="{fill}" fill-opacity="{opacity}"/>')


def components_of_a_tenth():
    """0.1 as two doubles: exponent and bits of each."""
    exact = fractions.Fraction(1, 10)
    high = float(exact)
    low = float(exact - fractions.Fraction(high))
    return high, low


def expansion():
    """0.1 in 106 bits: the places that the two doubles cover."""
    high, low = components_of_a_tenth()
    body = [text(20, 30, "0.1 = high + low, the two added by nobody: together they are the number", size=15)]
    scale = 5.2
    for row, (value, colour, name) in enumerate(((high, ACCENT, "high"), (low, SECOND, "low"))):
        exponent = math.frexp(value)[1]
        x = 20 + (math.frexp(high)[1] - exponent) * scale
        y = 60 + 60 * row
        body += [box(x, y, 53 * scale, 24, colour), text(x + 6, y + 17, f"{name}: 53 bits", colour="#fff"),
                 text(x, y + 41, f"{value:.17g}", colour=colour)]
    body.append(text(20, 198, f"Bits of the sum, from 2^{math.frexp(high)[1] - 1} down to "
                              f"2^{math.frexp(low)[1] - 53}: low begins where high ends."))
    return svg(680, 215, "An expansion: 0.1 as the sum of two doubles", body)


def power_of_u():
    """u^N for N = 1 to 4 on a scale of digits."""
    body = [text(20, 30, "u = 2^-53 is half the last place of a double that begins with 1; N components reach u^N",
                 size=15)]
    for n in range(1, 5):
        digits = 53 * n * math.log10(2)
        y = 40 + 34 * (n - 1) + 10
        body += [box(80, y, digits * 7, 22, ACCENT, 0.35 + 0.15 * n), text(20, y + 16, f"N = {n}"),
                 text(88 + digits * 7, y + 16, f"u^{n} = 2^-{53 * n}: {math.floor(digits)} digits")]
    return svg(780, 195, "What u^N means: digits of N components", body)


def contraction():
    """two_prod finds the error of a product only if nothing is fused behind its back: a*a - b*b with a = b."""
    a = 1 + 2.0 ** -30
    rounded = a * a
    error = float(fractions.Fraction(a) * fractions.Fraction(a) - fractions.Fraction(rounded))
    body = [text(20, 30, "x*x - y*y for x = y = 1 + 2^-30", size=15),
            box(20, 45, 310, 112, ACCENT, 0.08), box(350, 45, 310, 112, SECOND, 0.08),
            text(34, 70, "as it is written", colour=ACCENT), text(364, 70, "contracted by the compiler", colour=SECOND),
            text(34, 96, "round(x*x) - round(y*y)"), text(364, 96, "fma(x, x, -round(y*y))"),
            text(34, 122, "= 0"), text(364, 122, f"= {error:.4g}, which is 2^-60"),
            text(34, 146, "both products round alike"), text(364, 146, "one product is rounded, one is not"),
            text(20, 182, "Expansions are made of differences that must be exactly what is written:"),
             text(20, 202, "everything is compiled with -ffp-contract=off; where one rounding is wanted, fma is"),
             text(20, 222, "written out.")]
    return svg(680, 236, "Why contraction breaks an expansion", body)


def tile():
    """The H-tiling of the half-plane: boxes 2^j (k, 1) to 2^j (k + 1, 2)."""
    body, left, ground, scale = [], 20, 260, 125.0
    for j in range(1, -5, -1):
        size = 2.0 ** j * scale
        k = 0
        while left + k * size < left + 5 * scale - 1:
            width = min(size, left + 5 * scale - (left + k * size))
            chosen = (j, k) == (-1, 5)
            top = ground - 2 * size
            body.append(f'<rect x="{left + k * size:.2f}" y="{max(top, 30):.2f}" width="{width:.2f}" '
                        f'height="{ground - size - max(top, 30):.2f}" fill="{SECOND if chosen else "none"}" '
                        f'fill-opacity="0.25" stroke="{SOFT}"/>')
            k += 1
    size = 0.5 * scale
    x, y = left + 5.3 * size, ground - 1.4 * size
    body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{SECOND}"/>',
             text(left, 20, "All tiles have the same size, in hyperbolic lengths"),
             text(left, 285, "point = 2^-1 (5 + 0.3, 1.4)", colour=SECOND),
             text(left, 305, "whole numbers j = -1, k = 5 say which tile, two doubles say where in it", colour=SECOND)]
    return svg(680, 320, "A tile: whole numbers for far away, floating point for near", body)


def cone():
    """Umbral cones in the half-plane: the shadow of a ball of radius r under light from above at infinity."""
    r, scale, ground = 0.5, 170.0, 230
    body = []

    def region(x, height, colour):
        wide = height * math.sinh(r)      # half-aperture s: tan s = sinh r, at the ground
        points = [(340 + x * scale, ground - height * scale), (340 + (x - wide) * scale, ground),
                  (340 + (x + wide) * scale, ground)]
        body.append(curve(points, colour, 2, True, colour, 0.15))
        body.append(f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="4" fill="{colour}"/>')

    region(0, 1.1, ACCENT)
    region(-0.15, 0.5, SECOND)
    body += [curve([(20, ground), (660, ground)], INK, 1), text(352, ground - 1.1 * scale + 4, "animal", colour=ACCENT),
             text(324, ground - 0.5 * scale + 4, "dog", colour=SECOND),
             text(20, 30, "light falls from above"), text(20, 252, "the boundary, infinitely far away"),
             text(20, 275, "dog lies in the cone of animal, so its whole cone does: "
                           "what is below dog is below animal")]
    return svg(680, 290, "A cone: all that a thing includes", body)


DRAWINGS = {"expansion": expansion, "power_of_u": power_of_u, "contraction": contraction, "tile": tile, "cone": cone}


def main():
    check = sys.argv[1:2] == ["--check"]
    folders = sys.argv[2:] if check else sys.argv[1:]
    if len(folders) != 1 or folders[0].startswith("-"):
        sys.exit(__doc__)
    for name, draw in DRAWINGS.items():
        path = Path(folders[0], name + ".svg")
        if not check:
            path.write_text(draw(), "utf-8")
        elif path.read_text("utf-8") != draw():
            sys.exit(f"drawings.py: {path} is not what it writes")


if __name__ == "__main__":
    main()
