"""A model on loopback for agents: it follows a script of steps, and keeps what it was asked."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def anthropic_events(body, steps):
    """Return the stream of one turn as the Messages API tells it."""
    contents = [one["content"] for one in body["messages"] if isinstance(one["content"], list)]
    done = sum(part.get("type") == "tool_result" for parts in contents for part in parts)
    step = steps[min(done, len(steps) - 1)] if body.get("tools") else {"text": "ok"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "content": [], "usage": usage}
    message |= {"model": body["model"], "stop_reason": None, "stop_sequence": None}
    if "text" in step:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": step["text"]}
    else:
        block = {"type": "tool_use", "id": f"toolu_{done}", "name": step["tool"], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step["input"])}
    reason = "end_turn" if "text" in step else "tool_use"
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]


def openai_events(body, steps):
    """Return the stream of one turn as the Responses API tells it."""
    done = sum(one.get("type", "").endswith("call_output") for one in body["input"])
    step = steps[min(done, len(steps) - 1)]
    if "text" in step:
        content = [{"type": "output_text", "text": step["text"]}]
        item = {"type": "message", "role": "assistant", "id": f"m{done}", "content": content}
    elif "patch" in step:
        item = {"type": "custom_tool_call", "call_id": f"c{done}", "name": "apply_patch"}
        item["input"] = step["patch"]
    else:
        item = {"type": "function_call", "call_id": f"c{done}", "namespace": step["namespace"]}
        item |= {"name": step["tool"], "arguments": json.dumps(step["input"])}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    usage |= {"input_tokens_details": None, "output_tokens_details": None}
    return [
        {"type": "response.created", "response": {"id": f"r{done}"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": f"r{done}", "usage": usage}},
    ]


@contextmanager
def model(events, steps):
    """Serve a script; yield the address and the list of what was asked so far."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            return

        def do_GET(self):
            self._reply(404, b"", "text/plain")

        def do_HEAD(self):
            self._reply(404, b"", "text/plain")

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
            asked.append(body)
            rows = events(body, steps)
            text = "".join(f"event: {row['type']}\ndata: {json.dumps(row)}\n\n" for row in rows)
            self._reply(200, text.encode(), "text/event-stream")

        def _reply(self, status, data, kind):
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
