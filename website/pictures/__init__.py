"""Pictures of the documentation: `python -m website.pictures` draws them all."""
