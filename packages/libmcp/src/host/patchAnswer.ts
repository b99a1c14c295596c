import type { Buffer } from "node:buffer";
import type { ResponseEnvelope, Span } from "../wire/envelope.ts";
import { memberSpan } from "../wire/memberSpan.ts";
import type { SpanEdit } from "../wire/spliceId.ts";
import { nextCursor } from "./nextCursor.ts";
import { OPS_TOOLS } from "./opsTools.ts";
import { readSpan, spanText } from "./readSpan.ts";
import { rewrite } from "./rewrite.ts";

/**
 * Declares `listChanged`, which the host can always deliver: clients ignore the notification unless it was declared.
 * The rest of the answer stays the same, byte for byte.
 */
export function promiseListChanges(frame: Buffer, envelope: ResponseEnvelope, opsTools: boolean): Buffer {
	const capabilities = memberSpan(frame, envelope.result, ["capabilities"]);
	if (!("found" in capabilities) || frame[capabilities.found.start] !== OPEN_BRACE) return frame;
	const edits: SpanEdit[] = [];
	for (const kind of ["tools", "resources", "prompts"]) {
		const span = memberSpan(frame, capabilities.found, [kind]);
		if (!("found" in span)) continue;
		const value = readSpan(frame, span.found);
		if (typeof value !== "object" || value === null) continue;
		edits.push({ span: span.found, text: JSON.stringify({ ...value, listChanged: true }) });
	}
	const hasTools = "found" in memberSpan(frame, capabilities.found, ["tools"]);
	if (opsTools && !hasTools) edits.push(firstMember(frame, capabilities.found, '"tools":{"listChanged":true}'));
	return rewrite(frame, edits);
}

/** Adds the host's own tools at the end of the last page. */
export function addOpsTools(frame: Buffer, envelope: ResponseEnvelope): Buffer {
	const tools = memberSpan(frame, envelope.result, ["tools"]);
	if (
		nextCursor(frame, envelope) !== undefined ||
		!("found" in tools) ||
		frame[tools.found.start] !== OPEN_BRACKET ||
		OPS_TOOLS.some((tool) => frame.includes(`"${tool.name}"`))
	)
		return frame;
	const end = tools.found.end - 1;
	const empty = spanText(frame, { start: tools.found.start + 1, end: end }).trim() === "";
	const text = `${empty ? "" : ","}${OPS_TOOLS.map((tool) => JSON.stringify(tool)).join(",")}`;
	return rewrite(frame, [{ span: { start: end, end }, text }]);
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

function firstMember(frame: Buffer, object: Span, member: string): SpanEdit {
	const empty = spanText(frame, { start: object.start + 1, end: object.end - 1 }).trim() === "";
	const at = object.start + 1;
	return { span: { start: at, end: at }, text: empty ? member : `${member},` };
}
