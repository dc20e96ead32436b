"""
The stock `openstack` client, command after command: loading it takes longer than most of what it
does. A line of standard input is a command, as JSON {"args": [...], "env": {...}}. It is run by the
function that the program `openstack` calls, in a process of its own that begins with the client
loaded. A line of standard output answers {"exitCode": 0, "stdout": "...", "stderr": "..."}.
"""

import contextlib
import importlib.metadata
import io
import json
import os
import signal
import sys

from openstackclient import shell

LIMIT_SECONDS = 120


def load_commands():
    for entry_point in importlib.metadata.distribution("python-openstackclient").entry_points:
        if entry_point.group.startswith("openstack."):
            with contextlib.suppress(ImportError):
                entry_point.load()


def run(args, env):
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["openstack", *args]
    sys.stdin = open(os.devnull)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = shell.main(args)
        except SystemExit as end:
            code = end.code
    stdout, stderr = (stream.buffer.getvalue().decode() for stream in (out, err))
    return {"exitCode": code or 0, "stdout": stdout, "stderr": stderr}


load_commands()
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
