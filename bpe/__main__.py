"""The command line, ``python -m bpe``, which is also the command ``bpe``."""

from bpe.cli import main

if __name__ == "__main__":
    main()
