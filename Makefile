# make run | test | lint | format | pictures | bench | load | fuzz | attack | lock — each sets up what
# it needs, also on a fresh machine. make load has fifty people click at once; make fuzz MINUTES=10
# (or STRINGS=1000000) searches at random for what the tests do not know; make attack MINUTES=10 sends
# hostile files and links to a server with LIMIT=1024 MiB (as root). make lock renews the hashes of
# all packages and the list of their licences; make prices writes docs/prices.tsv from the installed
# price list, and shows what has changed in it; make docs builds the site of the documentation.

PYTHON ?= python3
MINUTES ?= 10
LIMIT ?= 1024
BIN := .venv/bin

# Some machines forbid it: each of the hundreds of processes of the tests would compile all it imports.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run test lint kernels format browser pictures bench load fuzz attack lock prices docs

run: .venv/run.stamp
	$(BIN)/streamlit run app.py

test: browser
	$(MAKE) -j 2 lint kernels
	$(BIN)/deno test --quiet --no-check # lint has checked their types
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m docs.cli_reference --check
	$(BIN)/deno fmt --check
	$(BIN)/deno lint
	$(BIN)/deno check playground tests

kernels: .venv/dev.stamp
	$(BIN)/python -c "from bpe import compiled; compiled.warm(background=False)"

format: .venv/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/deno fmt

pictures: browser
	PICTURES=docs/pictures $(BIN)/python -m pytest -q tests/e2e/test_pictures.py

bench: .venv/bench.stamp
	$(BIN)/python -m benchmarks $(FILES)

load: browser
	$(BIN)/python -m benchmarks.load

fuzz: .venv/dev.stamp
	$(BIN)/python -m fuzz --minutes $(MINUTES) $(if $(STRINGS),--strings $(STRINGS)) $(if $(SEED),--seed $(SEED))

attack: .venv/dev.stamp
	$(BIN)/python -m fuzz.attack --minutes $(MINUTES) --limit $(LIMIT) $(if $(SEED),--seed $(SEED))

lock: .venv/dev.stamp
	$(BIN)/python -m pip freeze > .venv/tested.txt
	$(PYTHON) -m venv .venv/uv
	.venv/uv/bin/python -m pip install --quiet uv==0.13.9
	.venv/uv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	    --no-annotate --custom-compile-command "make lock" --constraint .venv/tested.txt \
	    --output-file requirements.lock requirements.txt
	$(BIN)/python -m dependencies.licences

prices: .venv/dev.stamp
	$(BIN)/python -m dependencies.prices
	git --no-pager diff --word-diff -U0 docs/prices.tsv

docs: .venv/docs/done.stamp
	.venv/docs/bin/python -m mkdocs build --strict --quiet

browser: .venv/dev.stamp
	PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/e2e/install_browser.sh

.venv/run.stamp: requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -r requirements.txt
	touch $@

.venv/dev.stamp: requirements-dev.txt requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --no-compile -r requirements-dev.txt # a third is never imported
	touch $@ .venv/run.stamp

.venv/docs/done.stamp: requirements-docs.txt | .venv/bin/python
	$(PYTHON) -m venv .venv/docs
	.venv/docs/bin/python -m pip install --quiet -r requirements-docs.txt
	touch $@

.venv/bench.stamp: requirements-bench.txt requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -r requirements-bench.txt
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target .venv/tokenizers-1 tokenizers==1.0.0rc3
	touch $@ .venv/run.stamp

.venv/bin/python:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed; try: make PYTHON=python3.12"'
	$(PYTHON) -m venv .venv
