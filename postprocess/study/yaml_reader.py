"""Strict reading of YAML: every value is checked where it stands, and an error names file, line, key and the nearest valid name."""

import difflib

import yaml


class StudyError(Exception):
    """Bad input: one line for the user, exit code 2."""


def nearest(name, names):
    """' (did you mean ...)', or the whole list when nothing is near."""
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else f"; expected one of: {', '.join(sorted(names))}"


def place(node):
    return f"{node.start_mark.name}:{node.start_mark.line + 1}"


def fail(node, key, text):
    raise StudyError(f"{place(node)}: {key}: {text}")


MOST_LEVELS = 100                  # of nesting; a study has about five
MOST_TIMES, ALWAYS_FINE = 100, 1e5  # values that aliases stand for, over those that are written


def check_size(path, content):
    """Refuses a text whose brackets or aliases stand for more than a reader can take, before it becomes nodes."""
    levels, sizes, written = [], {}, 0

    def refuse(event, text):
        raise StudyError(f"{path}:{event.start_mark.line + 1}: YAML: {text}")

    def add(event, values):
        if levels:
            levels[-1][2] += values
            values = levels[-1][2]
        if values > MOST_TIMES * written + ALWAYS_FINE:
            refuse(event, f"aliases stand for more than {int(values)} values, {written} are written")

    for event in yaml.parse(content, yaml.SafeLoader):
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            if len(levels) >= MOST_LEVELS:
                refuse(event, f"nested deeper than {MOST_LEVELS} levels")
            written += 1
            levels.append([event, event.anchor, 1])
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            begun, anchor, size = levels.pop()
            sizes[anchor] = size
            add(begun, size)
        elif isinstance(event, yaml.ScalarEvent):
            written += 1
            sizes[event.anchor] = 1
            add(event, 1)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                refuse(event, "an alias of nothing, or inside of what it stands for")
            add(event, sizes[event.anchor])


def read_root(path):
    """The root node of a file; its marks carry the name of the file."""
    try:
        with open(path, encoding="utf-8") as file:
            content = file.read()
        check_size(path, content)
        with open(path, encoding="utf-8") as file:
            loader = yaml.SafeLoader(file)
            try:
                root = loader.get_single_node()
            finally:
                loader.dispose()
    except OSError as error:
        raise StudyError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        with open(path, "rb") as file:
            problem = file.read(4) == b"\x89HDF"
        hint = f"an HDF5 file, not a study; contact problems are solved by: clarke solve {path}" if problem else "not UTF-8 text"
        raise StudyError(f"{path}: is {hint}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise StudyError(f"{path}{line}: {getattr(error, 'problem', None) or error}") from None
    if root is None:
        raise StudyError(f"{path}:1: the file is empty")
    return root


def is_mapping(node):
    return isinstance(node, yaml.MappingNode)


def kind_of(node):
    if is_mapping(node):
        return "a mapping"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    return f"'{node.value}'"


def mapping(node, key, known=None):
    """Key -> value node, in order; every key once, and among `known` unless that is None."""
    if not is_mapping(node):
        fail(node, key, f"expected a mapping, got {kind_of(node)}")
    result = {}
    for name_node, value in node.value:
        if not isinstance(name_node, yaml.ScalarNode):
            fail(name_node, key, "expected a name as key")
        name = name_node.value
        if name in result:
            fail(name_node, name, "given twice")
        if known is not None and name not in known:
            fail(name_node, name, f"unknown key{nearest(name, known)}")
        result[name] = value
    return result


def sequence(node, key):
    if not isinstance(node, yaml.SequenceNode):
        fail(node, key, f"expected a list, got {kind_of(node)}")
    return node.value


def text(node, key):
    if not isinstance(node, yaml.ScalarNode) or node.tag.endswith(":null"):
        fail(node, key, f"expected a text, got {'nothing' if isinstance(node, yaml.ScalarNode) else kind_of(node)}")
    return node.value


def number(node, key, least, whole=False):
    value = text(node, key)
    try:
        result = int(value) if whole else float(value)
    except ValueError:
        fail(node, key, f"expected a {'whole ' if whole else ''}number, got '{value}'")
    if not result >= least or result == float("inf"):
        fail(node, key, f"expected a number of at least {least}, got '{value}'")
    return result


def flag(node, key):
    value = text(node, key)
    if value not in ("true", "false"):
        fail(node, key, f"expected true or false, got '{value}'")
    return value == "true"


def options(node, key):
    """Option name without '-' -> value as text, as it would stand on the command line."""
    result = {}
    for name, value in mapping(node, key).items():
        if name.startswith("-"):
            fail(value, name, "options are named without '-' here")
        result[name] = text(value, name)
    return result
