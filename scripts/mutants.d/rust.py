"""Just enough of Rust's syntax to find the body of a function."""

import re

# What can hold a brace that is none: comments, strings, characters. Lifetimes are no characters.
SKIPPED = re.compile(
    r"""
      //[^\n]*
    | b?r(?P<hashes>\#*)".*?"(?P=hashes)
    | [bc]?"(?:\\.|[^"\\])*"
    | b?'(?:\\(?:u\{[0-9a-fA-F_]*\}|x[0-9a-fA-F]{2}|.)|[^'\\])'
    """,
    re.X | re.S,
)
DEPTH = {"(": 1, "[": 1, ")": -1, "]": -1}


def body(text, start, end):
    """The offsets of the braces of the function at [start, end), or None: it has no body, or is const."""
    at = start
    depth = 0
    while at < end:
        if text.startswith("/*", at):
            at = after_comment(text, at)
            continue
        skipped = SKIPPED.match(text, at)
        if skipped:
            at = skipped.end()
            continue
        sign = text[at]
        depth += DEPTH.get(sign, 0)
        if sign == "{" and depth == 0:
            close = text.rindex("}", at, end)
            return None if is_const(text[start:at]) else (at, close)
        at += 1
    return None


def after_comment(text, at):
    """Where the comment that starts here ends. They nest."""
    depth = 0
    for found in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if found.group() == "/*" else -1
        if depth == 0:
            return found.end()
    return len(text)


def is_const(head):
    """A const function cannot ask which mutant is on."""
    return re.search(r"\bconst\s+(unsafe\s+)?fn\b", head) is not None


class Lines:
    """Turns line and column into an offset, and back into a line."""

    def __init__(self, text):
        self.starts = [0]
        for at, sign in enumerate(text):
            if sign == "\n":
                self.starts.append(at + 1)

    def offset(self, line_and_column):
        line, column = line_and_column
        return self.starts[line - 1] + column - 1
