"""Puts together the root file system of the sandbox image: Python, its libraries, the wheels, and nothing else.

Runs once inside the first stage of Dockerfile.sandbox, on Debian's Python 3.11, without network. What is not copied
here is not in the image: no shell, no package manager, no compiler, no setuid file. The last stage takes the result.
"""

import compileall
import shutil
import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from py_compile import PycInvalidationMode

PYTHON = Path("/usr/bin/python3.11")
STDLIB = Path("/usr/lib/python3.11")
PACKAGES = Path("usr/lib/python3/dist-packages")
ZONES = Path("/usr/share/zoneinfo")
CLOCK = "faketime/libfaketime.so.1"  # moves the clock; every container has it, under a name that says less

# Parts of the standard library that install software, speak to terminals, databases or networks, or test Python.
STDLIB_LEFT_OUT = (
    "__pycache__", "__phello__", "_distutils_system_mod.py", "antigravity.py", "config-*", "curses", "dbm",
    "dist-packages", "distutils", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "site-packages",
    "sitecustomize.py", "sqlite3", "test", "tkinter", "turtle.py", "turtledemo", "venv", "wsgiref", "xmlrpc",
)  # fmt: skip
EXTENSIONS_LEFT_OUT = (
    "_crypt.*", "_ctypes_test.*", "_curses*", "_dbm.*", "_hashlib.*", "_sqlite3.*", "_ssl.*", "_test*", "_xxtest*",
    "nis.*", "ossaudiodev.*", "readline.*", "xx*",
)  # fmt: skip

# Parts of the wheels that pandas and PyArrow work without; test_image_content.py uses what remains. What
# reads and writes files (and, for cloud storage, wants ssl) is none of a candidate's business: it gets tables.
WHEEL_FOLDERS_LEFT_OUT = {"tests", "include", "includes", "src", "_pyinstaller", "distutils", "f2py"}
WHEEL_SUFFIXES_LEFT_OUT = {".pyx", ".pxd", ".pxi", ".pyi", ".h", ".hpp", ".c", ".cc", ".cpp", ".a", ".lib"}
ARROW_LEFT_OUT = (
    "_azurefs*", "_dataset*", "_feather*", "_flight*", "_fs.*", "_gcsfs*", "_hdfs*", "_orc*", "_parquet*",
    "_pyarrow_cpp_tests*", "_s3fs*", "_substrait*", "cuda.py", "dataset.py", "feather.py", "flight.py", "fs.py",
    "libarrow_*encryption*", "libarrow_*flight*", "libarrow_python.so", "libarrow_python.so.*.*", "libarrow_s3*",
    "orc.py", "parquet", "substrait.py",
)  # fmt: skip


def main() -> None:
    build, root = Path(sys.argv[1]), Path(sys.argv[2])
    lay_out(root)
    copy_python(root)
    for wheel in sorted(build.glob("*.whl")):
        unpack(wheel, root / PACKAGES)
    copy_clock(root)
    copy_libraries(root)
    compile_all(root)


def lay_out(root: Path) -> None:
    for folder in ("usr/bin", "usr/lib", "usr/lib64", "etc", "tmp", "proc", "sys", "dev"):
        (root / folder).mkdir(parents=True)
    (root / "tmp").chmod(0o1777)  # the engine gives the mode of this folder to the tmpfs that it puts there
    for name in ("bin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    none = "/nonexistent"
    (root / "etc/passwd").write_text(f"root:x:0:0:root:{none}:{none}\nnobody:x:65534:65534:nobody:{none}:{none}\n")
    (root / "etc/group").write_text("root:x:0:\nnogroup:x:65534:\n")
    copies = shutil.ignore_patterns("posix", "right", "posixrules", "localtime")
    shutil.copytree(ZONES, root / ZONES.relative_to("/"), symlinks=True, ignore=copies)


def copy_python(root: Path) -> None:
    shutil.copy2(PYTHON, root / "usr/bin/python3.11")
    (root / "usr/bin/python3").symlink_to("python3.11")

    def left_out(folder: str, names: list[str]) -> list[str]:
        patterns: tuple[str, ...] = ("__pycache__",)
        if Path(folder) == STDLIB:
            patterns = STDLIB_LEFT_OUT
        elif Path(folder).name == "lib-dynload":
            patterns = EXTENSIONS_LEFT_OUT
        return [name for name in names if any(fnmatch(name, pattern) for pattern in patterns)]

    shutil.copytree(STDLIB, root / STDLIB.relative_to("/"), ignore=left_out, ignore_dangling_symlinks=True)


def unpack(wheel: Path, target: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            path = Path(name)
            if name.endswith("/"):
                continue
            if WHEEL_FOLDERS_LEFT_OUT & set(path.parts[:-1]) or path.suffix in WHEEL_SUFFIXES_LEFT_OUT:
                continue
            if (
                path.parts[0] == "pyarrow"
                and len(path.parts) > 1
                and any(fnmatch(path.parts[1], p) for p in ARROW_LEFT_OUT)
            ):
                continue
            archive.extract(name, target)


def copy_clock(root: Path) -> None:
    """Copies libfaketime to one path for all architectures, where ldconfig does not link it by its own name."""
    found = next(Path("/usr/lib").glob(f"*/{CLOCK}"), None)
    if found is None:
        sys.exit("libfaketime is missing from the base image")
    (root / "usr/lib/clock").mkdir()
    shutil.copy2(found, root / "usr/lib/clock/libclock.so.1")


def copy_libraries(root: Path) -> None:
    """Copies the shared libraries that the loader names for the interpreter and for every extension module."""
    binaries = [PYTHON, *(p for p in root.rglob("*.so*") if p.is_file() and not p.is_symlink())]
    command = ["/usr/bin/ldd", *map(str, binaries)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - fixed command
    for line in listing.splitlines():
        words = line.split()
        if "not found" in line:
            sys.exit(f"a shared library is missing from the sandbox image: {line.strip()}")
        found = next((w for w in words if w.startswith("/") and not w.endswith(":")), None)
        if found is None or found.startswith(str(root)):
            continue
        target = root / "usr" / Path(found).resolve().relative_to("/usr").parent / Path(found).name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(Path(found).resolve(), target)
    loader = next(Path("/usr/lib64").glob("ld-linux*"), None) or next(Path("/usr/lib").glob("ld-linux*"))
    if not (root / loader.relative_to("/")).exists():
        shutil.copy2(loader.resolve(), root / loader.relative_to("/"))
    subprocess.run(["/usr/sbin/ldconfig", "-r", str(root)], check=True)  # noqa: S603 - fixed command


def compile_all(root: Path) -> None:
    """Compiles every module ahead: the root is read-only, and hashes unchecked spare a stat per import."""
    fine = compileall.compile_dir(
        root / "usr/lib", quiet=1, workers=0, stripdir=str(root), invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
    )
    if not fine:
        sys.exit("some modules of the sandbox image do not compile")


if __name__ == "__main__":
    main()
