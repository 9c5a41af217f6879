"""The sections of the Compare page, a module each; every one takes encoders by their code."""
