import { type FrameEvent, parseRequestId, protocolError } from "libmcp/serve";
import { stringifyJson } from "../../json/stringifyJson.ts";
import { PAYLOAD_TOO_LARGE } from "../../results.ts";
import type { Refusal } from "./arrival.ts";
import { writeError, writeResult, writeResultLine, writeToolMembers } from "./lines.ts";
import { isPlainMethod } from "./plainFrame.ts";

/**
 * The refusal of a line over the size limit. The line was not read, so a plain request is refused without its id. A
 * client that speaks MCP would ignore that and wait, so its request is answered under the id that the ends of the line
 * show.
 */
export function refuseOversize(event: FrameEvent): Refusal {
	const ends = endsOf(event);
	const method = memberAtEnds(ends, METHOD)?.slice(1, -1);
	const id = parseRequestId(memberAtEnds(ends, ID) ?? "null");
	if (id === undefined || method === undefined || isPlainMethod(method)) return WITHOUT_ID;
	return {
		kind: "refusal",
		text: method === "tools/call" ? writeResultLine(id, TOOL_RESULT) : writeError(id, TOO_LARGE),
	};
}

type Ends = { readonly head: string; readonly tail: string };
type Patterns = { readonly first: RegExp; readonly last: RegExp };

const EDGE_BYTES = 1024;
const WITHOUT_ID: Refusal = { kind: "refusal", text: writeResult("null", PAYLOAD_TOO_LARGE) };
const TOO_LARGE = protocolError("FRAME_TOO_LARGE", "payload_too_large");
// The newest revision requires `resultType`, and the others allow it; which one the client speaks is unknown.
const TOOL_RESULT = `{${writeToolMembers(stringifyJson(PAYLOAD_TOO_LARGE), true)},"resultType":"complete"}`;

function endsOf(event: FrameEvent): Ends {
	switch (event.type) {
		case "oversize":
			return { head: event.head.toString(), tail: event.tail.toString() };
		case "frame":
			return {
				head: event.bytes.toString("utf8", 0, EDGE_BYTES),
				tail: event.bytes.toString("utf8", event.bytes.length - EDGE_BYTES),
			};
		case "residue":
			return { head: event.bytes.toString("utf8", 0, EDGE_BYTES), tail: "" };
		case "bad-header":
			return { head: "", tail: "" };
	}
}

const SCALAR = String.raw`"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null`;
const MEMBER = String.raw`"[^"\\]*"\s*:\s*(?:${SCALAR})\s*`;

const ID = patternsOf("id", SCALAR);
const METHOD = patternsOf("method", String.raw`"[^"\\]*"`);

/** The JSON text of a member that has only scalar members before it, or only scalar members after it. */
function memberAtEnds({ head, tail }: Ends, { first, last }: Patterns): string | undefined {
	return (first.exec(head) ?? last.exec(tail))?.[1];
}

function patternsOf(name: string, value: string): Patterns {
	const wanted = String.raw`"${name}"\s*:\s*(${value})\s*`;
	return {
		first: new RegExp(String.raw`^\s*\{\s*(?:${MEMBER},\s*)*?${wanted},`),
		last: new RegExp(String.raw`,\s*${wanted}(?:,\s*${MEMBER})*\}\s*$`),
	};
}
