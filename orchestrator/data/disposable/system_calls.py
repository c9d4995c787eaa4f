"""Which system calls a disposable process may make: to compute on what it was sent, and to read Python's files.

An allow-list, shorter than that of a candidate (`sandbox_image/syscall_numbers.py`, which has the numbers): no process
or thread, no program, no socket, no signal to anybody, and files only to be read. What is not on it answers an error.
Called by `confinement`, in the process that shall be confined; `seccomp_filter` is the guest's module.
"""

from types import ModuleType

ALWAYS = (
    "read", "readv", "write", "writev", "pread64", "lseek", "close", "dup", "pipe2", "fstat", "newfstatat", "stat",
    "lstat", "statx", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getdents64", "fcntl", "poll",
    "ppoll", "select", "pselect6", "mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "membarrier", "futex",
    "rseq", "set_robust_list", "get_robust_list", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
    "restart_syscall", "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times",
    "getrandom", "getpid", "getppid", "gettid", "getsid", "getpgrp", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getgroups", "getcwd", "getcpu", "getrusage", "getrlimit", "sched_getaffinity",
    "sched_yield", "sysinfo", "uname", "exit", "exit_group",
)  # fmt: skip

_TO_CHANGE = (
    0o1 | 0o2 | 0o100 | 0o1000 | 0o2000 | 0o20000000
)  # write, read and write, create, truncate, append, tmpfile
_PRCTL = (3, 15, 16, 39, 0x53564D41)  # is it dumpable; set, get a thread's name; can it gain privileges; name a mapping
_IOCTL = (0x5401, 0x5413, 0x5421, 0x5451)  # terminal? its size; do not block; close on exec


def program(seccomp_filter: ModuleType, machine: str) -> bytes:
    """The filter for the kernel. Raises KeyError on an architecture whose numbers are not known."""
    test, (first, second, third) = seccomp_filter.Test, seccomp_filter.ARGUMENTS
    whole = seccomp_filter.WHOLE
    conditional = {
        "open": (test(second, _TO_CHANGE, (0,)),),
        "openat": (test(third, _TO_CHANGE, (0,)),),
        "prctl": (test(first, whole, _PRCTL),),
        "ioctl": (test(second, whole, _IOCTL),),
        "prlimit64": (test(first, whole, (0,)), test(third, whole, (0,)), test(third + 4, whole, (0,))),
    }
    made: bytes = seccomp_filter.compiled(machine, ALWAYS, conditional, exhausted=("clone",))
    return made
