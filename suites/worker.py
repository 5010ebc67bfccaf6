"""The warm interpreter of the test engine: reads requests, forks a child for each, and says with types what happened.

This process never executes code of a tree. It compiles and parses sources, which does not run them, and forks; the child
inherits the compiled code and everything imported here. Requests come in on descriptor 3 and replies leave on 4, each
a length of four bytes and JSON; standard output is nobody's channel. The end of descriptor 3 means that the driver is gone:
everything is killed, the folder removed, and the worker ends.
"""
import sys

_AT_START = frozenset(sys.modules)

import abc, ast, asyncio, base64, bisect, calendar, codecs, collections, collections.abc, configparser, contextlib, contextvars
import copy, csv, ctypes, dataclasses, datetime, decimal, difflib, enum, errno, fnmatch, fractions, functools, gc, glob
import hashlib, heapq, hmac, html, importlib, importlib.abc, importlib.machinery, importlib.metadata, importlib.resources
import importlib.util, inspect, io, itertools, json, linecache, locale, logging, marshal, math, numbers, operator, os
import pathlib, pickle, pprint, queue, random, re, resource, secrets, select, shutil, signal, sqlite3, statistics, string
import struct, subprocess, tempfile, textwrap, threading, time, tokenize, tomllib, traceback, types, typing, unicodedata
import unittest, unittest.async_case, unittest.mock, urllib.parse, uuid, warnings, weakref, zlib, zoneinfo

_AFTER_IMPORTS = frozenset(sys.modules)


_encoder = json.encoder.c_make_encoder(None, None, json.encoder.c_encode_basestring_ascii, None, ":", ",", False, False, True)


def encode(value):
    """JSON by the C encoder alone, as the Python around it is shared with code under test, which may patch it."""
    return "".join(_encoder(value, 0))


decode = json.JSONDecoder().decode

# What the child's own code takes from shared modules is bound here, before any code under test can change what the names mean.
# The driver runs this file with a copy of the builtins, so those need no such care.
_write, _getpid, _exit = os.write, os.getpid, os._exit
_TestCase, _SkipTest, _Suite = unittest.TestCase, unittest.SkipTest, unittest.TestSuite
_strip_address = re.compile(r" at 0x[0-9a-fA-F]+").sub

MESSAGE = 2000  # characters of a message
FRAMES = 40  # frames of a traceback, from both ends
FRAME = 1 << 20  # bytes of one event of a child
REPORT = 64 << 20  # bytes of all events of a child
CODE = 64 << 20  # bytes of source whose compiled code is kept

LINUX = sys.platform.startswith("linux")
try:
    _libc = ctypes.CDLL(None, use_errno=True)
    _prctl = _libc.prctl if LINUX else None
except (OSError, AttributeError):
    _prctl = None


# ---- Reading sources, without running them

class Cache:
    """Compiled code and parsed outlines of sources, least recently used first, bounded by the bytes of source."""

    def __init__(self, limit):
        self.limit, self.size, self.entries = limit, 0, collections.OrderedDict()

    def get(self, kind, path, data, make):
        key = (kind, path, data)
        try:
            value = self.entries[key]
        except KeyError:
            value = self.entries[key] = make(path, data)
            self.size += len(data) + 1000
            while self.size > self.limit and len(self.entries) > 1:
                (_, _, old), _ = self.entries.popitem(last=False)
                self.size -= len(old) + 1000
        else:
            self.entries.move_to_end(key)
        return value


cache = Cache(CODE)


def compiled(path, data):
    """The code object, or the exception that compiling raised."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(data, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as e:
        return e


def parsed(path, data):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Outline(path, ast.parse(data))
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


UNITTEST = frozenset(m + c for m, c in (
    ("unittest.", "TestCase"), ("unittest.case.", "TestCase"), ("unittest.", "IsolatedAsyncioTestCase"),
    ("unittest.async_case.", "IsolatedAsyncioTestCase"), ("unittest.", "FunctionTestCase")))


def dotted(node):
    """The dotted name an expression spells, or None. A subscript, as in Generic[T], is its value."""
    parts = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Name):
            return ".".join([node.id, *reversed(parts)])
        else:
            return None


def module_of(path):
    name = path[:-3].replace("/", ".")
    return name[:-len(".__init__")] if name.endswith(".__init__") else "" if name == "__init__" else name


class Class:
    __slots__ = ("bases", "methods")

    def __init__(self):
        self.bases, self.methods = [], {}  # methods: name -> whether it is a test (False hides an inherited one)


class Outline:
    """What a module's source says of classes, methods and the names it imports."""

    def __init__(self, path, module):
        self.path, self.classes, self.aliases, self.functions = path, {}, {}, set()
        self.package = module_of(path).split(".")
        if not path.endswith("/__init__.py") and path != "__init__.py":
            self.package = self.package[:-1]
        self.top = []
        self.block(module.body)

    def block(self, body):
        for node in body:
            if isinstance(node, ast.ClassDef):
                self.add_class(node, "")
                if node.name in self.top:
                    self.top.remove(node.name)
                self.top.append(node.name)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions.add(node.name)
                self.forget(node.name)
            elif isinstance(node, ast.Import):
                for a in node.names:
                    if a.asname:
                        self.aliases[a.asname] = a.name
                    else:
                        head = a.name.split(".")[0]
                        self.aliases[head] = head
            elif isinstance(node, ast.ImportFrom):
                base = absolute(node, self.package)
                for a in node.names:
                    self.forget(a.asname or a.name)
                    self.aliases[a.asname or a.name] = base + "." + a.name if base else a.name
            elif isinstance(node, ast.Delete):
                for t in node.targets:
                    if isinstance(t, ast.Name):
                        self.forget(t.id)
            elif isinstance(node, ast.Assign):
                name = dotted(node.value)
                for t in node.targets:
                    if isinstance(t, ast.Name):
                        self.forget(t.id)
                        if name and name != t.id:
                            self.aliases[t.id] = "." + name  # of this very module
            elif isinstance(node, ast.If) and (dotted(node.test) or "").split(".")[-1] == "TYPE_CHECKING":
                self.block(node.body)
                self.block(node.orelse)
            elif isinstance(node, ast.If) and "__name__" in [dotted(n) for n in ast.walk(node.test)]:
                self.block(node.orelse)
            else:
                for inner in inner_blocks(node):
                    self.block(inner)

    def forget(self, name):
        """A later binding hides an earlier class from the module's names, though classes made before may derive from it."""
        if name in self.top:
            self.top.remove(name)

    def add_class(self, node, prefix):
        c = self.classes[prefix + node.name] = Class()
        c.bases = [d for d in map(dotted, node.bases) if d]
        self.members(node.body, c, prefix + node.name + ".")

    def members(self, body, c, prefix):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                decorators = {dotted(d) for d in node.decorator_list}
                c.methods[node.name] = not decorators & {"property", "cached_property", "functools.cached_property"}
            elif isinstance(node, ast.ClassDef):
                self.add_class(node, prefix)
                c.methods.pop(node.name, None)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target] if node.value else []
                value = node.value
                callable_ = isinstance(value, ast.Lambda) or isinstance(value, ast.Name) and (
                    c.methods.get(value.id, False) or value.id in self.functions)
                for t in targets:
                    if isinstance(t, ast.Name):
                        c.methods[t.id] = callable_
            elif isinstance(node, ast.Delete):
                for t in node.targets:
                    if isinstance(t, ast.Name):
                        c.methods.pop(t.id, None)
            else:
                for inner in inner_blocks(node):
                    self.members(inner, c, prefix)


def inner_blocks(node):
    for field in ("body", "orelse", "finalbody"):
        inner = getattr(node, field, None)
        if isinstance(inner, list):
            yield inner
    for field in ("handlers", "cases"):
        for part in getattr(node, field, ()):
            yield part.body


def absolute(node, package):
    """The absolute module an ImportFrom names, given the importing module's package."""
    if not node.level:
        return node.module or ""
    base = package[:len(package) - (node.level - 1)]
    return ".".join([p for p in base if p] + ([node.module] if node.module else []))


class Sources:
    """Sources that may import one another: finds the classes that a test class derives from in other files."""

    def __init__(self, files):
        self.files, self.index = files, None

    def outline(self, path):
        return cache.get("outline", path, self.files[path], parsed)

    def find(self, module):
        """The path of a module, known by any tail of its dotted path as the folders of sys.path are not told apart."""
        if self.index is None:
            self.index = {}
            for path in sorted((p for p in self.files if p.endswith(".py")), key=lambda p: (p.count("/"), p)):
                parts = module_of(path).split(".")
                for i in range(len(parts)):
                    self.index.setdefault(".".join(parts[i:]), path)
        return self.index.get(module)

    def resolve(self, outline, name, seen):
        """(outline, class name) of a name in a module; UNITTEST for a class of unittest; None where it is unknown."""
        if (outline.path, name) in seen or len(seen) > 200:
            return None
        seen = seen | {(outline.path, name)}
        if name in outline.classes:
            return outline, name
        head, _, rest = name.partition(".")
        target = outline.aliases.get(head)
        if target is None:
            return None
        target = target + "." + rest if rest else target
        if target.startswith("."):
            return self.resolve(outline, target[1:], seen)
        if target in UNITTEST:
            return UNITTEST
        parts = target.split(".")
        for i in range(len(parts) - 1, 0, -1):
            path = self.find(".".join(parts[:i]))
            if path:
                other = self.outline(path)
                found = other and self.resolve(other, ".".join(parts[i:]), seen)
                if found:
                    return found
        return None

    def methods(self, outline, name, seen=frozenset()):
        """Whether a class derives from TestCase, and its methods, inherited ones first."""
        if (outline.path, name) in seen or len(seen) > 50:
            return False, {}
        seen = seen | {(outline.path, name)}
        case, methods = False, {}
        c = outline.classes[name]
        for base in reversed(c.bases):
            found = self.resolve(outline, base, frozenset())
            if found is UNITTEST:
                case = True
            elif found:
                its_case, its_methods = self.methods(*found, seen)
                case = case or its_case
                methods.update(its_methods)
        methods.update(c.methods)
        return case, methods

    def tests(self, path):
        """[(class, [method])] of a module, in the order of its source, or None where it does not parse."""
        outline = self.outline(path)
        if outline is None:
            return None
        out = []
        for name in outline.top:
            case, methods = self.methods(outline, name)
            names = [m for m, is_test in methods.items() if is_test and m.startswith("test")]
            if case and names:
                out.append((name, names))
        return out


def syntax(path, text):
    """Empty, or what is wrong with a file's syntax."""
    suffix = path.rpartition(".")[2] if "." in path.rpartition("/")[2] else ""
    try:
        if suffix == "py":
            code = cache.get("code", path, text.encode("utf-8", "surrogatepass"), compiled)
            if isinstance(code, Exception):
                raise code
        elif suffix == "toml":
            tomllib.loads(text)
        elif suffix == "json":
            json.loads(text)
        elif suffix in ("ini", "cfg"):
            configparser.RawConfigParser(strict=True).read_string(text)
    except SyntaxError as e:
        return "line %s: %s" % (e.lineno or 1, e.msg)
    except json.JSONDecodeError as e:
        return "line %d: %s" % (e.lineno, e.msg)
    except tomllib.TOMLDecodeError as e:
        m = re.search(r"^(.*) \(at line (\d+), column \d+\)$", str(e))
        return "line %s: %s" % (m[2], m[1]) if m else "line %d: %s" % (text.count("\n") + 1, str(e).replace(" (at end of document)", ""))
    except configparser.Error as e:
        line = getattr(e, "lineno", None)
        if line is None and getattr(e, "errors", None):
            line = e.errors[0][0]
        return "line %s: %s" % (line or 1, " ".join(e.message.split()))
    except (ValueError, RecursionError, MemoryError, OverflowError) as e:
        return "line 1: %s: %s" % (type(e).__name__, e)
    return ""


IDENTIFIER = re.compile(r"[a-z][a-z0-9]*([_.-][a-z0-9]+)+")


@functools.lru_cache(maxsize=None)
def known_names():
    """Names of the standard library's types and functions, and the keyword arguments of the latter."""
    import builtins
    modules = [builtins, json, re, io, contextlib, types, collections, itertools, functools, unittest, unittest.mock,
               datetime, decimal, fractions, pathlib, sqlite3, dataclasses, enum, os, os.path, sys, tempfile, csv, random,
               math, operator, string, textwrap, shutil, subprocess, threading, time, typing, logging, hashlib, abc, copy,
               importlib, statistics, configparser, tomllib, uuid, warnings, inspect, asyncio, bisect, heapq]
    names, keywords = set(), set()

    def parameters(f):
        # Not by inspect.signature, which takes most of a second for all of these.
        code = getattr(f, "__code__", None) or getattr(getattr(f, "__init__", None), "__code__", None)
        if isinstance(code, types.CodeType):
            keywords.update(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])
        text = getattr(f, "__text_signature__", None)
        if isinstance(text, str):
            keywords.update(re.findall(r"[A-Za-z_]\w*", text))

    strict = {builtins, json, re, io, contextlib, types, collections, itertools, functools, unittest, unittest.mock}
    classes = {str, int, float, list, dict, set, tuple, bytes, Exception, unittest.TestCase, datetime.datetime, datetime.date,
               datetime.timedelta, datetime.time, decimal.Decimal, fractions.Fraction, pathlib.Path, sqlite3.Connection,
               sqlite3.Cursor, sqlite3.Row}
    for m in modules:
        public = getattr(m, "__all__", None) or [n for n in dir(m) if not n.startswith("_")]
        if m in strict:
            names.update(public)
        for value in [getattr(m, n, None) for n in public]:
            if isinstance(value, type) and m in strict:
                classes.add(value)
            if callable(value):
                parameters(value)
    for c in classes:
        names.update(dir(c))
        for n in dir(c):
            f = getattr(c, n, None)
            if callable(f):
                parameters(f)
    keywords.update(("frozen", "slots", "kw_only", "order", "eq", "encoding", "errors", "newline", "key", "reverse", "default",
                     "sep", "end", "file", "flush", "total", "metaclass"))
    return frozenset(names), frozenset(keywords)


def names_and_imports(path, module, paths):
    used, defined, keywords, imports = set(), set(), set(), set()
    package = path.split("/")[:-1]
    depth = len(package)
    while depth and "/".join(package[:depth] + ["__init__.py"]) in paths:
        depth -= 1
    if depth < len(package):
        package = package[depth:]
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute):
            if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                defined.add(node.attr)
            else:
                used.add(node.attr)
        elif isinstance(node, ast.keyword):
            if node.arg:
                keywords.add(node.arg)
        elif isinstance(node, ast.Import):
            for a in node.names:
                imports.add(a.name)
                if a.asname:
                    defined.add(a.asname)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, package)
            if base:
                imports.add(base)
            for a in node.names:
                if a.name != "*":
                    imports.add(base + "." + a.name if base else a.name)
                    used.add(a.name)
                if a.asname and a.asname != a.name:
                    defined.add(a.asname)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and IDENTIFIER.fullmatch(node.value):
                used.add(node.value)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                defined.add(node.id)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            if node.name:
                defined.add(node.name)
        elif isinstance(node, ast.MatchClass):
            keywords.update(node.kwd_attrs)
    known, known_keywords = known_names()
    used = {n for n in used if n not in known}
    used |= {n for n in keywords if n not in known and n not in known_keywords}
    return sorted(n for n in used if n not in defined and not (n.startswith("__") and n.endswith("__"))), sorted(imports)


def units(module):
    """The functions of a module, each with its shape: its syntax tree without names, values and docstrings, in preorder."""
    out, rest = [], []

    def shape(node, into):
        name = type(node).__name__
        if isinstance(node, (ast.expr_context, ast.alias)):
            return
        into.append(name)
        body = getattr(node, "body", None)
        doc = body[0] if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) else None
        for child in ast.iter_child_nodes(node):
            if child is not doc:
                shape(child, into)

    def visit(nodes, prefix):
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                tokens = []
                shape(node, tokens)
                out.append({"name": prefix + node.name, "line": node.lineno, "shape": tokens})
            elif isinstance(node, ast.ClassDef):
                visit(node.body, prefix + node.name + ".")
            elif not isinstance(node, (ast.Import, ast.ImportFrom)) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                shape(node, rest)

    try:
        visit(module.body, "")
    except RecursionError:
        return []
    if rest:
        out.append({"name": "", "line": 1, "shape": rest})
    return out


def imported(path, data):
    """Absolute names of the modules that a source imports at any depth, without following them."""
    names, package = set(), module_of(path).split(".")
    if not path.endswith("__init__.py"):
        package = package[:-1]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return names
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names.update(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, package)
            names.update([base, *("%s.%s" % (base, a.name) for a in node.names)])
    return names


def closures(sources, folders, paths):
    """For each path, the files of the tree that it imports, itself and the packages around them included."""
    def found(module):
        rel = module.replace(".", "/")
        for folder in folders:
            prefix = rel if folder == "." else folder + "/" + rel
            for path in (prefix + ".py", prefix + "/__init__.py"):
                if path in sources:
                    yield path

    def packages(path):
        while "/" in path:
            path = path.rpartition("/")[0]
            if path + "/__init__.py" in sources:
                yield path + "/__init__.py"

    direct = {}

    def next_to(path):
        if path not in direct:
            out = set(packages(path))
            for name in cache.get("imports", path, sources[path], imported):
                parts = name.split(".")
                for i in range(1, len(parts) + 1):
                    out.update(found(".".join(parts[:i])))
            direct[path] = out
        return direct[path]

    all_of = {}
    for start in paths:
        seen, todo = {start}, [start]
        while todo:
            for path in next_to(todo.pop()):
                if path not in seen:
                    seen.add(path)
                    todo.append(path)
        all_of[start] = seen
    return all_of


def inspect_files(request):
    files = request["files"]
    sources = Sources({p: t.encode("utf-8", "surrogatepass") for p, t in files.items() if p.endswith(".py")})
    out = []
    for path in sorted(files):
        s = {"path": path, "syntax": syntax(path, files[path])}
        if path.endswith(".py") and not s["syntax"]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                module = ast.parse(sources.files[path])
            s["tests"] = ["%s.%s" % (c, m) for c, methods in sources.tests(path) or () for m in methods]
            s["names"], s["imports"] = names_and_imports(path, module, files)
            s["units"] = units(module)
        out.append(s)
    return {"sources": out}


def executable(code):
    """Lines of a code object, and of those inside it, that a tracer can see executed."""
    lines, todo = set(), [code]
    while todo:
        c = todo.pop()
        todo.extend(k for k in c.co_consts if isinstance(k, types.CodeType))
        # What stands before RESUME and in it belongs to the line of the def or class, which is executed from outside.
        body = 0 if c is code else 2 * c.co_code[::2].find(RESUME) + 2
        lines.update(line for _, end, line in c.co_lines() if line and end > body)
    return sorted(lines)


import opcode

RESUME = opcode.opmap["RESUME"]


# ---- Code that dataclasses generate

class Memo:
    """Compiled code of the functions that dataclasses writes and passes to exec, which is more than half the time of importing
    a tree. The key is the whole text, so it does not matter who asks, or who reported the text.

    A child reports the texts that it had to compile; the parent compiles them, which runs nothing, for the children after it.
    """

    LIMIT = 8 << 20

    def __init__(self):
        self.codes, self.size, self.new = {}, 0, []

    def install(self, module):
        import builtins
        codes, new = self.codes, self.new

        def exec_text(text, space=None, local=None, /):
            if type(text) is not str or space is None:
                return exec(text, space, local)
            code = codes.get(text)
            if code is None:
                code = codes[text] = compile(text, "<string>", "exec", dont_inherit=True)
                new.append(text)
            space.setdefault("__builtins__", builtins)  # exec would put in those of this file, which are a copy
            return exec(code, space, local)

        module.exec = exec_text

    def report(self):
        """Texts that are new since the last call, as many as one event may hold."""
        out, room = [], FRAME // 4
        for text in self.new:
            room -= len(text)
            if room < 0:
                break
            out.append(text)
        del self.new[:]
        return out

    def learn(self, texts):
        for text in texts:
            if text in self.codes or not text.startswith("def __create_fn__("):
                continue
            if self.size > self.LIMIT:
                self.codes.clear()
                self.size = 0
            code = compiled("<string>", text)
            if isinstance(code, types.CodeType):
                self.codes[text] = code
                self.size += len(text) + 1000


memo = Memo()


# ---- The child: runs code under test

class Gone(BaseException):
    pass


class Child:
    """One forked process: runs the suites of a plan from one on, and writes events to a pipe."""

    def __init__(self, plan, fd, nonce):
        self.plan, self.fd, self.nonce, self.pid = plan, fd, nonce, _getpid()
        self.index = 0

    def emit(self, *event):
        if _getpid() != self.pid:
            _exit(0)  # a process that a test forked and let run on: it has no say
        data = self.nonce + encode(event).encode("ascii")
        data = len(data).to_bytes(4, "big") + data
        while data:
            data = data[_write(self.fd, data):]

    # What exceptions say

    def text(self, value, limit=MESSAGE):
        try:
            s = str(value)
            s = s[:20000] if type(s) is str else str.__getitem__(s, slice(20000))
        except Exception as e:
            s = "<text of the message raised %s>" % type(e).__name__
        return self.clean(s, limit)

    def clean(self, s, limit=MESSAGE):
        for old, new in self.plan["hide"]:
            s = s.replace(old, new)
        s = _strip_address("", s)
        s = self.plan["hide_temp"]("<tmp>", s)
        s = s.encode("utf-8", "backslashreplace").decode("utf-8")
        return s if len(s) <= limit else s[:limit - 6] + " [cut]"

    def name(self, cls):
        try:
            module, name = type.__getattribute__(cls, "__module__"), type.__getattribute__(cls, "__qualname__")
            module = "" if not isinstance(module, str) or module in ("builtins", "__main__") else str(module) + "."
            return self.clean(module + str(name), 200)
        except Exception:
            return "Exception"

    def frames(self, tb):
        root, own, out = self.plan["root"] + "/", self.own, []
        while tb is not None:
            code = tb.tb_frame.f_code
            path = code.co_filename
            if path.startswith(root) and path not in own:
                out.append("%s:%d in %s" % (path[len(root):], tb.tb_lineno or 0, code.co_name[:200]))
            tb = tb.tb_next
            if len(out) > 2 * FRAMES:
                del out[FRAMES // 2]
        if len(out) > FRAMES:
            out[FRAMES // 2:-FRAMES // 2] = []
        return [self.clean(f, 500) for f in out]

    def describe(self, error):
        return self.name(type(error)), self.text(error), self.frames(error.__traceback__)

    # One suite

    def setup(self, first):
        plan = self.plan
        for name in list(sys.modules):
            if name not in plan["modules"]:
                del sys.modules[name]
        for name, module in plan["modules"].items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        root = plan["root"]
        sys.path[:] = plan["path"]
        sys.meta_path[:] = plan["meta_path"]
        sys.path_hooks[:] = plan["path_hooks"]
        for p in list(sys.path_importer_cache):
            if p == root or p.startswith(root + "/"):
                del sys.path_importer_cache[p]
        sys.argv[:] = ["python3 -m unittest"]
        linecache.clearcache()
        os.chdir(root)
        random.seed(0)
        if not first:
            warnings.filters[:] = plan["filters"]
            warnings._filters_mutated()

    def record(self):
        """Notes from here on which files of the tree are opened, other than modules that the tree's loader imports."""
        self.reads = set()
        root, here, fspath = self.plan["root"] + "/", os.path.abspath, os.fspath

        def hook(event, args):
            if event != "open" and event != "sqlite3.connect" or loading:
                return
            try:
                path = here(os.fsdecode(fspath(args[0])))
            except (TypeError, ValueError):
                return
            if path.startswith(root):
                self.reads.add(path[len(root):])

        sys.addaudithook(hook)

    def run(self, index, first):
        self.index = index
        suite = self.plan["suites"][index]
        if suite["record"]:
            self.record()
        self.own = frozenset(suite["own"])
        self.setup(first)
        if suite["memory"]:
            sys.meta_path.insert(0, MemoryFinder(suite["memory"]))
        traced = None
        if self.plan["trace"]:
            traced = {p: set() for p in self.plan["trace"]}

            def local(frame, event, arg):
                if event == "line":
                    traced[frame.f_code.co_filename].add(frame.f_lineno)
                return local

            def start(frame, event, arg):
                return local if frame.f_code.co_filename in traced else None

            threading.settrace(start)
            sys.settrace(start)
        try:
            self.tests(index, suite)
        finally:
            if traced is not None:
                sys.settrace(None)
                threading.settrace(None)
        lines = {}
        for path, seen in (traced or {}).items():
            lines[path[len(self.plan["root"]) + 1:]] = sorted(seen)
        for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
            try:
                stream.flush()
            except Exception:
                pass
        patched = self.patched()
        if patched:
            self.emit("p", index, "%s of unittest was replaced" % patched)
        fresh = bool(patched) or self.changed()
        self.emit("m", index, memo.report())
        self.emit("e", index, lines, fresh)
        return fresh

    def tests(self, index, suite):
        loaded = []
        for module, classes in suite["order"]:
            try:
                found = importlib.import_module(module)
            except _SkipTest as e:
                self.emit("x", index, "skip", module, "", self.text(e), [])
            except BaseException as e:
                self.emit("x", index, "load", module, *self.describe(e))
            else:
                loaded.append((module, found, classes))
        # A module that replaced parts of unittest while it was imported would judge itself.
        patched = self.patched()
        if patched:
            self.emit("p", index, "%s of unittest was replaced" % patched)
            return
        ids, groups = {}, []  # a group of tests a module
        for module, found, classes in loaded:
            tests = []
            groups.append((module, tests))
            for name, cls in self.classes(module, found, classes):
                names = [n for n in dir(cls) if n.startswith("test") and callable(getattr(cls, n, None))]
                known = dict(classes).get(name, [])
                rank = {n: i for i, n in enumerate(known)}
                try:
                    for n in sorted(names, key=lambda n: (rank.get(n, len(rank)), n)):
                        test = cls(n)
                        if not callable(test) or not isinstance(test, _TestCase):
                            raise TypeError("the class makes no test case")
                        ids[id(test)] = "%s.%s.%s" % (module, name, n)
                        tests.append(test)
                except BaseException as e:
                    self.emit("x", index, "load", "%s.%s" % (module, name), *self.describe(e))
        if suite["canary"]:
            groups.append(("", []))
            for name, test in canaries(suite["canary"]):
                ids[id(test)] = name
                groups[-1][1].append(test)
        report, reads = Report(self, index, ids), {}
        if suite["record"]:
            shared = sorted(self.reads)
        else:  # one run, as unittest has it; a recorded run is one a module, so that what is opened between tests is known to be its
            groups = [("", [test for _, tests in groups for test in tests])]
        try:
            for module, tests in groups:
                self.reads = set()
                everything = _Suite()
                everything._cleanup = False
                everything.addTests(tests)
                everything.run(report)
                report._previousTestClass = None
                reads[module] = sorted(self.reads)
        except BaseException as e:
            self.emit("i", index, *self.describe(e))
            _exit(1)
        if suite["record"]:
            root = self.plan["root"] + "/"
            files = {getattr(m, "__file__", None) for m in list(sys.modules.values())}
            self.emit("r", index, reads, shared, sorted(f[len(root):] for f in files if type(f) is str and f.startswith(root)))

    def classes(self, module, found, expected):
        """The test classes a module defines, in the order of its source and then by name."""
        space, out, seen = vars(found), [], set()
        rank = {name: i for i, (name, _) in enumerate(expected)}
        for name in sorted((n for n in space if type(n) is str), key=lambda n: (rank.get(n, len(rank)), n)):
            cls = space[name]
            if not isinstance(cls, type) or not issubclass(cls, _TestCase) or id(cls) in seen:
                continue
            # Classes that a module merely imports belong to the module that defines them.
            if cls.__module__ != module and name not in rank:
                continue
            seen.add(id(cls))
            out.append((name, cls))
        return out

    # Leaks

    def patched(self):
        for owner, name, value in self.plan["unittest"]:
            if owner.__dict__.get(name) is not value:
                return "%s.%s" % (owner.__name__, name)
        return ""

    def changed(self):
        """Whether the process is not as it was, so that the next suite needs a fresh one."""
        plan = self.plan
        if threading.active_count() > 1 or os.environ._data != plan["environ"] or logging.root.handlers:
            return True
        for space, size, values in plan["spaces"]:
            if len(space) != size:
                return True
            for key, value in values:
                if space.get(key) is not value:
                    return True
        return False


CANARIES = ("equal", "true", "fail", "raises", "member")


def canaries(prefix):
    """Tests that fail in every honest run, whatever the tree. They run last, so that what any test did shows in them."""
    class Canary(_TestCase):
        def equal(self):
            self.assertEqual(1, 2)

        def true(self):
            self.assertTrue(False)

        def fail_(self):
            self.fail()

        def raises(self):
            with self.assertRaises(ValueError):
                pass

        def member(self):
            self.assertIn(1, [])

    return [(prefix + n, Canary("fail_" if n == "fail" else n)) for n in CANARIES]


class Report:
    """What unittest takes for a result. It derives from nothing, so that patching unittest's own does not reach it."""

    failfast = buffer = tb_locals = shouldStop = False
    _testRunEntered = _moduleSetUpFailed = False
    _previousTestClass = None

    def __init__(self, child, index, ids):
        self.child, self.index, self.ids = child, index, ids
        self.current, self.worst = None, None

    def startTest(self, test):
        self.current, self.worst = self.ids.get(id(test), "?"), None
        self.child.emit("s", self.index, self.current)

    def stopTest(self, test):
        current, worst, self.current, self.worst = self.current, self.worst, None, None
        if current is None:
            return
        if worst is None:
            worst = (0, "not-run", "", "the test ended without an outcome", [])
        self.child.emit("t", self.index, current, *worst[1:])

    def note(self, rank, outcome, exception="", message="", frames=()):
        """Of several outcomes of one test the first of the worst kind stands."""
        if self.worst is None or rank > self.worst[0]:
            self.worst = (rank, outcome, exception, message, list(frames))

    def problem(self, test, outcome, err, prefix=""):
        exception, message, frames = self.child.describe(err[1])
        if prefix:
            message = self.child.clean(prefix + " " + message)
        if self.current is not None:
            self.note(4, outcome, exception, message, frames)
            return
        # A class or module fixture: unittest names it "setUpClass (module.Class)".
        kind, scope = self.scope(test)
        self.child.emit("x", self.index, "teardown" if kind.startswith("tearDown") else "setup", scope, exception,
                        self.child.clean(kind + ": " + message), frames)

    def scope(self, test):
        description = self.child.text(getattr(test, "description", ""), 500)
        kind, _, scope = description.partition(" (")
        return kind, scope.rstrip(")")

    def addError(self, test, err):
        self.problem(test, "errored", err)

    def addFailure(self, test, err):
        self.problem(test, "failed", err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            try:
                which = self.child.text(subtest._subDescription(), 300)
            except Exception:
                which = ""
            self.problem(test, "failed" if issubclass(err[0], test.failureException) else "errored", err, which)

    def addSuccess(self, test):
        self.note(1, "passed")

    def addSkip(self, test, reason):
        if self.current is not None:
            self.note(2, "skipped", "", self.child.text(reason))
        elif id(test) in self.ids:  # Python 3.12.1 does not start what it skips
            self.child.emit("t", self.index, self.ids[id(test)], "skipped", "", self.child.text(reason), [])
        else:
            self.child.emit("x", self.index, "skip", self.scope(test)[1], "", self.child.text(reason), [])

    def addExpectedFailure(self, test, err):
        self.note(2, "expected-failure", *self.child.describe(err[1]))

    def addUnexpectedSuccess(self, test):
        self.note(3, "unexpected-success", "", "marked as an expected failure, and it passed")

    def addDuration(self, test, elapsed):
        pass

    def startTestRun(self):
        pass

    stopTestRun = _setupStdout = _restoreStdout = startTestRun

    def stop(self):
        pass

    def wasSuccessful(self):
        return False


class TreeLoader(importlib.machinery.SourceFileLoader):
    """Loads a module of the tree from its source on disk, using the code compiled before the fork where the source is the
    same. It neither reads nor writes a .pyc."""

    def get_code(self, fullname):
        loading.append(fullname)  # so that a recorder does not take it for data
        try:
            data = self.get_data(self.path)
        finally:
            loading.pop()
        known = ready.get(self.path)
        if known is not None and known[0] == data and isinstance(known[1], types.CodeType):
            return known[1]
        return compile(data, self.path, "exec", dont_inherit=True)


loading = []  # names of modules whose source is being read
ready = {}  # absolute path -> (source, code) of the tree's Python files


class MemoryFinder:
    """Finds the modules of a suite that lie in no folder."""

    def __init__(self, modules):
        self.modules = modules

    def find_spec(self, name, path=None, target=None):
        if name not in self.modules:
            return None
        return importlib.machinery.ModuleSpec(name, self, origin="<suite %s.py>" % name)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        code = self.modules[module.__name__]
        if not isinstance(code, types.CodeType):
            raise code
        module.__file__ = "<suite %s.py>" % module.__name__
        exec(code, module.__dict__)


def child_main(plan, start, fd, out, nonce):
    os.setsid()
    if _prctl:
        _prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
        if os.getppid() != plan["parent"]:
            _exit(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.dup2(fd, 3)
    os.closerange(4, plan["max_fd"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name, value in plan["limits"]:
        try:
            resource.setrlimit(name, (value, value))
        except (ValueError, OSError):
            pass
    os.umask(0o022)
    warnings.filters[:] = plan["filters"]
    warnings._filters_mutated()
    child = Child(plan, 3, nonce)
    gc.enable()
    first = True
    for index in range(start, len(plan["suites"])):
        if plan["suites"][index]["skip"]:
            continue
        if child.run(index, first):
            break
        first = False
    _exit(0)


# ---- The parent: supervises

def read_exact(n):
    parts = []
    while n:
        part = os.read(3, min(n, 1 << 20))
        if not part:
            raise Gone
        parts.append(part)
        n -= len(part)
    return b"".join(parts)


def receive():
    n = int.from_bytes(read_exact(4), "big")
    if not n:
        raise Gone("bye")
    return decode(read_exact(n).decode("utf-8"))


def farewell():
    """Whether the driver said good-bye before it closed the pipe. If not, it was killed, and its folder is nobody's."""
    try:
        os.set_blocking(3, False)
        return os.read(3, 4) == bytes(4)
    except OSError:
        return False


def send(reply):
    data = encode(reply).encode("ascii")
    data = memoryview(len(data).to_bytes(4, "big") + data)
    while data:
        data = data[os.write(4, data):]


def descendants():
    """Process ids below this one, by a walk over /proc."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open("/proc/%s/stat" % entry, "rb") as f:
                    parents.setdefault(int(f.read().rpartition(b")")[2].split()[1]), []).append(int(entry))
            except (OSError, IndexError, ValueError):
                pass
    found, todo = [], [os.getpid()]
    while todo:
        for pid in parents.get(todo.pop(), ()):
            found.append(pid)
            todo.append(pid)
    return found


def sweep(pid=0, reap=None):
    """Kills and reaps every process below this one. What a child left behind is reparented to this process: on Linux it is a
    subreaper, or the first process of its own process namespace. Returns the wait status of pid."""
    status, deadline = reap, time.monotonic() + 10
    while True:
        try:
            got, s = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if got:
            if got == pid:
                status = s
            continue
        if time.monotonic() > deadline:
            raise RuntimeError("processes of a run cannot be killed")
        if NAMESPACE:
            try:
                os.kill(-1, signal.SIGKILL)  # in a process namespace of its own this is everything but this process
            except OSError:
                pass
        elif LINUX:
            for p in descendants():
                try:
                    os.kill(p, signal.SIGKILL)
                except OSError:
                    pass
        elif pid:
            for kill in (os.killpg, os.kill):
                try:
                    kill(pid, signal.SIGKILL)
                except OSError:
                    pass
        time.sleep(0.0005)


class Attempt:
    """One fork: what it reported, suite by suite, and how it ended."""

    def __init__(self, plan, start):
        self.plan, self.start = plan, start
        self.events = {}  # suite -> events
        self.texts = []  # what dataclasses had the child compile
        self.buffer, self.total = bytearray(), 0
        self.at = start  # the suite being run
        self.ended = set()
        self.junk = ""
        self.cause, self.detail = "", ""
        self.fresh = False

    def run(self):
        plan = self.plan
        r, w = os.pipe()
        ro, wo = os.pipe()
        self.nonce = os.urandom(12)
        gc.freeze()
        pid = os.fork()
        if not pid:
            try:
                child_main(plan, self.start, w, wo, self.nonce)
            except BaseException as e:
                try:
                    Child(plan, 3, self.nonce).emit("i", self.start, type(e).__name__, str(e)[:MESSAGE], [])
                except BaseException:
                    pass
            finally:
                _exit(70)
        status = None
        try:
            os.close(w)
            os.close(wo)
            os.set_blocking(r, False)
            os.set_blocking(ro, False)
            status = self.watch(pid, r, ro)
        finally:
            status = sweep(pid, status)
            os.close(r)
            os.close(ro)
        if not self.cause:
            if self.junk:
                self.cause, self.detail = "protocol", self.junk
            elif status is None:
                self.cause, self.detail = "died", "the process was lost"
            elif self.todo() is not None and not self.fresh:
                self.cause = "died"
                self.detail = ended_how(status)
            elif status != 0:
                self.at = max(self.ended, default=self.start)
                self.ended.discard(self.at)
                self.cause, self.detail = "died", ended_how(status)

    def todo(self):
        """The next suite that has not ended, or None."""
        for i in range(self.start, len(self.plan["suites"])):
            if i not in self.ended and not self.plan["suites"][i]["skip"]:
                return i
        return None

    def watch(self, pid, r, ro):
        poll = select.poll()
        for fd in (3, r, ro):
            poll.register(fd, select.POLLIN)
        pidfd = None
        try:
            pidfd = os.pidfd_open(pid)
            poll.register(pidfd, select.POLLIN)
        except (AttributeError, OSError):
            pass
        started, printed, output = time.monotonic(), 0, self.plan["output"]
        try:
            while True:
                left = started + self.plan["time"] - time.monotonic()
                if left <= 0:
                    self.at = self.todo()
                    self.cause, self.detail = "timeout", "time limit of %g s" % self.plan["time"]
                    return None
                wait = left * 1000 + 1
                ready_fds = [fd for fd, _ in poll.poll(wait if pidfd is not None else min(wait, 5))]
                if 3 in ready_fds:
                    raise Gone
                status = None
                if pidfd is None or pidfd in ready_fds:
                    got, s = os.waitpid(pid, os.WNOHANG)
                    status = s if got else None
                # After the child's end nothing more comes from it: what the pipes hold now is all.
                for turn in range(1 << 14 if status is not None else 16):
                    n = self.pull(ro, poll)
                    printed += n
                    if printed > output:
                        self.at = self.todo()
                        if self.at is None:
                            self.at = max(self.ended)
                            self.ended.discard(self.at)
                        self.cause, self.detail = "output-limit", "more than %d bytes of output" % output
                        return status
                    if n <= 0:
                        break
                ended = len(self.ended)
                for turn in range(1 << 14 if status is not None else 16):
                    if self.events_from(r, poll) <= 0 or self.junk:
                        break
                if self.junk:
                    self.at = self.todo()
                    if self.at is None:
                        self.at = max(self.ended)
                        self.ended.discard(self.at)
                    return status
                if len(self.ended) != ended:
                    started, printed = time.monotonic(), 0
                if status is not None:
                    self.at = self.todo()
                    return status
        finally:
            if pidfd is not None:
                os.close(pidfd)

    def pull(self, fd, poll):
        try:
            data = os.read(fd, 1 << 16)
        except BlockingIOError:
            return 0
        if not data:
            try:
                poll.unregister(fd)
            except KeyError:
                pass
        return len(data)

    def events_from(self, fd, poll):
        try:
            data = os.read(fd, 1 << 16)
        except BlockingIOError:
            return 0
        if not data:
            try:
                poll.unregister(fd)
            except KeyError:
                pass
            return 0
        self.total += len(data)
        self.buffer += data
        if self.total > REPORT:
            self.junk = "the report is longer than %d bytes" % REPORT
        while len(self.buffer) >= 4 and not self.junk:
            n = int.from_bytes(self.buffer[:4], "big")
            if n > FRAME or n < len(self.nonce):
                self.junk = "bytes in the report that the engine did not write"
                break
            if len(self.buffer) < 4 + n:
                break
            body = bytes(self.buffer[4:4 + n])
            del self.buffer[:4 + n]
            if body[:len(self.nonce)] != self.nonce:
                self.junk = "bytes in the report that the engine did not write"
                break
            try:
                self.event(decode(body[len(self.nonce):].decode("ascii")))
            except Exception:
                self.junk = "an event in the report that does not match its form"
        return len(data)

    FORMS = {"s": (str,), "t": (str, str, str, str, list), "x": (str, str, str, str, list), "p": (str,), "m": (list,),
             "i": (str, str, list), "e": (dict, bool), "r": (dict, list, list)}

    def event(self, e):
        kind, index, rest = e[0], e[1], e[2:]
        form = self.FORMS[kind]
        suites = self.plan["suites"]
        if type(index) is not int or not self.start <= index < len(suites) or index in self.ended or suites[index]["skip"]:
            raise ValueError
        if len(rest) != len(form) or not all(type(v) is t for v, t in zip(rest, form)):
            raise ValueError
        if kind in "txim" and not all(type(f) is str for f in rest[-1]):
            raise ValueError
        if kind == "t" and rest[1] not in OUTCOMES or kind == "x" and rest[0] not in ("load", "setup", "teardown", "skip"):
            raise ValueError
        if kind == "e":
            for path, lines in rest[0].items():
                if not all(type(n) is int for n in lines):
                    raise ValueError
            self.ended.add(index)
            self.fresh = rest[1]
        if kind == "m":
            self.texts.extend(rest[0])
        else:
            self.events.setdefault(index, []).append((kind, rest))


OUTCOMES = frozenset(("passed", "failed", "errored", "skipped", "expected-failure", "unexpected-success", "not-run"))


def ended_how(status):
    if os.WIFSIGNALED(status):
        n = os.WTERMSIG(status)
        try:
            return "the process was killed by %s" % signal.Signals(n).name
        except ValueError:
            return "the process was killed by signal %d" % n
    return "the process ended with exit status %d" % os.WEXITSTATUS(status)


def judge(suite, events, cause, detail):
    """One suite's result from its events, and from the cause that ended its process early, if one did."""
    expected = suite["expected"]
    tests, scopes, problems, running, interrupted, lines = {}, [], [], "", None, {}
    canaries_seen = set()
    known = set(expected)
    for kind, rest in events:
        if kind == "s":
            running = rest[0]
        elif kind == "t":
            name, running = rest[0], ""
            if suite["canary"] and name.startswith(suite["canary"]):
                canaries_seen.add(name)
                if rest[1] != "failed":
                    problems.append("a test of the engine that must fail did not: " + name.rpartition(" ")[2])
            elif name not in known:
                problems.append("a test that the source does not hold: %s" % name)
            elif name in tests:
                problems.append("a test that reported twice: %s" % name)
            elif rest[1] == "not-run":
                running = name
                problems.append("a test that ended without an outcome: %s" % name)
            else:
                tests[name] = rest[1:]
        elif kind == "x":
            scopes.append(rest)
        elif kind == "p":
            problems.append(rest[0])
        elif kind == "i":
            interrupted = rest
        elif kind == "e":
            lines = rest[0]
    where = " in " + running if running and running in known else ""
    if interrupted and cause == "died":
        detail = "the run was ended by %s%s" % (": ".join(filter(None, interrupted[:2])), where)
        if running in known:
            tests.setdefault(running, ["errored", *interrupted])
    broken, unexplained, out = [], [], []
    for path, error in suite["unreadable"]:
        broken.append("%s does not parse: %s" % (path, error))
    for kind, scope, exception, message, _ in scopes:
        if kind in ("load", "setup", "teardown"):
            text = ": ".join(filter(None, (exception, message)))
            broken.append("%s did not load: %s" % (scope, text) if kind == "load" else "%s: %s" % (scope, text))
    for name in expected:
        if name in tests:
            outcome, exception, message, frames = tests[name]
        else:
            outcome, exception, message, frames = "not-run", "", "", []
            for kind, scope, e, m, f in scopes:
                if kind != "teardown" and name.startswith(scope + "."):
                    exception, message, frames = e, m, f
                    if kind == "skip":
                        outcome = "skipped"
                    break
            else:
                unexplained.append(name)
                message = detail if cause else "the test never reported"
                if name == running:
                    message = detail + " while the test ran"
        out.append({"id": name, "outcome": outcome, "exception": exception, "message": message, "frames": frames})
    if cause:
        end, message = cause, detail + (where if where and where not in detail else "")
    elif problems:
        end, message = "protocol", problems[0]
    elif broken:
        end, message = "error", broken[0]
    elif unexplained:
        end, message = "protocol", "a test that never reported: " + unexplained[0]
    elif suite["canary"] and canaries_seen != {suite["canary"] + n for n in CANARIES}:
        end, message = "protocol", "a test of the engine that must fail never reported"
    else:
        end, message = ("ok" if all(t["outcome"] == "passed" for t in out) else "failed"), ""
    return {"suite": suite["name"], "end": end, "message": message[:MESSAGE], "tests": out, "lines": lines}


class Tree:
    """What the folder holds, as the driver wrote it, and the interpreter's view of it."""

    def __init__(self, root):
        self.root, self.sources = root, {}

    def update(self, request):
        if request["reset"]:
            self.sources.clear()
            ready.clear()
        for path in request["removed"]:
            self.sources.pop(path, None)
            ready.pop(self.root + "/" + path, None)
        for path in request["changed"]:
            with open(self.root + "/" + path, "rb") as f:
                data = f.read()
            self.sources[path] = data
            full = self.root + "/" + path
            ready[full] = (data, cache.get("code", full, data, compiled))


def plan_suite(tree, sources, spec, shuffle, number):
    """What a suite holds, by its source alone."""
    own, memory, modules, unreadable, reader = [], {}, [], [], sources
    if spec["modules"] is None:
        known = set(spec["known"])
        for path in sorted(p for p in tree.sources if p.rpartition("/")[2].startswith("test_") and p not in known):
            own.append(tree.root + "/" + path)
            code = ready[tree.root + "/" + path][1]
            if not isinstance(code, types.CodeType):
                unreadable.append((path, why(code)))
            else:
                modules.append((module_of(path), path))
    else:
        files = dict(tree.sources)
        for path in sorted(spec["modules"]):
            data = spec["modules"][path].encode("utf-8", "surrogatepass")
            files[path] = data
            code = cache.get("code", "<suite %s>" % path, data, compiled)
            memory[path[:-3]] = code
            if not isinstance(code, types.CodeType):
                unreadable.append((path, why(code)))
            else:
                modules.append((path[:-3], path))
        reader = Sources(files)
    order = [(module, reader.tests(path) or []) for module, path in modules]
    order = [(module, classes) for module, classes in order if classes]
    expected = ["%s.%s.%s" % (m, c, t) for m, classes in order for c, tests in classes for t in tests]
    if shuffle:
        chance = random.Random(shuffle)
        order = [(m, [(c, chance.sample(tests, len(tests))) for c, tests in chance.sample(classes, len(classes))])
                 for m, classes in chance.sample(order, len(order))]
    hidden = spec["modules"] is not None
    return {"name": spec["name"], "own": own, "memory": memory, "order": order, "expected": expected, "unreadable": unreadable,
            "record": spec["record"], "tested": {module: path for module, path in modules}, "sources": reader.files,
            "canary": "canary %s " % os.urandom(6).hex() if hidden and expected else "", "skip": not expected}


def why(error):
    if isinstance(error, SyntaxError):
        return "line %s: %s" % (error.lineno or 1, error.msg)
    return "%s: %s" % (type(error).__name__, str(error)[:200])


def tops(tree, folders):
    """First parts of the module names that the folders of sys.path offer."""
    names = set()
    for folder in folders:
        prefix = "" if folder == "." else folder + "/"
        for path in tree.sources:
            if path.startswith(prefix):
                head, slash, _ = path[len(prefix):].partition("/")
                names.add(head if slash else head[:-3])
    return names


def run(tree, request):
    tree.update(request)
    root = tree.root
    sources = Sources(tree.sources)
    suites = [plan_suite(tree, sources, s, request["shuffle"], i) for i, s in enumerate(request["suites"])]
    folders = [f for f in request["python_path"] if f != "."]
    if "." in request["python_path"]:
        folders = request["python_path"]
    else:
        folders = [*folders, "."]
    # A module of the tree hides one of the standard library, as in a cold interpreter where the tree stands first.
    hidden = {n for n in tops(tree, folders) if n in PRELOADED}
    modules = BASE if not hidden else {n: m for n, m in BASE.items() if n.split(".")[0] not in hidden}
    seconds = request["time"]
    cpu = int(seconds * len(suites)) + 2
    plan = {
        "root": root, "suites": suites, "parent": os.getpid(), "max_fd": 256, "modules": modules,
        "path": [root if f == "." else root + "/" + f for f in folders] + STDLIB,
        "meta_path": list(sys.meta_path),
        "path_hooks": [hook(root), *sys.path_hooks],
        "trace": [root + "/" + p for p in request["trace"]],
        "filters": FILTERS, "environ": dict(os.environ._data), "time": seconds, "output": request["output"],
        "hide": [(root + "/", ""), (root, "")],
        "hide_temp": re.compile(re.escape(tempfile.gettempdir()) + r"(/[A-Za-z0-9_.]+)?").sub,
        "unittest": UNITTEST_PARTS, "spaces": SPACES,
        "limits": [(resource.RLIMIT_CPU, cpu), (resource.RLIMIT_FSIZE, 64 << 20), (resource.RLIMIT_NOFILE, 256),
                   (resource.RLIMIT_CORE, 0)] + ([(resource.RLIMIT_AS, request["memory"])] if LINUX else []),
    }
    results = [None] * len(suites)
    for i, s in enumerate(suites):
        if s["skip"] or request["dry"]:
            s["skip"] = True
            results[i] = judge(s, [], "died", "the worker process died") if request["dry"] and s["expected"] else judge(s, [], "", "")
            if not s["expected"] and not s["unreadable"]:
                results[i]["end"], results[i]["message"] = "no-tests", "the source holds no test"
    start = 0
    while True:
        while start < len(suites) and suites[start]["skip"]:
            start += 1
        if start >= len(suites):
            break
        attempt = Attempt(plan, start)
        attempt.run()
        memo.learn(attempt.texts)
        last = start
        for i in sorted(attempt.ended):
            results[i] = judge(suites[i], attempt.events.get(i, []), "", "")
            last = i
        if attempt.cause:
            last = attempt.at if attempt.at is not None else start
            results[last] = judge(suites[last], attempt.events.get(last, []), attempt.cause, attempt.detail)
        for i, events in attempt.events.items():
            for kind, rest in events:
                if kind == "r" and i in attempt.ended:
                    results[i]["reads"] = reads_of(suites[i]["sources"], folders, suites[i]["tested"], *rest)
        start = last + 1
    lines = {}
    for path in request["trace"]:
        code = ready.get(root + "/" + path, (None, None))[1]
        lines[path] = executable(code) if isinstance(code, types.CodeType) else []
    for result in results:
        if request["trace"]:
            result["executable"] = lines
            seen = result["lines"]
            result["lines"] = {p: [n for n in seen.get(p, ()) if n > 0] for p in request["trace"]}
    return {"results": results}


def reads_of(sources, folders, tested, reads, shared, loaded):
    """For each test file, the files of the tree that its outcome rests on: what it imports, what was opened while it ran, and
    what nobody's imports explain."""
    imports = closures(sources, [*folders, "."], [tested[m] for m in reads if m in tested])
    explained = set().union(*imports.values()) if imports else set()
    common = {*shared, *(p for p in loaded if p not in explained)}
    return {tested[m]: sorted({*imports[tested[m]], *opened, *common}) for m, opened in reads.items() if m in tested}


def hook(root):
    def tree_hook(path):
        if path != root and not path.startswith(root + "/"):
            raise ImportError
        return importlib.machinery.FileFinder(path, (TreeLoader, [".py"]))
    return tree_hook


def main():
    global NAMESPACE, BASE, PRELOADED, STDLIB, FILTERS, UNITTEST_PARTS, SPACES
    folder = sys.argv[1]
    if sys.version_info < (3, 11):
        send({"version": "%d.%d.%d" % sys.version_info[:3], "python": sys.executable})
        return
    NAMESPACE = os.getpid() == 1
    if _prctl and not NAMESPACE:
        _prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    for fd in (3, 4):
        os.set_inheritable(fd, False)
    tempfile.gettempdir()
    STDLIB = list(sys.path)
    FILTERS = list(warnings.filters)
    PRELOADED = {n.split(".")[0] for n in _AFTER_IMPORTS if n not in _AT_START}
    PRELOADED -= {n.split(".")[0] for n in _AT_START} | set(sys.builtin_module_names) | {"unittest"}
    BASE = {n: m for n, m in sys.modules.items() if n != "__main__"}
    import builtins
    parts = [unittest.case.TestCase, unittest.case._Outcome, unittest.case._SubTest, unittest.suite.TestSuite,
             unittest.suite.BaseTestSuite, unittest.async_case.IsolatedAsyncioTestCase, unittest.case._AssertRaisesContext,
             unittest.case._AssertRaisesBaseContext, unittest.case._AssertWarnsContext, unittest.case, unittest.suite]
    UNITTEST_PARTS = [(o, n, v) for o in parts for n, v in list(vars(o).items())
                      if callable(v) or isinstance(v, (staticmethod, classmethod, property))]
    spaces = [vars(m) for m in (builtins, os, time, random, json, datetime, decimal, pathlib)]
    SPACES = [(s, len(s), list(s.items())) for s in spaces]
    memo.install(dataclasses)
    tree = Tree(folder + "/tree")
    gc.collect()
    gc.disable()
    send({"version": "%d.%d.%d" % sys.version_info[:3], "python": sys.executable, "namespace": NAMESPACE})
    count = 0
    try:
        while True:
            request = receive()
            reply = run(tree, request) if request["op"] == "run" else inspect_files(request)
            send(reply)
            count += 1
            if count % 200 == 0:  # cycles that parsing leaves are rare, but a worker may serve for days
                gc.unfreeze()
                gc.collect()
    except Gone as gone:
        bye = bool(gone.args) or farewell()
        sweep()
        shutil.rmtree(folder, ignore_errors=True)
        if not bye:
            with contextlib.suppress(OSError):  # other workers may still have folders there; the last one succeeds
                os.rmdir(os.path.dirname(folder))


if __name__ == "__main__":
    main()
    os._exit(0)
