"""The former name of a part of :mod:`playground.ui.fields`, until all have followed."""

from playground.ui.fields import file_uploader, ids_of

__all__ = ["file_uploader", "ids_of"]
