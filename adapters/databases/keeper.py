"""Keeps a throwaway database server for as long as its standard input is open, then leaves nothing of it.

    keeper.py postgresql|mariadb

Says `ready FOLDER` once the server answers at a socket in that folder, else `failed REASON`. In a session of
its own: whoever kills the worker that asked for it closes the pipe, and that is what it waits for. Python >=
3.8, the standard library alone.
"""

import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

STARTED_SECONDS = 50


def program(name):
    """Its path: Debian keeps PostgreSQL's, one folder a version, off PATH; the newest is taken."""
    versions = glob.glob("/usr/lib/postgresql/*/bin/" + name)
    newest = sorted(versions, key=lambda path: float(path.split(os.sep)[4]), reverse=True)
    found = (
        next(iter(newest), None) or shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    )
    if not found:
        raise LookupError("there is no " + name)
    return found


def nobody():
    """Whom to run as: servers refuse root. None: as we are."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            pass
    return None


def becoming(user):
    def become():
        os.setgroups([])
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)

    return become if user else None


def postgresql(folder, data, sockets):
    """The command that makes the cluster (None: none is needed), the server's, and its socket.

    No network, and nothing is written through to the disk.
    """
    make = [
        program("initdb"),
        "-D",
        data,
        "-U",
        "whichwins",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
    ]
    serve = [program("postgres"), "-D", data, "-k", sockets, "-c", "listen_addresses=", "-c", "fsync=off"]
    serve += ["-c", "shared_buffers=16MB", "-c", "max_connections=8", "-c", "autovacuum=off"]
    serve += ["-c", "dynamic_shared_memory_type=mmap", "-c", "logging_collector=off"]
    return make, serve, os.path.join(sockets, ".s.PGSQL.5432")


def mariadb(folder, data, sockets):
    at = os.path.join(sockets, "sql")
    # Without grants it needs no tables of its own.
    serve = [program("mariadbd"), "--no-defaults", "--datadir=" + data, "--socket=" + at, "--skip-networking"]
    serve += ["--skip-grant-tables", "--innodb=OFF", "--default-storage-engine=Aria", "--skip-log-bin"]
    # Of its own: a server that starts deletes the temporary tables that it finds, others' too.
    serve += ["--tmpdir=" + data]
    serve += ["--pid-file=" + os.path.join(folder, "pid"), "--max-allowed-packet=64M"]
    return None, serve, at


def answers(path):
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except OSError:
            return False
    return True


def start(kind, folder):
    """The server's process and the folder with its socket. Raises LookupError or OSError with what to do."""
    user, data, sockets = nobody(), os.path.join(folder, "data"), os.path.join(folder, "s")
    for path in (data, sockets):
        os.mkdir(path, 0o700)
    if user:
        for path in (folder, data, sockets):
            os.chown(path, user.pw_uid, user.pw_gid)
    make, serve, at = {"postgresql": postgresql, "mariadb": mariadb}[kind](folder, data, sockets)
    quiet = {"stdin": subprocess.DEVNULL, "preexec_fn": becoming(user), "cwd": folder}
    if make:
        done = subprocess.run(make, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **quiet)
        if done.returncode:
            raise OSError(" ".join(done.stdout.decode("utf-8", "replace").split())[-200:])
    with open(os.path.join(folder, "log"), "wb") as log:
        server = subprocess.Popen(serve, stdout=log, stderr=log, **quiet)
    until = time.monotonic() + STARTED_SECONDS
    while not answers(at):
        if server.poll() is not None or time.monotonic() > until:
            stop(server)
            with open(os.path.join(folder, "log"), "rb") as log:
                raise OSError(" ".join(log.read().decode("utf-8", "replace").split())[-200:])
        time.sleep(0.02)
    return server, at


def stop(server):
    if server.poll() is None:
        server.send_signal(signal.SIGINT if "postgres" in server.args[0] else signal.SIGTERM)
        try:
            server.wait(5)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def main():
    os.setsid()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # the pipe says when it is over
    # The path of a socket has at most 107 bytes.
    place = "/tmp" if len(tempfile.gettempdir()) > 50 else None
    folder, server = tempfile.mkdtemp(prefix="whichwins-database-", dir=place), None
    try:
        try:
            server, at = start(sys.argv[1], folder)
        except (LookupError, OSError) as error:
            print("failed", error, flush=True)
            return
        print("ready", at, flush=True)
        sys.stdin.buffer.read()
    finally:
        if server is not None:
            stop(server)
        shutil.rmtree(folder, ignore_errors=True)


main()
