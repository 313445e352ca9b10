"""Public bodies with native tendons, converted: what becomes a cable, and what it costs."""
