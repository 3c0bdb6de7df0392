# `make report` and `make test` do their own set-up, in this folder: a virtual environment, the
# locked parsers, and a Node and a Ruby where the machine has none. No root, no compiler.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python -m whichwins
OUT := reports/local

# Ready marks carry the digest-free names of what they depend on; a second run finds them up to date.
READY := $(VENV)/.ready-run
READY_DEV := $(VENV)/.ready-dev
READY_NODE := $(VENV)/.ready-node
VENV_EXAMPLES := .venv-examples
READY_EXAMPLES := $(VENV_EXAMPLES)/.ready

.PHONY: report bench test test-all check setup ruby locks clean

report: setup
	@mkdir -p $(OUT)
	$(RUN) run -o $(OUT)/ledger.jsonl
	@$(RUN) report $(OUT)/ledger.jsonl -o $(OUT)/report.txt -o $(OUT)/report.md -o $(OUT)/report.json -o -
	@echo "ledger and reports: $(OUT)/ledger.jsonl report.txt report.md report.json"

setup: $(READY) $(READY_NODE) ruby

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "make: $(PYTHON) is older than 3.11: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "make: $(PYTHON) cannot make virtual environments (Debian: install python3-venv)" >&2; exit 2; }

$(READY): requirements/run.txt pyproject.toml | $(VENV)/bin/python
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/run.txt
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(READY_NODE): requirements/node.txt $(READY)
	@if "$${WHICHWINS_NODE:-node}" -e 1 >/dev/null 2>&1; then :; else \
	  $(VENV)/bin/python -m pip install -q --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/node.txt; fi
	@touch $@

# Every time: a look takes no time, and a cache that was deleted is built again.
ruby: $(READY_NODE)
	@if ruby -e 1 >/dev/null 2>&1; then :; else $(RUN) install ruby >/dev/null; fi

$(READY_DEV): requirements/dev.txt $(READY)
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/dev.txt
	@touch $@

# The tests put both Rubies through the adapter: the machine's (where there is one) and WebAssembly's.
test: setup $(READY_DEV) $(READY_EXAMPLES)
	@$(RUN) install ruby
	@$(MAKE) --no-print-directory check

check:
	$(VENV)/bin/python -m ruff check .
	$(VENV)/bin/python -m ruff format --check .
	$(VENV)/bin/python -m mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/python -m pytest -n auto $(PYTEST)

# Builds every adapter that is built (`whichwins install --all`) and checks each, and Python's packages beside the
# default set: values by hand, the doctor.
test-all: setup $(READY_DEV)
	$(RUN) install --all
	$(VENV)/bin/python -m pytest -n auto -m built $(PYTEST) tests/built

# Audits of small stacks, each shown as it runs; a finding (1) is what they are there to show.
$(READY_EXAMPLES): requirements/examples.txt | $(VENV)/bin/python
	@$(PYTHON) -m venv $(VENV_EXAMPLES)
	$(VENV_EXAMPLES)/bin/python -m pip install -q --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/examples.txt
	@touch $@

.PHONY: example-order example-gateway example-approval
example-order: setup
	$(RUN) audit examples/order/stack.toml || test $$? = 1

example-gateway example-approval: example-%: setup $(READY_EXAMPLES)
	$(RUN) audit examples/$*/stack.toml --python $(VENV_EXAMPLES)/bin/python || test $$? = 1

# What they show, for people: recorded anew; and rendered from the recordings, which asks nobody.
AUDITS := reports/audits
.PHONY: audits audit-pages
audits: setup $(READY_EXAMPLES)
	for each in order gateway approval; do \
	  $(RUN) audit examples/$$each/stack.toml --python $(VENV_EXAMPLES)/bin/python \
	    --record $(AUDITS)/$$each/recording.jsonl >/dev/null || test $$? = 1 || exit; done
	@$(MAKE) --no-print-directory audit-pages

audit-pages: setup
	for each in order gateway approval; do \
	  COLUMNS=100 $(RUN) audit examples/$$each/stack.toml --replay $(AUDITS)/$$each/recording.jsonl --show-values \
	    --all $(foreach form,txt md html,-o $(AUDITS)/$$each/report.$(form)) || test $$? = 1 || exit; done

# SUITE: the folder of JSONTestSuite's files, for one of the comparisons.
bench: setup $(READY_DEV) $(READY_EXAMPLES)
	$(VENV)/bin/python benchmarks/all.py $(SUITE)

# Rewrites the locks: hashes, no index address.
locks: $(READY_DEV)
	cd requirements && for one in run node dev examples; do ../$(VENV)/bin/python -m uv pip compile -q --universal \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $$one.in -o $$one.txt; done

clean:
	rm -rf $(VENV) $(VENV_EXAMPLES) $(OUT) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# The matrix of the README, measured anew (Ruby as WebAssembly: the newest json gem).
.PHONY: readme
readme: setup
	@$(RUN) install ruby
	WHICHWINS_RUBY=wasm $(RUN) run -o reports/readme/ledger.jsonl --no-twins $$($(VENV)/bin/python docs/readme_matrix.py --cases)
	$(VENV)/bin/python docs/readme_matrix.py

# The pictures of docs/html.md, drawn anew from a default run.
.PHONY: screenshots
screenshots: report $(READY_DEV)
	$(RUN) report $(OUT)/ledger.jsonl -o $(OUT)/report.html
	$(VENV)/bin/python docs/screenshots.py $(OUT)/report.html

# The tables of docs/binding.md, measured anew in environments of their own.
.PHONY: binding
binding: setup
	for shape in order order-onto; do \
	  $(RUN) run -o reports/binding/$$shape.jsonl $$($(VENV)/bin/python docs/binding_tables.py $$shape) || exit; done
	$(VENV)/bin/python docs/binding_tables.py

# The survey, measured anew with every adapter that is built here; the page's tables and the rendered reports.
.PHONY: survey survey-pages
survey: setup
	$(RUN) install --all
	$(RUN) run --compact --allow-build -o reports/survey/ledger.jsonl $$($(VENV)/bin/python docs/survey_tables.py --subjects)
	@$(MAKE) --no-print-directory survey-pages

survey-pages: setup
	$(VENV)/bin/python docs/survey_tables.py
	$(RUN) report reports/survey/ledger.jsonl -o reports/survey/report.html

# What past upgrades changed, measured anew; where a Python is not here, the last result stays.
.PHONY: upgrades
upgrades: setup
	$(VENV)/bin/python docs/upgrades.py --measure
