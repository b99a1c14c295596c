import type { Buffer } from "node:buffer";
import { fitTool } from "../../server/protocol/fitResult.ts";
import { applyEdits, type SpanEdit } from "../../wire/encodeFrame.ts";
import type { ResponseEnvelope, Span } from "../../wire/envelope.ts";
import { findMember, readSpan, readSpanText } from "../../wire/members.ts";
import { readList, readNextCursor } from "../lists/catalogue.ts";
import { OPS_TOOLS } from "../report/opsTools.ts";
import type { Session } from "../session/session.ts";
import type { Roster } from "../state/roster.ts";
import type { Call } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";

/**
 * Declares `listChanged` in the server's answer. The host can always deliver it, and clients ignore undeclared
 * notifications. All other bytes stay the same.
 */
export function promiseListChanges(frame: Buffer, envelope: ResponseEnvelope, opsTools: boolean): Buffer {
	const capabilities = findMember(frame, envelope.result, ["capabilities"]);
	if (!("found" in capabilities) || frame[capabilities.found.start] !== OPEN_BRACE) return frame;
	const edits: SpanEdit[] = [];
	for (const kind of ["tools", "resources", "prompts"]) {
		const span = findMember(frame, capabilities.found, [kind]);
		if (!("found" in span)) continue;
		const value = readSpan(frame, span.found);
		if (typeof value !== "object" || value === null) continue;
		edits.push({ span: span.found, text: JSON.stringify({ ...value, listChanged: true }) });
	}
	const hasTools = "found" in findMember(frame, capabilities.found, ["tools"]);
	if (opsTools && !hasTools) edits.push(firstMember(frame, capabilities.found, '"tools":{"listChanged":true}'));
	return applyEdits(frame, edits);
}

/** Adds the host's own tools to the last page of the list. */
export function addOpsTools(frame: Buffer, envelope: ResponseEnvelope, revision: string): Buffer {
	if (readNextCursor(frame, envelope) !== undefined) return frame;
	if (OPS_TOOLS.some((tool) => frame.includes(`"${tool.name}"`))) return frame;
	const tools = OPS_TOOLS.map((tool) => fitTool({ ...tool }, revision));
	return addItems(frame, envelope, "tools", tools);
}

/** Appends items to a list in the result, if the result has that list. */
export function addItems(frame: Buffer, envelope: ResponseEnvelope, list: string, items: readonly unknown[]): Buffer {
	const span = findMember(frame, envelope.result, [list]);
	if (items.length === 0 || !("found" in span) || frame[span.found.start] !== OPEN_BRACKET) return frame;
	const end = span.found.end - 1;
	const empty = readSpanText(frame, { start: span.found.start + 1, end }).trim() === "";
	const text = `${empty ? "" : ","}${items.map((item) => JSON.stringify(item)).join(",")}`;
	return applyEdits(frame, [{ span: { start: end, end }, text }]);
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

function firstMember(frame: Buffer, object: Span, member: string): SpanEdit {
	const empty = readSpanText(frame, { start: object.start + 1, end: object.end - 1 }).trim() === "";
	const at = object.start + 1;
	return { span: { start: at, end: at }, text: empty ? member : `${member},` };
}

const TIMEOUT_MS = 2_000;

/** The other workers whose tasks must be added to the answer of this `tasks/list`. Only its first page gets them. */
export function findOtherKeepers(
	{ roster }: { readonly roster: Pick<Roster, "workers"> },
	{ method, frame, envelope }: Call,
	worker: Worker,
): Worker[] {
	if (method !== "tasks/list") return [];
	const { params } = envelope;
	if (params !== undefined && "found" in findMember(frame, params, ["cursor"])) return [];
	return [...roster.workers].filter((other) => other !== worker && !other.over && other.tasks.size > 0);
}

/** Adds the tasks of other workers to an answer; a worker that does not answer in time is left out. */
export async function addTasksOf(
	keepers: readonly Worker[],
	{ session }: { readonly session: Session },
	frame: Buffer,
	envelope: ResponseEnvelope,
): Promise<Buffer> {
	const until = performance.now() + TIMEOUT_MS;
	const lists = keepers.map((keeper) =>
		readList(keeper, session, "tasks/list", "tasks", until).then(
			({ items }) => items,
			() => [],
		),
	);
	return addItems(frame, envelope, "tasks", (await Promise.all(lists)).flat());
}
