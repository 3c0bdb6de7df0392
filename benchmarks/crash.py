"""What a crash costs: the same cases with and without one that makes a worker segfault.

python benchmarks/crash.py [ROUNDS]

A crash costs a restart whatever one does; what is beyond it is the harness's doing. Every worker counts the
cases it is asked, so that work done twice shows.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

import measure

MOST_MS = 60
CASES = 2_000
FATAL = b'{"kill":1}'
SHIM = """
import os

def counting(kit):
    import json
    counter = os.open(os.environ["COUNTER"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def parse(data):
        os.write(counter, b".")
        if kind == "fragile" and data == b'{"kill":1}':
            os.kill(os.getpid(), 11)
        return json.loads(data)

    return {"parse": parse, "plain": True, "libraries": []}
"""
MANIFEST = """
protocol = 1
name = "bench"
about = "workers that count"
[[launch]]
needs = "python"
command = ["{python}", "{folder}/worker.py"]
memory = "address-space"
[[canary]]
text = "[1]"
expect = ["[1]"]
[[canary]]
text = "["
expect = ["reject"]
"""
SUBJECT = """
[[subject]]
key = "bench/%s"
family = "bench"
library = "json"
entry = "json.loads(bytes)"
shim = "%s.counting"
decode = "library"
rejects = ["json.JSONDecodeError"]
default = true
repeats = "last"
"""
KINDS = ("fragile", "sturdy1", "sturdy2", "sturdy3")


def adapter(folder: Path) -> None:
    """An adapter of the Python kit whose subject `fragile` dies of one input."""
    from whichwins._bundled_path import bundled

    kit = bundled("adapters") / "python"
    (folder / "shims").mkdir(parents=True)
    for name in ("worker.py", "render.py", "words.py"):
        shutil.copyfile(kit / name, folder / name)
    for kind in KINDS:
        (folder / "shims" / f"{kind}.py").write_text(f"kind = {kind!r}\n{SHIM}")
    (folder / "adapter.toml").write_text(MANIFEST + "".join(SUBJECT % (kind, kind) for kind in KINDS))


def observe(crashing: bool) -> dict[str, float]:
    """Wall and CPU of one observation in this process, and what each worker was asked."""
    from whichwins.provision import launch, probe
    from whichwins.subjects import load_adapters, select
    from whichwins.workers import Launch, WorkerPool

    texts = [b'{"n":%d}' % number for number in range(CASES)]
    if crashing:
        texts[CASES // 2] = FATAL
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "bench")
        adapter(folder)
        adapters = load_adapters([folder])
        subjects = select(adapters, [f"bench/{kind}" for kind in KINDS])
        runtimes = probe(None)
        launches: dict[str, Launch | str] = {}
        for subject in subjects:
            start = launch(subject, adapters, runtimes)
            assert isinstance(start, Launch), start
            environment = {**(start.env or {}), "COUNTER": str(Path(name, subject.key.replace("/", "-")))}
            launches[subject.key] = start._replace(env=environment)
        before = measure.children_cpu()
        own, begun = measure.own_cpu(), time.monotonic()
        with WorkerPool(subjects, launches, digests=False) as pool:
            _ = pool.identities
            up = time.monotonic()
            counters = {subject.key: Path(name, subject.key.replace("/", "-")) for subject in subjects}
            asked = {key: -counter.stat().st_size for key, counter in counters.items()}
            rows = list(pool.observe(texts))
            down = time.monotonic()
        if [row[0].outcome.value for row in rows].count("crash") != crashing or len(rows) != CASES:
            raise SystemExit("the crash was not seen as one")
        for key, counter in counters.items():
            asked[key] += counter.stat().st_size
    return {
        "start": up - begun,
        "wall": down - up,
        "cpu": measure.children_cpu() - before + measure.own_cpu() - own,
        "redone, the one": asked["bench/fragile"] - CASES,
        "redone, others": sum(count for key, count in asked.items() if key != "bench/fragile") - 3 * CASES,
    }


def restart() -> tuple[float, float]:
    """Wall and CPU seconds of starting that worker and having its first answer."""
    import subprocess

    from whichwins.workers.frames import encode

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "bench")
        adapter(folder)
        before, begun = measure.children_cpu(), time.monotonic()
        with subprocess.Popen(
            [sys.executable, str(folder / "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"COUNTER": str(Path(name, "counter"))},
        ) as worker:
            assert worker.stdin is not None
            assert worker.stdout is not None
            hello = b"protocol 1\nsubject bench/fragile\nshim fragile.counting\n"
            worker.stdin.write(encode("hello", 0, hello) + encode("parse", 1, b"[]"))
            worker.stdin.flush()
            while b"accept 1 " not in worker.stdout.readline():
                pass
            wall = time.monotonic() - begun
            worker.stdin.close()
        return wall, measure.children_cpu() - before


def one_round() -> dict[str, float]:
    """With and without, side by side."""
    plain = measure.child("crash.py", "--measure", "plain")
    crashed = measure.child("crash.py", "--measure", "crash")
    wall, cpu = restart()
    return {
        "plain ms": 1000 * plain["wall"],
        "plain cpu ms": 1000 * plain["cpu"],
        "crash ms": 1000 * crashed["wall"],
        "crash cpu ms": 1000 * crashed["cpu"],
        "restart ms": 1000 * wall,
        "restart cpu ms": 1000 * cpu,
        "redone, the one": crashed["redone, the one"],
        "redone, others": crashed["redone, others"],
    }


def report(count: int) -> str:
    """The table."""
    found = measure.rounds(count, one_round)
    # Differences of wall times: the best of each is what least disturbs.
    middle = {name: min(one[name] for one in found) for name in found[0]}
    for part in ("", " cpu"):
        middle[f"crash{part} ms"] -= middle[f"plain{part} ms"]
    beyond = middle["crash ms"] - middle["restart ms"]
    rows = [
        [name, f"{middle[f'{part} ms']:.0f}", f"{middle[f'{part} cpu ms']:.0f}"]
        for name, part in (
            ("one crash: found, confirmed, gone on", "crash"),
            ("a bare restart of that worker", "restart"),
        )
    ]
    rows.append([f"beyond it (at most {MOST_MS}: {measure.met(beyond, MOST_MS)})", f"{beyond:.0f}", ""])
    again = (
        f"{middle['redone, the one']:.0f} cases of that subject, {middle['redone, others']:.0f} of the others"
    )
    about = (
        f"{CASES:,} cases, {len(KINDS)} subjects, one case kills one of them; the best of {count}. "
        f"Asked again: {again}."
    )
    return f"{about}\n\n" + measure.table(rows, ["", "wall ms", "CPU ms"])


def main() -> None:
    """One measurement as JSON, or the table."""
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(observe(sys.argv[2] == "crash")))
        return
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else 7))


if __name__ == "__main__":
    main()
