import type { Buffer } from "node:buffer";
import type { Fault } from "../../fault/fault.ts";
import { FaultError } from "../../fault/faultError.ts";
import { faultOf } from "../../fault/faultTable.ts";
import { PROTOCOL_ERRORS } from "../../server/rpcErrors.ts";
import type { ErrorResponseEnvelope } from "../../wire/envelope.ts";
import { memberSpan } from "../../wire/memberSpan.ts";
import { readSpan } from "../../wire/readSpan.ts";
import type { Session } from "../session/session.ts";
import type { Worker } from "../worker/worker.ts";
import { nextCursor } from "./nextCursor.ts";

const MAX_PAGES = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Millions of empty items fit into few bytes, and every item is compared and searched while all calls wait. */
const MAX_ITEMS = 200_000;

/** How much of a server's own message is shown in a fault. */
const MOST_SHOWN = 200;

/** `refused`: the server answered with an error, so more items may exist than were read. */
export type ReadList = { readonly items: readonly unknown[]; readonly refused: Fault | undefined };

/** Reads one of a worker's lists, over all pages; a server without this method has an empty list. */
export async function readList(
	worker: Worker,
	session: Session,
	method: string,
	member: string,
	until: number,
): Promise<ReadList> {
	let items: unknown[] = [];
	let cursor: string | undefined;
	let bytes = 0;
	for (let page = 0; page < MAX_PAGES; page++) {
		const params = session.claiming(cursor === undefined ? {} : { cursor });
		const { frame, envelope } = await worker.askMethod(method, params, Math.max(1, until - performance.now()));
		if (envelope.kind === "error-response") {
			const isMissing = page === 0 && readSpan(frame, envelope.error.code) === PROTOCOL_ERRORS.METHOD_NOT_FOUND;
			return { items, refused: isMissing ? undefined : refusal(worker, method, frame, envelope) };
		}
		bytes += frame.length;
		if (bytes > MAX_BYTES) throw badList(worker, `${method}: more than ${MAX_BYTES} bytes`);
		const list = memberSpan(frame, envelope.result, [member]);
		const values = "found" in list ? readSpan(frame, list.found) : undefined;
		if (!Array.isArray(values)) throw badList(worker, `${method}: expected a list in ${member}`);
		if (items.length + values.length > MAX_ITEMS) throw badList(worker, `${method}: more than ${MAX_ITEMS} items`);
		items = [...items, ...values];
		const next = nextCursor(frame, envelope);
		// A repeated cursor means that the server ignores the cursor, so stop here.
		if (next === undefined || next === cursor) return { items, refused: undefined };
		cursor = next;
	}
	throw badList(worker, `${method}: more than ${MAX_PAGES} pages`);
}

function refusal(worker: Worker, method: string, frame: Buffer, { error }: ErrorResponseEnvelope): Fault {
	const why = readSpan(frame, error.message);
	const because = typeof why === "string" ? `: ${why.slice(0, MOST_SHOWN)}` : "";
	return faultOf("bad_catalogue", { detail: `${method} was refused${because}`, generation: worker.generation });
}

function badList(worker: Worker, detail: string): FaultError {
	return new FaultError(faultOf("bad_catalogue", { detail, generation: worker.generation }));
}
