"""Colours as a browser draws them: how light, how far apart, and how they contrast.

OKLab as in CSS Color 4; colour blindness as in Machado, Oliveira and Fernandes (2009).
"""

import math

TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
SIGHT = {
    "trichromat": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanope": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranope": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanope": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def multiply(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def linear(rgb):
    parts = [value / 255 for value in rgb]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def oklab(rgb):
    return multiply(TO_OKLAB, [math.cbrt(max(cone, 0)) for cone in multiply(TO_CONES, rgb)])


def luminance(rgb):
    return multiply([(0.2126, 0.7152, 0.0722)], rgb)[0]


def contrast(one, other):
    """The contrast of two colours by WCAG 2.2."""
    darker, lighter = sorted(luminance(linear(colour)) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def drawn(elements, style: str) -> list:
    """Return a colour of each element as red, green and blue, however it is written."""
    return elements.evaluate_all(
        """(elements, style) => elements.map((element) => {
            const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
            const pen = canvas.getContext("2d")
            pen.fillStyle = getComputedStyle(element)[style]
            pen.fillRect(0, 0, 1, 1)
            return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)]
        })""",
        style,
    )
