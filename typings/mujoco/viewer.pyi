# MuJoCo's bindings are compiled and carry no type information: every name of theirs is Any.
from typing import Any

def __getattr__(name: str) -> Any: ...
