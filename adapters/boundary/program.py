"""Any program, one process a case: the case on its standard input, its exit status as the answer."""

import os
import shutil
import signal
import subprocess
import threading

MOST_OUTPUT = 16 * 1024 * 1024


def command_of(options):
    """The command line, from `command.0`, `command.1`, …"""
    found = []
    while "command.%d" % len(found) in options:
        found.append(options["command.%d" % len(found)])
    return found


def found(program, folder):
    """Whether it can be started from that folder."""
    if os.path.dirname(program):
        return os.access(os.path.join(folder, program), os.X_OK)
    return shutil.which(program) is not None


def _feed(pipe, data):
    try:
        pipe.write(data)
        pipe.close()
    except (OSError, ValueError):
        pass  # it does not read all: its status says what it makes of that


def make(tools):
    command = command_of(tools.options)
    if not command:
        raise tools.Refused("no command")
    if not found(command[0], tools.options.get("folder") or "."):
        raise tools.Refused("there is no program %s" % command[0])
    listening = tools.load("listener")
    listener = listening.Listener(tools)
    folder, feed = tools.options.get("folder") or None, threading.Thread

    def deliver(case):
        body = tools.template.body(case)
        env = dict(os.environ)
        env[listening.VARIABLE] = listener.address(case)
        case.known = False
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=folder
            )
        except OSError as error:
            case.end("failed", "exception " + type(error).__name__, "it cannot be started")
            return
        writer = feed(target=_feed, args=(process.stdin, body), daemon=True)
        writer.start()
        output = process.stdout.read(MOST_OUTPUT + 1)
        if len(output) > MOST_OUTPUT:
            process.kill()
        process.stdout.close()
        status = process.wait()
        case.known = listener.reported
        case.threads.clear()
        if len(output) > MOST_OUTPUT:
            case.end("failed", reason="more than %d bytes of output" % MOST_OUTPUT)
        elif status < 0:
            try:
                name = signal.Signals(-status).name
            except ValueError:
                name = "signal %d" % -status
            case.end("failed", name)
        elif status:
            case.end("rejected", "exit %d" % status)
        else:
            case.end("accepted", "exit 0")
            tools.signal.shown(case, output)

    return deliver, lambda: None
