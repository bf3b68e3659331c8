#!/usr/bin/env python3
"""Writes crates/afoot-python/python/afoot/_requests.py: a method for every request of the crate `afoot`.

    scripts/make_python_requests.py [--check]

Names, defaults and what comes of a request are taken from the package as it is built (`afoot._afoot.requests()`); what is said of each is taken from
the documentation of the Rust structs, so that Python has the same words. With --check nothing is written, and the exit status is 1 if the
file is not what would be written.
"""

import importlib.util
import json
import keyword
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "crates/afoot-python/python/afoot/_requests.py"

HEAD = '''"""Every request as a method, with its defaults. Made by scripts/make_python_requests.py: change that, or the Rust structs."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

from ._asking import Asking, Made, Watcher

__all__ = ["Requests"]


class Requests(Asking):
    """What can be asked of a library. All arguments are named; what is left out has its default."""
'''

TO = {
    "motion": ("to: Union[str, dict]", "file that is written, or its `Output` as a dict", "dict[str, Any]"),
    "made_motion": (
        "to: Union[str, dict, None] = None",
        "file that is written, read back and judged; without it the motion comes back in memory",
        "Union[dict[str, Any], Made]",
    ),
    "file": ("to: str", "file that is written", "dict[str, Any]"),
    "folder": ("to: str", "folder of results", "dict[str, Any]"),
    "report": ("pictures: Optional[dict] = None", "where pictures go, of requests that draw some", "dict[str, Any]"),
}
TYPES = {bool: "bool", int: "int", float: "float", str: "str", list: "list", dict: "dict"}


def structs():
    """Documentation of every public struct: its own words, and those of its fields by their names in JSON."""
    found = {}
    for file in sorted((ROOT / "crates").glob("*/src/**/*.rs")):
        text = file.read_text()
        for match in re.finditer(r"((?:^ *///.*\n)+)(?:^ *#\[.*\n)*^pub struct (\w+) \{\n((?:.*\n)*?)^\}", text, re.M):
            fields, words, name = {}, [], None
            for line in match[3].splitlines():
                line = line.strip()
                if line.startswith("///"):
                    words.append(line[3:].strip())
                elif renamed := re.match(r'#\[serde\(.*rename = "(\w+)"', line):
                    name = renamed[1]
                elif field := re.match(r"pub (\w+): ([^,]+.*),$", line):
                    fields[name or field[1]] = (" ".join(words), field[2])
                    words, name = [], None
            own = " ".join(line.strip()[3:].strip() for line in match[1].splitlines())
            if match[2] not in found or "requests" in file.parts or "requests" in str(file):
                found[match[2]] = (own, fields)
    return found


def python_name(name):
    return name + "_" if keyword.iskeyword(name) else name


def arguments(request, fields, documented):
    """The arguments of a request, as (name, default, words, place in the request); what a field holds becomes arguments of its own."""
    found = []
    for name, default in request.items():
        words, kind = fields.get(name, ("", ""))
        held = documented.get(kind)
        if isinstance(default, dict) and default and held and "file" not in default:
            inner = [(field, value, held[1].get(field, ("",))[0], (name, field)) for field, value in default.items()]
            if not {field for field, *_ in inner} & set(request):
                found += inner
                continue
        found.append((name, default, words, (name,)))
    names = [name for name, *_ in found]
    assert len(names) == len(set(names)), names
    return found


def shown(default):
    return "None" if isinstance(default, (dict, list)) else repr(default)


def kind_of(default):
    return "Any" if default is None or isinstance(default, (dict, list)) else TYPES[type(default)]


def put_together(places):
    """The request's fields as a Python expression."""
    parts, nested = [], {}
    for place, name in places:
        if len(place) == 1:
            parts.append(f'"{place[0]}": {name}')
        else:
            nested.setdefault(place[0], []).append(f'"{place[1]}": {name}')
    parts += [f'"{name}": {{{", ".join(inner)}}}' for name, inner in nested.items()]
    return "{" + ", ".join(parts) + "}"


def linked(words):
    return re.sub(r"\[`(?:\w+::)?(\w+)`\]", r"`\1`", words)


def method(entry, documented):
    request, gives = dict(entry["request"]), entry["gives"]
    ask = request.pop("ask")
    struct = "".join(part.capitalize() for part in ask.split("_"))
    own, fields = documented.get(struct, (struct, {}))
    asked = arguments(request, fields, documented)
    to, to_words, result = TO[gives]
    where = to.split(":")[0]
    if where in [name for name, *_ in asked]:  # a request has a field of that name
        where, to = "into", "into" + to[len(where):]
    lines = [f"    def {'import_files' if ask == 'import' else python_name(ask)}(", "        self,", "        *,"]
    if "= None" not in to:
        lines.append(f"        {to},")
    lines += [f"        {python_name(name)}: {kind_of(default)} = {shown(default)}," for name, default, *_ in asked]
    if "= None" in to:
        lines.append(f"        {to},")
    lines += ["        seed: int = 1,", "        threads: Optional[int] = None,", "        progress: Optional[Watcher] = None,"]
    lines += [f"    ) -> {result}:", f'        """{linked(own)}', ""]
    for name, default, words, _ in asked:
        inner = f" Fields: {', '.join(default)}." if isinstance(default, dict) and default else ""
        lines.append(f"        - `{python_name(name)}`: {linked(words) or name.replace('_', ' ') + '.'}{inner}")
    lines += [f"        - `{where}`: {to_words}.", '        """']
    places = put_together([(place, python_name(name)) for name, _, _, place in asked])
    lines.append(f'        return self._ask("{ask}", "{gives}", {places}, {where}, seed, threads, progress)')
    return "\n".join(lines)


def main():
    # The extension alone: the package can't be imported before the file that is made here is there.
    sys.path.insert(0, importlib.util.find_spec("afoot").submodule_search_locations[0])
    import _afoot

    documented = structs()
    methods = [method(entry, documented) for entry in json.loads(_afoot.requests())]
    text = HEAD + "\n" + "\n\n".join(methods) + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if FILE.read_text() == text else f"{FILE.name} is not current: run scripts/make_python_requests.py")
    FILE.write_text(text)


main()
