import type { Fault } from "../../fault/fault.ts";
import type { Session } from "../session/session.ts";
import type { Worker } from "../worker/worker.ts";
import { readList } from "./readList.ts";

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
export function changedLists(before: Catalogue, after: Catalogue): CatalogueKind[] {
	return KINDS.filter((kind) => before.fingerprints[kind] !== after.fingerprints[kind]);
}

/** The first refusal of a list that was not refused before. */
export function newRefusal(before: Catalogue | undefined, after: Catalogue): Fault | undefined {
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
