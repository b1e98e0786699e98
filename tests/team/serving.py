"""A server on this machine for a remote that is reached over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(answer: Answer, path: str) -> Iterator[str]:
    """A server that answers every request in one way; gives the address of a path on it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        do_POST = do_GET  # noqa: N815  -- the name that the server asks for

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}/{path}"
    finally:
        made.shutdown()
        made.server_close()
        thread.join()
