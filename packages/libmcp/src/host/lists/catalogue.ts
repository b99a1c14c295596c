import type { Buffer } from "node:buffer";
import { type Fault, FaultError } from "../../fault/fault.ts";
import { makeFault } from "../../fault/faultTable.ts";
import { PROTOCOL_ERRORS } from "../../server/protocol/rpcErrors.ts";
import type { ErrorResponseEnvelope, ResponseEnvelope } from "../../wire/envelope.ts";
import { findMember, readSpan } from "../../wire/members.ts";
import type { Session } from "../session/session.ts";
import type { Worker } from "../worker/worker.ts";

export type CatalogueKind = "tools" | "resources" | "prompts";

/**
 * Everything a worker offers, over all pages: the tools, from which contracts are read, and a fingerprint of each list.
 */
export type Catalogue = {
	readonly tools: readonly unknown[];
	readonly fingerprints: Readonly<Record<CatalogueKind, string>>;
	/** Why the worker did not give a list, or only some of its pages. */
	readonly refused?: Readonly<Partial<Record<CatalogueKind, Fault>>>;
};

const LISTS: readonly { readonly kind: CatalogueKind; readonly method: string; readonly member: string }[] = [
	{ kind: "tools", method: "tools/list", member: "tools" },
	{ kind: "resources", method: "resources/list", member: "resources" },
	{ kind: "resources", method: "resources/templates/list", member: "resourceTemplates" },
	{ kind: "prompts", method: "prompts/list", member: "prompts" },
];

/** Asks only for lists that the session's capabilities promise. */
export async function readCatalogue(worker: Worker, session: Session, timeoutMs: number): Promise<Catalogue> {
	const until = performance.now() + timeoutMs;
	const found: Record<CatalogueKind, unknown[]> = { tools: [], resources: [], prompts: [] };
	const refused: Partial<Record<CatalogueKind, Fault>> = {};
	for (const { kind, method, member } of LISTS) {
		if (session.negotiated !== undefined && !Object.hasOwn(session.negotiated.capabilities, kind)) continue;
		const list = await readList(worker, session, method, member, until);
		found[kind] = [...found[kind], ...list.items];
		if (list.refused !== undefined) refused[kind] ??= list.refused;
	}
	return {
		tools: found.tools,
		fingerprints: {
			tools: await fingerprint(found.tools),
			resources: await fingerprint(found.resources),
			prompts: await fingerprint(found.prompts),
		},
		refused,
	};
}

const KINDS: readonly CatalogueKind[] = ["tools", "resources", "prompts"];

/** The kinds of list that differ between the two. */
export function findChangedLists(before: Catalogue, after: Catalogue): CatalogueKind[] {
	return KINDS.filter((kind) => before.fingerprints[kind] !== after.fingerprints[kind]);
}

/** The first refusal of a list that was not refused before. */
export function findNewRefusal(before: Catalogue | undefined, after: Catalogue): Fault | undefined {
	const kind = KINDS.find((one) => after.refused?.[one] !== undefined && before?.refused?.[one] === undefined);
	return kind && after.refused?.[kind];
}

/** Independent of the order of items and members. */
async function fingerprint(items: readonly unknown[]): Promise<string> {
	// Loaded here because no call waits for the first catalogue.
	const { createHash } = await import("node:crypto");
	const texts = items.map((item) => JSON.stringify(sortedMembers(item))).sort();
	return createHash("sha256").update(texts.join("\n")).digest("hex");
}

function sortedMembers(value: unknown): unknown {
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map(sortedMembers);
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(members.map(([name, member]) => [name, sortedMembers(member)]));
}

const MAX_PAGES = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Millions of empty items fit into few bytes, and every item is compared and searched while all calls wait. */
const MAX_ITEMS = 200_000;

/** How much of a server's own message is shown in a fault. */
const MOST_SHOWN = 200;

/** `refused`: the server answered with an error, so more items may exist than were read. */
type ReadList = { readonly items: readonly unknown[]; readonly refused: Fault | undefined };

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
		const list = findMember(frame, envelope.result, [member]);
		const values = "found" in list ? readSpan(frame, list.found) : undefined;
		if (!Array.isArray(values)) throw badList(worker, `${method}: expected a list in ${member}`);
		if (items.length + values.length > MAX_ITEMS) throw badList(worker, `${method}: more than ${MAX_ITEMS} items`);
		items = [...items, ...values];
		const next = readNextCursor(frame, envelope);
		// A repeated cursor means that the server ignores the cursor, so stop here.
		if (next === undefined || next === cursor) return { items, refused: undefined };
		cursor = next;
	}
	throw badList(worker, `${method}: more than ${MAX_PAGES} pages`);
}

function refusal(worker: Worker, method: string, frame: Buffer, { error }: ErrorResponseEnvelope): Fault {
	const why = readSpan(frame, error.message);
	const because = typeof why === "string" ? `: ${why.slice(0, MOST_SHOWN)}` : "";
	return makeFault("bad_catalogue", { detail: `${method} was refused${because}`, generation: worker.generation });
}

function badList(worker: Worker, detail: string): FaultError {
	return new FaultError(makeFault("bad_catalogue", { detail, generation: worker.generation }));
}

/** The cursor of the next page; undefined on the last page, which some servers mark with an empty cursor. */
export function readNextCursor(frame: Buffer, { result }: ResponseEnvelope): string | undefined {
	const span = findMember(frame, result, ["nextCursor"]);
	const cursor = "found" in span ? readSpan(frame, span.found) : undefined;
	return typeof cursor === "string" && cursor !== "" ? cursor : undefined;
}
