"""``bpe warm``: compile the kernels once, for an image or before a server starts."""

import click

from bpe import compiled
from bpe.errors import BPEError


@click.command
def warm() -> None:
    """Compile what makes encoding and training fast, once on a machine.

    Every other command has it done when there is much to do. In an image of a container do it
    while the image is built, by the user who runs it.

    \b
    bpe warm
    """
    compiled.warm(background=False)
    if not compiled.ready():
        raise BPEError(
            "The kernels cannot be compiled here, so plain Python does the work. Is Numba "
            "installed?"
        )
    click.echo("The kernels are ready, and cached for the next time.")
