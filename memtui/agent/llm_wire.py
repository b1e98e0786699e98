"""One exchange with a model's service, over the SDK: on a thread of its own, so that the deadline is one.

Measured of the SDK (2.14): its time limit is one for each read, so a slow drip goes on for ever; a ``retry-after`` is
waited for however long; a page of HTML with status 200 is an answer; redirects send the question elsewhere; a stream that
is cut leaves a message that looks whole. So the SDK makes single tries here, without redirects; tries, pauses, bounds and
shapes are ours.

Every answer is asked for as a stream of events: one way for a list of slugs and for a long run with tools. A long answer
is not taken for a dead connection on the way, an error is known when it happens, and one that is cut is known to be, since
the end has an event of its own. A gateway that knows no streams answers whole, and that is taken as well.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from memtui.agent.llm import Answer
from memtui.agent.llm_answer import (
    AGAIN,
    broken,
    cancelled,
    connection_failed,
    cut_off,
    garbage,
    parse_answer,
    retry_after,
    status_failed,
    timeout,
)
from memtui.agent.llm_failed import ModelFailed
from memtui.agent.llm_stream import StreamedAnswer
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    import anthropic
    import httpx2

    from memtui.agent.llm_settings import Access

MOST_TRIES = 4
"""How often a busy service is asked before it is taken at its word (ours)."""
MAX_ANSWER_BYTES = 16 << 20
"""Most of an answer that is read (ours: far more than any model may say)."""
_LOOK_SECONDS = 0.05
_MAY_PASS = frozenset({"overloaded", "unreachable"})
"""Kinds of failures, told with status 200, that are worth another try."""


def exchange(
    access: Access,
    body: Mapping[str, Any],
    *,
    deadline: float,
    cancel: threading.Event | None,
    pause: float,
) -> Answer:
    """Send a question and wait for the answer.

    Args:
        access: where and with what key; checked already.
        body: the JSON to send.
        deadline: seconds for all of it.
        cancel: ends it when set.
        pause: seconds before the second try.

    Raises:
        ModelFailed: there is no answer.
    """
    end = time.monotonic() + deadline
    if cancel is not None and cancel.is_set():
        raise cancelled()
    run = _Run(access, body, end, pause)
    thread = threading.Thread(target=run.work, name="memtui-model", daemon=True)
    thread.start()
    failure: ModelFailed | None = None
    try:
        while failure is None and not run.done.wait(max(0.0, min(_LOOK_SECONDS, end - time.monotonic()))):
            if cancel is not None and cancel.is_set():
                failure = cancelled()
            elif time.monotonic() >= end:
                failure = run.last or timeout(access, deadline)
    finally:
        run.stop()  # also when somebody pressed Ctrl-C
    if failure is not None:
        raise failure
    if run.failure is not None:
        raise run.failure
    if run.answer is None:
        raise run.last or timeout(access, deadline)
    return run.answer


class _Run:
    """The tries, on a loop of its own; whoever waits may walk away at any moment."""

    def __init__(self, access: Access, body: Mapping[str, Any], end: float, pause: float) -> None:
        self.access, self.body, self.end, self.pause = access, body, end, pause
        self.done = threading.Event()
        self.answer: Answer | None = None
        self.failure: ModelFailed | None = None
        self.last: ModelFailed | None = None
        self._lock = threading.Lock()
        self._stopped = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Answer] | None = None

    def stop(self) -> None:
        """End it from outside: what is under way is given up, the connection is closed."""
        with self._lock:
            self._stopped = True
            if self._loop is not None and self._task is not None:
                self._loop.call_soon_threadsafe(self._task.cancel)

    def work(self) -> None:
        """Run to the end."""
        try:
            self.answer = self._run(self._tries)
        except asyncio.CancelledError:
            pass
        except ModelFailed as failure:
            self.failure = failure
        except Exception as error:  # noqa: BLE001  -- nothing else may come out: somebody waits for an answer or a reason
            self.failure = broken(self.access, error)
        finally:
            self.done.set()

    def _run(self, tries: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        loop = asyncio.new_event_loop()
        # Names are looked up on threads; one that hangs must not keep the program from ending.
        loop.set_default_executor(_Daemons())
        try:
            with self._lock:
                if self._stopped:
                    raise asyncio.CancelledError
                self._loop = loop
                self._task = loop.create_task(tries())
            return loop.run_until_complete(self._task)
        finally:
            with self._lock:
                self._loop = self._task = None
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    async def _tries(self) -> Answer:
        import anthropic  # noqa: PLC0415  -- takes longer to load than most commands to run
        import httpx2  # noqa: PLC0415  -- as above

        access = self.access
        limits = httpx2.Timeout(max(0.001, self.end - time.monotonic()))
        plainly = access.url.startswith(
            "http:"
        )  # to this machine: no certificates, which take long to load, no proxy
        http = httpx2.AsyncClient(
            timeout=limits,
            follow_redirects=False,
            trust_env=not access.is_loopback,
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plainly else True,
        )
        async with (
            http,
            anthropic.AsyncAnthropic(
                api_key=access.api_key or None,
                auth_token=access.auth_token or None,
                base_url=access.url,
                max_retries=0,
                timeout=limits,
                http_client=http,
                default_headers={"Accept-Encoding": "identity"},
                open_telemetry=False,
            ) as client,
        ):
            pause = self.pause
            for tries_left in reversed(range(MOST_TRIES)):
                failure, wait = None, 0.0
                try:
                    return await self._once(client)
                except ModelFailed as told:
                    failure, again = told, told.kind in _MAY_PASS
                except anthropic.APIStatusError as error:
                    failure = status_failed(access, error.status_code, error.body)
                    again = error.status_code in AGAIN
                    wait = retry_after(error.response.headers)
                except anthropic.APITimeoutError:
                    return await _never()  # the limit is the deadline's
                except (anthropic.APIConnectionError, httpx2.HTTPError, OSError) as error:
                    failure, again = connection_failed(access, error), True
                except (anthropic.AnthropicError, ValueError) as error:
                    failure, again = broken(access, error), False
                self.last = failure
                wait = max(wait, pause)
                if not again or not tries_left or time.monotonic() + wait >= self.end:
                    raise failure
                await asyncio.sleep(wait)
                pause *= 2
        raise AssertionError  # the last try either returned or raised

    async def _once(self, client: anthropic.AsyncAnthropic) -> Answer:
        async with client.messages.with_streaming_response.create(**self.body) as response:
            return await _answer(response.http_response, self.access)


async def _never() -> Answer:
    """Wait to be called off."""
    await asyncio.Event().wait()
    raise AssertionError


async def _answer(response: httpx2.Response, access: Access) -> Answer:
    """What came with status 200, event by event, or whole where it is no stream."""
    import anthropic  # noqa: PLC0415  -- loaded already: it made the request
    import httpx2  # noqa: PLC0415  -- as above

    if response.headers.get("content-encoding", "identity") != "identity":
        raise garbage(access, Say("it is packed, which was not asked for"))
    async with aclosing(_bounded(response, access)) as parts:
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            return parse_answer(b"".join([part async for part in parts]), access)
        stream = StreamedAnswer(access)
        events = anthropic.AsyncStream.raw_events(httpx2.Response(200, content=parts))
        try:
            async for event in events:
                if stream.take(event.event or "", event.data):
                    return stream.answer()
        except UnicodeDecodeError:
            raise garbage(access, Say("it is not JSON")) from None
    raise cut_off(access)


async def _bounded(response: httpx2.Response, access: Access) -> AsyncGenerator[bytes]:
    """The body as it comes, as far as an answer can be long."""
    size = 0
    async for part in response.aiter_raw():
        size += len(part)
        if size > MAX_ANSWER_BYTES:
            raise garbage(access, Say("it is longer than {most:,} bytes", most=MAX_ANSWER_BYTES))
        yield part


class _Daemons(ThreadPoolExecutor):
    """Runs each call on a thread that dies with the program."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401  -- the signature of its kind
        """Start it."""
        future: Future[Any] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001  -- carried to who waits for it
                future.set_exception(error)

        threading.Thread(target=work, name="memtui-model-lookup", daemon=True).start()
        return future
