"""
A stock client, `openstack` or `glance`, command after command: loading it takes longer than most of
what it does. A line of standard input is a command, as JSON {"args": [...], "env": {...}, "input":
"..."}, where input is a file that the command reads, or null for a terminal at which nobody types.
It is run by the function that the program calls, in a process of its own that begins with the client
loaded. A line of standard output answers {"exitCode": 0, "stdout": "...", "stderr": "..."}.

What a command waits for, it looks at again sooner than by itself, which would be every 5 seconds.
"""

import contextlib
import gc
import importlib
import importlib.metadata
import io
import itertools
import json
import os
import signal
import sys
import time

LIMIT_SECONDS = 120

MODULES = {
    "openstack": ["openstackclient.shell", "barbicanclient.v1.client"],
    "glance": ["glanceclient.shell", "glanceclient.v2.client", "glanceclient.v2.shell"],
}

# Groups of entry points whose members each command of `openstack` loads, whatever it does.
PLUGINS = ("openstack.", "keystoneauth1.plugin", "cliff.formatter.")


def load(program):
    # Each command asks which package it is of, for which the metadata of all of them are read.
    packages = importlib.metadata.packages_distributions()
    importlib.metadata.packages_distributions = lambda: packages
    shell, *_ = [importlib.import_module(name) for name in MODULES[program]]
    if program == "openstack":
        entry_points = [one.entry_points for one in importlib.metadata.distributions()]
        for entry_point in itertools.chain.from_iterable(entry_points):
            if entry_point.group.startswith(PLUGINS):
                # What lacks a package that it needs is not offered.
                with contextlib.suppress(Exception):
                    entry_point.load()
    # The collector would touch, and so copy, all that is loaded in each process.
    gc.freeze()
    return shell.main


def look_sooner():
    """After a quarter of the time that the command has taken, and at the latest when it would."""
    began, sleep = time.monotonic(), time.sleep
    time.sleep = lambda seconds: sleep(min(seconds, 0.1 + (time.monotonic() - began) / 4))


def connect_stdin(path):
    os.dup2(os.openpty()[1] if path is None else os.open(path, os.O_RDONLY), 0)
    sys.stdin = open(0, closefd=False)


def run(args, env, input):
    os.environ.clear()
    os.environ.update(env)
    sys.argv = [program, *args]
    look_sooner()
    connect_stdin(input)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main()
        except SystemExit as end:
            code = end.code
    stdout, stderr = (stream.buffer.getvalue().decode() for stream in (out, err))
    return {"exitCode": code or 0, "stdout": stdout, "stderr": stderr}


program = sys.argv[1]
main = load(program)
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        signal.alarm(LIMIT_SECONDS)
        print(json.dumps(run(**json.loads(line))), flush=True)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        failure = {"exitCode": -1, "stdout": "", "stderr": f"ended with status {status}"}
        print(json.dumps(failure), flush=True)
