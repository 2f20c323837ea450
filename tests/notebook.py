"""An observer for tests."""

from aboveboard.observing import CallRecord, RequestRecord


class Notebook:
    """An observer that keeps everything."""

    def __init__(self) -> None:
        self.calls: list[CallRecord] = []
        self.requests: list[RequestRecord] = []
        self.closed = 0

    def call_ended(self, record: CallRecord) -> None:
        self.calls.append(record)

    def request_sent(self, record: RequestRecord) -> None:
        self.requests.append(record)

    def close(self) -> None:
        self.closed += 1
