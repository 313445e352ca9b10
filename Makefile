# Every command of the project. `make demo` and `make test` need nothing but Python 3.11 or newer,
# a C++20 compiler and make: each makes its own virtual environment, builds, installs and runs.
# The demo takes the library and few packages; the tests and all the rest come with `make test`.

SHELL := bash
PYTHON ?= python3
VENV := .venv
BUILD := build/make
PYTEST_ARGS ?=
DEMO_ARGS ?=
BENCH_ARGS ?=
# releases on which `make wheel` tries the README, beside the newest
WHEEL_MUJOCOS ?= 3.11.0 3.12.0 3.14.0 3.17.0
SANITIZE_TESTS ?= tests/physics/test_fuzz.py tests/physics/test_implicit_tension.py \
  tests/physics/test_implicit_friction.py tests/stage tests/runtime/test_parameters.py
# a test that takes longer than this [s] is stopped, with a picture of where it stood
SANITIZE_LIMIT ?= 900

BIN := $(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check
# four stamps: the packages of the demo, all packages; the library alone, the library and its tests
QUICK := $(VENV)/.quick
ENVIRONMENT := $(VENV)/.environment
LIBRARY := $(VENV)/.library
INSTALLED := $(VENV)/.installed
# folders count too: their date changes when a file is removed
SOURCES := CMakeLists.txt README.md LICENSE \
  $(shell find cpp src -name __pycache__ -prune -o ! -name '*.pyc' -print 2>/dev/null)
CPP_FILES := $(shell find cpp -name '*.h' -o -name '*.cc' 2>/dev/null)

# the environment's own cmake and ninja
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help build demo test check lint format bench reproduce docs wheel cleanroom sanitize clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

build: $(INSTALLED) ## build the library and the C++ tests, install the package into .venv

demo: $(LIBRARY) ## the first job: a winch lifts a payload over a sheave; results in out/ (DEMO_ARGS=--video)
	@env -u MUJOCO_GL $(PY) -m mujocable.cli demo --headless $(DEMO_ARGS)

test: $(INSTALLED) ## all C++ and Python tests (PYTEST_ARGS="-k capstan" selects)
	@echo "== C++ tests"
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $$(getconf _NPROCESSORS_ONLN)
	@echo "== Python tests"
	@$(PY) -m pytest -n auto $(PYTEST_ARGS)

check: lint ## what must pass before a commit: format, lint, types, all tests
	@$(MAKE) --no-print-directory test

lint: $(INSTALLED) ## format, lint and types, without changing anything
	@echo "== format, lint, types"
	@$(PY) -m ruff format --check --quiet . || \
	  { $(PY) -m ruff format --check .; echo "cure: make format"; exit 1; }
	@$(PY) -m ruff check --quiet .
	@$(if $(CPP_FILES),clang-format --dry-run -Werror $(CPP_FILES) || \
	  { echo "cure: make format"; exit 1; })
	@$(PY) -m pyright --warnings

format: $(ENVIRONMENT) ## rewrite Python and C++ in house style
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format --quiet .
	@$(if $(CPP_FILES),clang-format -i $(CPP_FILES))

reproduce: $(INSTALLED) ## rebuild the published results (EXPERIMENT=pulleys for one); out/reproduce/
	@$(PY) -m experiments $(EXPERIMENT) $(REPRODUCE_ARGS)

docs: $(INSTALLED) ## the documentation site, warnings as errors; out/site/index.html
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --quiet --strict
	@echo "written to out/site; with search: $(PY) -m http.server -b 127.0.0.1 -d out/site"

bench: $(INSTALLED) ## time the scenes of benchmarks/ (BENCH_ARGS="--save a.json")
	@$(PY) -m benchmarks $(BENCH_ARGS)

wheel: $(QUICK) ## a wheel for every MuJoCo from 3.11 on, repaired and tried in a clean environment; dist/
	@$(PIP) install -qq -r <($(PY) -c "$$PRINT_REQUIREMENTS" wheel)
	@.ci/timed $(VENV)/mujocos.log "headers of every MuJoCo into build/mujoco" .ci/mujocos build/mujoco
	@rm -rf dist
	@.ci/timed $(VENV)/wheel.log "one library for each" $(PIP) wheel -v --no-build-isolation --no-deps \
	  --wheel-dir dist/raw --config-settings=build-dir=build/wheel \
	  '--config-settings=cmake.define.MUJOCABLE_MUJOCO_DIR=build/mujoco/*/mujoco' .
	@auditwheel repair --exclude 'libmujoco.so*' --wheel-dir dist dist/raw/*.whl
	@PYTHON=$(PYTHON) .ci/wheel dist/*.whl $(WHEEL_MUJOCOS)

cleanroom: $(INSTALLED) ## the library as it is installed, as a wheel in a clean environment without compiler
	@rm -rf build/cleanroom
	@.ci/timed $(VENV)/cleanroom.log "a wheel for one MuJoCo" $(PIP) wheel -v --no-build-isolation \
	  --no-deps --wheel-dir build/cleanroom/raw --config-settings=build-dir=$(BUILD) \
	  --config-settings=cmake.define.MUJOCABLE_WERROR=ON \
	  --config-settings=cmake.define.MUJOCABLE_TESTS=ON .
	@auditwheel repair --exclude 'libmujoco.so*' --wheel-dir build/cleanroom build/cleanroom/raw/*.whl 2> /dev/null
	@PYTHON=$(PYTHON) .ci/wheel build/cleanroom/*.whl

sanitize: $(ENVIRONMENT) ## C++ tests, 10,000 random scenes and all entry points under ASan and UBSan
	@cmake -S . -B build/sanitize -G Ninja -DPython_EXECUTABLE=$(CURDIR)/$(PY) \
	  -DMUJOCABLE_TESTS=ON -DMUJOCABLE_SANITIZE=ON --log-level=WARNING
	@cmake --build build/sanitize
	@echo "== C++ tests, sanitized"
	@ctest --test-dir build/sanitize --output-on-failure --no-tests=error -j 2
	@echo "== Python tests on the sanitized library"
	@env LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=$(CURDIR)/src \
	  MUJOCABLE_LIBRARY=$(CURDIR)/build/sanitize/libmujocable.so \
	  $(PY) -m pytest -n auto -o faulthandler_timeout=$(SANITIZE_LIMIT) \
	  -o faulthandler_exit_on_timeout=true $(SANITIZE_TESTS)

clean: ## remove what make made: build/, dist/, .venv/ and caches (out/ stays)
	rm -rf build dist $(VENV) .pytest_cache .ruff_cache
	find cpp src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- the environment: packages for the build, the package and its extras -------------------------
# (stamps carry the time at which their work began: an edit made meanwhile is not missed)

# requirements of the extras that are named, or of all but those that have an environment of their own
define PRINT_REQUIREMENTS
import sys, tomllib
with open("pyproject.toml", "rb") as f:
  p = tomllib.load(f)
extras = p["project"]["optional-dependencies"]
lists = [p["build-system"]["requires"], p["project"]["dependencies"]]
lists += [extras[name] for name in sys.argv[1:] or sorted({*extras} - {"learn", "mjlab"})]
print("\n".join(sorted({r for l in lists for r in l if not r.startswith("mujocable")})))
endef
export PRINT_REQUIREMENTS

# names the folders of an interpreter's packages if they hold all that a list of requirements asks
define REUSE
import subprocess, sys, sysconfig
command = [sys.executable, "-m", "pip", "install", "--dry-run", "--isolated", "--no-index"]
done = subprocess.run([*command, "-r", sys.argv[1]], capture_output=True)
if done.returncode == 0:
  print("\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}))
endef
export REUSE

$(QUICK): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
	  "MuJoCo needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@touch $@.begun
	@$(PY) -c "$$PRINT_REQUIREMENTS" quick viewer > $(VENV)/quick.txt
	@$(PYTHON) -c "$$REUSE" $(VENV)/quick.txt > $(VENV)/reused
	@cp $(VENV)/reused "$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/reused.pth"
	@if [ -s $(VENV)/reused ]; then echo "== packages: those of $(PYTHON)"; else \
	  .ci/timed $(VENV)/quick.log "packages of the demo into $(VENV)" \
	  $(PIP) install -r $(VENV)/quick.txt; fi
	@mv $@.begun $@

$(ENVIRONMENT): pyproject.toml | $(QUICK)
	@touch $@.begun
	@$(PY) -c "$$PRINT_REQUIREMENTS" > $(VENV)/requirements.txt
	@.ci/timed $(VENV)/packages.log "packages of tests, docs and tools into $(VENV)" \
	  $(PIP) install -r $(VENV)/requirements.txt
	@mv $@.begun $@

# without build isolation, so that the build folder stays valid and only what changed is compiled
INSTALL := $(PIP) install -v --no-build-isolation --no-deps --force-reinstall \
  --config-settings=build-dir=$(BUILD) --config-settings=cmake.define.MUJOCABLE_WERROR=ON

$(LIBRARY): $(QUICK) $(SOURCES)
	@touch $@.begun
	@.ci/timed $(VENV)/library.log "the library: build and install" \
	  $(INSTALL) --config-settings=cmake.define.MUJOCABLE_TESTS=OFF .
	@mv $@.begun $@

$(INSTALLED): $(ENVIRONMENT) $(SOURCES)
	@touch $@.begun
	@.ci/timed $(VENV)/installed.log "the library and the C++ tests: build and install" \
	  $(INSTALL) --config-settings=cmake.define.MUJOCABLE_TESTS=ON .
	@cp -p $@.begun $(LIBRARY)
	@mv $@.begun $@
