"""langchain-core: the arguments of a tool call in a message, in one that came in pieces, in a ToolNode."""


def _uses():
    from langchain_core.utils import json
    from pydantic import main

    return ("langchain-core", json), ("pydantic", main)


def _message(text):
    from langchain_core.messages import AIMessage

    call = {"id": "t", "type": "function", "function": {"name": "tool", "arguments": text}}
    return AIMessage(content="", additional_kwargs={"tool_calls": [call]})


def _chunks(bench, text):
    from langchain_core.messages import AIMessageChunk

    whole = None
    for number, piece in enumerate(bench.pieces(text)):
        first = {"name": "tool", "id": "t"} if number == 0 else {"name": None, "id": None}
        call = {**first, "args": piece, "index": 0, "type": "tool_call_chunk"}
        chunk = AIMessageChunk(content="", tool_call_chunks=[call])
        whole = chunk if whole is None else whole + chunk
        for each in whole.tool_calls:
            bench.preview(each["args"], "chunk")
    return whole


def _execute(bench, message):
    """What an agent does with a message: it runs the calls, and has a list of those that are none."""
    for each in message.tool_calls:
        bench.execute(each["args"])
    if message.invalid_tool_calls:
        bench.desk.case().end("rejected", "invalid_tool_calls")


def message(bench):
    return bench.call(lambda raw: _execute(bench, _message(_text(bench, raw))), *_uses())


def chunk(bench):
    return bench.call(lambda raw: _execute(bench, _chunks(bench, _text(bench, raw))), *_uses())


def _text(bench, raw):
    bench.string(raw)  # UTF-8, or it cannot be put
    return raw.decode()


def tool_node(bench):
    from typing import Any

    from langchain_core.tools import tool
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode, tool_node

    @tool("tool")
    def sink(value: Any) -> str:
        """A tool."""
        bench.execute(value)
        return "ran"

    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([sink]))
    graph.add_edge(START, "tools")
    graph = graph.compile()

    def run(raw):
        message = _message('{"value":%s}' % bench.value(_text(bench, raw).encode()).decode())
        if message.invalid_tool_calls:
            return bench.desk.case().end("rejected", "invalid_tool_calls")
        said = graph.invoke({"messages": [message]})["messages"][-1]
        if getattr(said, "status", "") == "error":
            bench.desk.case().end("rejected", "tool error")
        return None

    return bench.call(run, ("langgraph", tool_node), *_uses())
