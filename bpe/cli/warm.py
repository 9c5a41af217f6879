"""``bpe warm``: compile the kernels once, for an image or before a server starts."""

from collections.abc import Sequence

import click

from bpe import compiled
from bpe.cli.tokenizers import encoder_of, tokenizer_option
from bpe.errors import BPEError

_TEXT = "low lower " * 5_000
"""So much that an encoder has its tables made, and cached."""


@click.command()
@tokenizer_option(
    "A tokenizer file, or the name of an encoding or a model, whose tables are made as well; may "
    "be repeated.",
    multiple=True,
)
def warm(chosen: Sequence[str]) -> None:
    """Compile what makes encoding and training fast, once on a machine.

    Every other command has it done when there is much to do. In an image of a container do it
    while the image is built, by the user who runs it.

    \b
    bpe warm
    bpe warm -t o200k_base -t my-tokenizer.json
    """
    compiled.warm(background=False)
    if not compiled.ready():
        raise BPEError(
            "The kernels cannot be compiled here, so plain Python does the work. Is Numba "
            "installed?"
        )
    compiled.spread()
    for name in chosen:
        encoder = encoder_of(name)
        encoder.decode(encoder.encode(_TEXT))
        encoder.token_bytes(0)
    click.echo("The kernels are ready, and cached for the next time.")
    if chosen:
        click.echo(f"So are the tables of {', '.join(chosen)}.")
