import type { DraftFacts } from "../chunk.ts";

export const LIST_FIELDS = [
	"imports",
	"calls",
	"uses",
	"throws",
	"awaits",
	"reads",
	"writes",
	"mutates",
	"aliases",
	"inferredTypes",
] as const;
/** Kept while a file is read only: the words behind dots, which tell where risk is worth a look. */
export type SinkField = ListField | "members";
export type ListField = (typeof LIST_FIELDS)[number];

export const COUNT_FIELDS = ["branches", "loops", "breaks", "continues"] as const;
export type CountField = (typeof COUNT_FIELDS)[number];

/** Longest list and longest entry kept per chunk: hostile text must not make hostile facts. */
const MAX_ENTRIES = 400;
export const MAX_NAME = 160;

const NONE: readonly string[] = Object.freeze([]);
const EMPTY: ReadonlySet<string> = new Set();

/** Collects what the nodes of one chunk show; order is the order of first sight. */
export class FactSink {
	readonly #lists = new Map<SinkField, Set<string>>();
	readonly #counts = { branches: 0, loops: 0, breaks: 0, continues: 0 };
	returns = false;
	yields = false;
	/** It waits, where no word in its head says so. */
	suspends = false;

	add(field: SinkField, value: string): void {
		if (value === "" || value.length > MAX_NAME) return;
		const list = this.#lists.get(field);
		if (!list) this.#lists.set(field, new Set([value]));
		else if (list.size < MAX_ENTRIES) list.add(value);
	}

	count(field: CountField): void {
		this.#counts[field] += 1;
	}

	list(field: SinkField): readonly string[] {
		const list = this.#lists.get(field);
		return list ? [...list] : NONE;
	}

	/** The same without a copy. */
	values(field: SinkField): ReadonlySet<string> {
		return this.#lists.get(field) ?? EMPTY;
	}

	/** Adds the facts of the fields this language fills; those it cannot fill stay absent. */
	addTo(facts: DraftFacts, filled: ReadonlySet<string>): void {
		for (const field of LIST_FIELDS) if (filled.has(field)) facts[field] = this.list(field);
		for (const field of COUNT_FIELDS) if (filled.has(field)) facts[field] = this.#counts[field];
	}
}
