"""The documentation site: what MkDocs cannot do by itself. `make docs` builds it."""
