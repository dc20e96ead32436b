"""
A stock client, `openstack` or `glance`, command after command: loading it takes longer than most of
what it does. A line of standard input is a command, as JSON {"args": [...], "env": {...}, "input":
"..."}, where input is a file that the command reads, or null for a terminal at which nobody types.
It is run by the function that the program calls, in a process of its own that begins with the client
loaded. A line of standard output answers {"exitCode": 0, "stdout": "...", "stderr": "..."}.

What a command waits for, it looks at again sooner than by itself, which would be every 5 seconds.
"""

import contextlib
import importlib
import importlib.metadata
import io
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


def load(program):
    shell, *_ = [importlib.import_module(name) for name in MODULES[program]]
    if program == "openstack":
        for entry_point in importlib.metadata.distribution("python-openstackclient").entry_points:
            if entry_point.group.startswith("openstack."):
                with contextlib.suppress(ImportError):
                    entry_point.load()
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
