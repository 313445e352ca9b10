"""Public bodies with native tendons, converted: what becomes a cable, what differs, what it costs."""
