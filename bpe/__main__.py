"""The command line, ``python -m bpe train|encode|decode|count|inspect|cost``."""

from bpe.cli import main

if __name__ == "__main__":
    main()
