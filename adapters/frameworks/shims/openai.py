"""openai-python: the arguments of a tool call, in a canned answer."""

import json

ASKED = {"model": "m", "messages": [{"role": "user", "content": "run it"}]}
STRICT = {"type": "function", "function": {"name": "tool", "strict": True, "parameters": {"type": "object"}}}


def _client(bench):
    import openai
    from openai import _base_client

    service = bench.canned.Service(bench.canned.httpx_of(_base_client))
    client = openai.OpenAI(
        api_key="none", base_url="http://127.0.0.1/v1", max_retries=0, http_client=service.client
    )
    return client, service


def _uses():
    import jiter
    import pydantic
    from openai.lib._parsing import _completions

    return ("openai", _completions), ("pydantic", pydantic), ("jiter", jiter)


def _completion(bench, raw):
    """The arguments are a string in the answer; it is exactly the case."""
    call = {"id": "t", "type": "function", "function": {"name": "tool", "arguments": "ARGUMENTS"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    answer["choices"] = [{"index": 0, "finish_reason": "tool_calls", "message": message}]
    return bench.canned.text(answer).replace(b"ARGUMENTS", bench.string(raw)), bench.canned.JSON


def create(bench):
    client, service = _client(bench)

    def tool(raw):
        service.lay(_completion(bench, raw))
        answer = client.chat.completions.create(**ASKED, tools=[STRICT])
        bench.execute(json.loads(answer.choices[0].message.tool_calls[0].function.arguments))

    return bench.call(tool, *_uses())


def _parse(bench, declared):
    client, service = _client(bench)

    def tool(raw):
        service.lay(_completion(bench, raw))
        answer = client.chat.completions.parse(**ASKED, tools=[declared])
        bench.execute(answer.choices[0].message.tool_calls[0].function.parsed_arguments)

    return bench.call(tool, *_uses())


def parse(bench):
    return _parse(bench, STRICT)


def parse_model(bench):
    import openai
    from pydantic import BaseModel, ConfigDict

    class Tool(BaseModel):
        model_config = ConfigDict(extra="allow")

    return _parse(bench, openai.pydantic_function_tool(Tool, name="tool"))


def stream(bench):
    client, service = _client(bench)

    def chunk(delta, finish=None):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {
            "id": "c",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [choice],
        }

    def tool(raw):
        bench.string(raw)  # UTF-8, or it cannot be put
        first, *others = bench.pieces(raw.decode())
        start = {"index": 0, "id": "t", "type": "function", "function": {"name": "tool", "arguments": first}}
        found = [chunk({"role": "assistant", "tool_calls": [start]})]
        for piece in others:
            found.append(chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}))
        service.lay(bench.canned.events([*found, chunk({}, "tool_calls")], named=False))
        with client.chat.completions.stream(**ASKED, tools=[STRICT]) as answers:
            for event in answers:
                if event.type == "tool_calls.function.arguments.delta":
                    bench.preview(event.parsed_arguments, "delta")
            final = answers.get_final_completion()
        bench.execute(final.choices[0].message.tool_calls[0].function.parsed_arguments)

    return bench.call(tool, *_uses())
