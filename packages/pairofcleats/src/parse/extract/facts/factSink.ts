import type { DraftFacts } from "../../chunk.ts";

export type ListField =
	| "imports"
	| "calls"
	| "uses"
	| "throws"
	| "awaits"
	| "reads"
	| "writes"
	| "mutates"
	| "aliases"
	| "inferredTypes";
/**
 * `members`, the words after dots, are uses, and the risk rules need them apart. `decorators`, of the next definition,
 * and `meanings`, what imported names stand for, are kept only while a file is read, for the risk rules.
 */
export type SinkField = ListField | "members" | "decorators" | "meanings";

export type CountField = "branches" | "loops" | "breaks" | "continues";

/** Longest list and longest entry kept per chunk, so that hostile text cannot bloat the facts. */
const MAX_ENTRIES = 400;
export const MAX_NAME = 160;

const NONE: readonly string[] = Object.freeze([]);
const EMPTY: ReadonlySet<string> = new Set();

/** Collects the facts of one chunk's nodes, in order of first occurrence. */
export class FactSink {
	readonly #lists = new Map<SinkField, Set<string>>();
	readonly #counts = { branches: 0, loops: 0, breaks: 0, continues: 0 };
	returns = false;
	yields = false;
	/** Whether the body awaits, in languages whose functions have no `async` keyword. */
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

	/** Like `list`, without a copy. */
	values(field: SinkField): ReadonlySet<string> {
		return this.#lists.get(field) ?? EMPTY;
	}

	/** A member that is called is among the calls. */
	#uses(): readonly string[] {
		const members = this.values("members");
		if (members.size === 0) return this.list("uses");
		const uses = new Set(this.values("uses"));
		const calls = this.values("calls");
		for (const name of members) if (uses.size < MAX_ENTRIES && !calls.has(name)) uses.add(name);
		return [...uses];
	}

	/**
	 * Adds the fields that this language fills; the others stay absent. Fields are set by literal name, because V8 makes
	 * an object with more than a dozen computed names a dictionary, which is larger and half as fast to serialise.
	 */
	addTo(facts: DraftFacts, filled: ReadonlySet<string>): void {
		if (filled.has("imports")) facts.imports = this.list("imports");
		if (filled.has("calls")) facts.calls = this.list("calls");
		if (filled.has("uses")) facts.uses = this.#uses();
		if (filled.has("throws")) facts.throws = this.list("throws");
		if (filled.has("awaits")) facts.awaits = this.list("awaits");
		if (filled.has("reads")) facts.reads = this.list("reads");
		if (filled.has("writes")) facts.writes = this.list("writes");
		if (filled.has("mutates")) facts.mutates = this.list("mutates");
		if (filled.has("aliases")) facts.aliases = this.list("aliases");
		if (filled.has("inferredTypes")) facts.inferredTypes = this.list("inferredTypes");
		if (filled.has("branches")) facts.branches = this.#counts.branches;
		if (filled.has("loops")) facts.loops = this.#counts.loops;
		if (filled.has("breaks")) facts.breaks = this.#counts.breaks;
		if (filled.has("continues")) facts.continues = this.#counts.continues;
	}
}
