"""One event loop for the whole process; what a request began in it is waited for, a moment."""

import asyncio
import asyncio.base_events
import time

# What marks the task that a server is run by, for those who keep threads as long as that task lives (anyio):
# without one, every request would start threads of its own, as under no server.
_RUN = getattr(asyncio.base_events, "_run_until_complete_cb", None)


async def _serve():
    """The task behind all requests; it has nothing to do."""
    await asyncio.get_running_loop().create_future()


class Loop:
    """The loop, made when it is first needed. Tasks that outlast a request are waited for no more."""

    def __init__(self, tools):
        self._busy, self._of = tools.following.busy, tools.desk.variable
        self._seconds = tools.settle_seconds
        self._loop = None
        self._known = set()

    def get(self):
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
            server = self._loop.create_task(_serve())
            if _RUN is not None:
                server.add_done_callback(_RUN)
            self._known = {server}
        return self._loop

    def run(self, case, awaitable):
        """The result of an awaitable, after everything that it began; exceptions go up."""
        loop, holder = self.get(), []

        async def call():
            try:
                holder.append(await awaitable)
            except BaseException as error:  # asyncio would end the loop for some
                holder[:] = [None, error]

        loop.run_until_complete(call())
        self.settle(case)
        if len(holder) > 1:
            raise holder[1]
        return holder[0]

    def settle(self, case, seconds=None):
        """Wait for the tasks and threads that the case began; say so when some outlast it."""
        loop = self._loop
        new, timers = asyncio.all_tasks(loop) - self._known, self._timers(case)
        if new or timers or self._busy(case):
            wait = self._wait(case, self._seconds if seconds is None else seconds, timers)
            loop.run_until_complete(wait)
            self._known = asyncio.all_tasks(loop)

    def settled(self):
        """From now on, the tasks that there are belong to nobody's request."""
        self._known = asyncio.all_tasks(self._loop)

    def _timers(self, case):
        """What the case asked the loop to call later, where the loop tells."""
        return [
            each
            for each in getattr(self._loop, "_scheduled", ())
            if not each.cancelled() and getattr(each, "_context", {}).get(self._of) is case
        ]

    async def _wait(self, case, seconds, timers):
        until, me = time.monotonic() + seconds, asyncio.current_task()
        while True:
            new = asyncio.all_tasks() - self._known - {me}
            timers = [t for t in timers if not t.cancelled() and t.when() > asyncio.get_running_loop().time()]
            threads = self._busy(case)
            left = until - time.monotonic()
            if not new and not threads and not timers:
                return
            if left <= 0:
                case.outlasted(len(new) + threads or len(timers), "tasks or threads")
                return
            wait = min(left, 0.002) if threads or timers else left
            if new:
                await asyncio.wait(new, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.sleep(wait)

    def close(self):
        return None
