"""The server over the SDK: lists what is offered, calls tools in threads, and says when an answer is partial."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError

from recollect.errors import BusyError, RecollectError
from recollect.mcp import offered
from recollect.served import Served, said

PATIENCE = 4.0
"""Seconds that a call waits for the first files to be indexed, before it asks for what there is."""
TELLING = 0.5
"""Seconds between two notes of progress."""
PARTIAL = "{said} This answer comes from what is there so far."
NOTHING_YET = "{said} Nothing can be answered yet: use grep for now, and ask again in a few seconds."
JSON = "application/json"

log = logging.getLogger("recollect.mcp")
Context = ServerRequestContext[Any, Any]


class Desk:
    """Answers the requests of one or more clients about one project."""

    def __init__(self, served: Served, patience: float = PATIENCE) -> None:
        self.served = served
        self.patience = patience
        self._given: Any = None

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """List the tools."""
        return types.ListToolsResult(tools=[types.Tool.model_validate(row) for row in offered.tool_rows()])

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Call a tool; every failure is a sentence that the agent reads."""
        self.served.start()
        try:
            values = offered.checked(params.name, params.arguments or {})
            await self._wait(ctx)
            if not self.served.answerable:
                return _result(NOTHING_YET.format(said=said(self.served.progress)), partial=True)
            return await anyio.to_thread.run_sync(self._answer, params.name, values, abandon_on_cancel=True)
        except BusyError as error:
            seen = said(self.served.progress)
            return _result(
                str(error) if self.served.finished else NOTHING_YET.format(said=seen), partial=True
            )
        except RecollectError as error:
            return _result(str(error), failed=True)
        except Exception as error:  # the process edge: the agent gets a sentence, the log the trace
            log.exception("tool %s failed", params.name)
            return _result(
                f"Internal error, please report it ({type(error).__name__}: {error}).", failed=True
            )

    async def list_resources(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """List what can be read."""
        return types.ListResourcesResult(
            resources=[types.Resource.model_validate(row) for row in offered.resource_rows()]
        )

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """List no templates: clients ask for them wherever there are resources."""
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(
        self, _: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Read the status or the profiles."""
        uri = str(params.uri)
        known = [row["uri"] for row in offered.resource_rows()]
        if uri not in known:
            raise _refusal(f"There is no resource '{uri}'. Resources: {', '.join(known)}.")
        self.served.start()
        try:
            text = await anyio.to_thread.run_sync(self._read, uri, abandon_on_cancel=True)
        except RecollectError as error:
            raise _refusal(str(error)) from error
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type=JSON, text=text)]
        )

    async def list_prompts(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """List the prompts."""
        return types.ListPromptsResult(
            prompts=[types.Prompt.model_validate(row) for row in offered.prompt_rows()]
        )

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Return a prompt with its arguments filled in."""
        rows = {row["name"]: row for row in offered.offered()["prompts"]}
        if params.name not in rows:
            raise _refusal(f"There is no prompt '{params.name}'. Prompts: {', '.join(rows)}.")
        row = rows[params.name]
        text = row["text"]
        for key in row["arguments"]:
            text = text.replace(f"{{{key}}}", (params.arguments or {}).get(key) or "(not said)")
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=row["description"], messages=[message])

    async def _wait(self, ctx: Context) -> None:
        """Wait for something to answer from, telling the client how far the index has come."""
        deadline = anyio.current_time() + self.patience
        told = None
        while not self.served.answerable and anyio.current_time() < deadline:
            seen = self.served.progress
            # The protocol wants each note to be further than the one before.
            if seen is not None and (told is None or seen.done > told):
                told = seen.done
                await ctx.session.report_progress(seen.done, seen.total or None, said(seen))
            await anyio.to_thread.run_sync(self.served.wait, TELLING, abandon_on_cancel=True)

    def _answer(self, name: str, values: Mapping[str, Any]) -> types.CallToolResult:
        from recollect.mcp.answers import TOOLS, Given, with_room

        if self._given is None:
            self._given = Given()
        partial = not self.served.finished
        project = self.served.project()
        note = f"\n\n({PARTIAL.format(said=said(self.served.progress))})" if partial else ""
        answer = TOOLS[name](project, with_room(values, note), self._given)
        self._given.note(answer)
        if answer.query_id:
            # The hooks of the same agent are other processes, and learn from what was shown here.
            project.settle()
        found = answer.to_dict()
        if partial:
            found["text"] += note
            found["partial"] = True
        return _result(**found)

    def _read(self, uri: str) -> str:
        self.served.wait(self.patience)
        project = self.served.project()
        found: Any = project.status().to_dict() if uri.endswith("status") else project.profiles()
        return json.dumps(found, ensure_ascii=False)


def build(served: Served, patience: float = PATIENCE) -> Server[Any]:
    """Return a server for a project; nothing is opened before the first request after the handshake."""
    desk = Desk(served, patience)
    server: Server[Any] = Server(
        "recollect",
        version=version("recollect"),
        title="recollect",
        instructions=offered.instructions(),
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        on_list_resources=desk.list_resources,
        on_list_resource_templates=desk.list_templates,
        on_read_resource=desk.read_resource,
        on_list_prompts=desk.list_prompts,
        on_get_prompt=desk.get_prompt,
    )

    async def greeted(_: Context, __: types.NotificationParams) -> None:
        served.start()

    server.add_notification_handler("notifications/initialized", types.NotificationParams, greeted)
    return server


def _result(text: str, partial: bool = False, failed: bool = False, **more: Any) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content={"text": text, "partial": partial, **more},
        is_error=failed,
    )


def _refusal(sentence: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, sentence)
