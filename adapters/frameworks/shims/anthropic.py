"""anthropic-python: the input of a tool call, in a canned answer; the runner that calls the tool itself."""

ASKED = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "run it"}]}
TOOL = {"name": "tool", "input_schema": {"type": "object"}}
USAGE = {"input_tokens": 1, "output_tokens": 1}


def _message(content, stop):
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": USAGE,
        "content": content,
    }


DONE = [{"type": "text", "text": "done"}]


def _client(bench):
    import anthropic
    from anthropic import _base_client

    service = bench.canned.Service(bench.canned.httpx_of(_base_client))
    client = anthropic.Anthropic(
        api_key="none", base_url="http://127.0.0.1", max_retries=0, http_client=service.client
    )
    return client, service


def _uses():
    import jiter
    from anthropic.lib.streaming import _messages

    return ("anthropic", _messages), ("jiter", jiter)


def _whole(bench, raw):
    """The input is a value in the answer; it is exactly the case, and nothing but brackets follows it."""
    call = {"type": "tool_use", "id": "t", "name": "tool", "input": "INPUT"}
    answer = _message([], "tool_use")
    answer["content"] = [call]  # the last member
    return bench.canned.text(answer).replace(b'"INPUT"', bench.value(raw)), bench.canned.JSON


def _streamed(bench, raw, stop="tool_use"):
    """The input comes in pieces, strings that are exactly the case."""
    bench.string(raw)  # UTF-8, or it cannot be put
    call = {"type": "tool_use", "id": "t", "name": "tool", "input": {}}
    found = [{"type": "message_start", "message": _message([], None)}]
    found.append({"type": "content_block_start", "index": 0, "content_block": call})
    for piece in bench.pieces(raw.decode()):
        delta = {"type": "input_json_delta", "partial_json": piece}
        found.append({"type": "content_block_delta", "index": 0, "delta": delta})
    found.append({"type": "content_block_stop", "index": 0})
    return _ended(bench, found, stop)


def _ended(bench, found, stop):
    delta = {"stop_reason": stop, "stop_sequence": None}
    found.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 1}})
    return bench.canned.events([*found, {"type": "message_stop"}], named=True)


def create(bench):
    client, service = _client(bench)

    def tool(raw):
        service.lay(_whole(bench, raw))
        bench.execute(client.messages.create(**ASKED, tools=[TOOL]).content[0].input)

    return bench.call(tool, *_uses())


def stream(bench):
    client, service = _client(bench)

    def tool(raw):
        service.lay(_streamed(bench, raw))
        with client.messages.stream(**ASKED, tools=[TOOL]) as answers:
            for event in answers:
                if event.type == "input_json":
                    bench.preview(event.snapshot, "input_json")
            bench.execute(answers.get_final_message().content[0].input)

    return bench.call(tool, *_uses())


def _runner(bench, answers, streaming):
    import json
    from typing import Any

    from anthropic import beta_tool

    client, service = _client(bench)

    def tool(**arguments: Any) -> str:
        bench.execute(arguments)
        return "ran"

    declared = beta_tool(tool, name="tool", description="a tool", input_schema=TOOL["input_schema"])

    def run(raw):
        service.lay(*answers(raw))
        runner = client.beta.messages.tool_runner(**ASKED, tools=[declared], stream=streaming)
        for answer in runner:
            for _ in answer if streaming else ():
                pass
        said = json.loads(service.asked[-1])["messages"][-1]["content"]
        if any(isinstance(each, dict) and each.get("is_error") for each in said):
            bench.desk.case().end("rejected", "tool_result is_error")

    return bench.call(run, *_uses())


def runner(bench):
    done = bench.canned.text(_message(DONE, "end_turn")), bench.canned.JSON
    return _runner(bench, lambda raw: (_whole(bench, raw), done), False)


def runner_stream(bench):
    start = {"type": "message_start", "message": _message([], None)}
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "done"}}
    stop = {"type": "content_block_stop", "index": 0}
    done = _ended(bench, [start, block, delta, stop], "end_turn")
    return _runner(bench, lambda raw: (_streamed(bench, raw), done), True)
