"""Layout: cables and the model they stand in -> flat tables, the same for every world."""
