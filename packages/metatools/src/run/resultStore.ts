import { randomBytes } from "node:crypto";
import { ToolError } from "../contract/errors.ts";
import { countChars, type JsonObject, showValue } from "../contract/json.ts";
import type { Viewer } from "./access.ts";

const MAX_CHARS_HELD = 32_000_000;
const MAX_RESULTS = 200;

export type Page = {
	readonly text: string;
	readonly offset: number;
	readonly totalChars: number;
	readonly nextOffset?: number;
};

/** What a handle stands for. */
export type Readable = { readonly text: string; readonly media?: readonly JsonObject[] };

type Held = { readonly owner: Owner; readonly result: Readable; readonly chars: number; readonly load?: Load };
type Owner = Pick<Viewer, "id" | "session">;
type Load = (signal: AbortSignal) => Promise<Readable>;

/** Keeps, for read_result, results that did not fit into an answer, and links to resources not read yet. */
export class ResultStore {
	readonly #results = new Map<string, Held>();
	#held = 0;

	/** Keeps a text and returns its handle. If space is short, drops the oldest results of the caller who has most. */
	keep(text: string, viewer: Viewer): string {
		return this.#add({ owner: viewer, result: { text }, chars: text.length });
	}

	/** Like `keep`, for something that is loaded at the first reading. */
	keepUnread(load: Load, viewer: Viewer): string {
		return this.#add({ owner: viewer, result: { text: "" }, chars: 0, load });
	}

	/** Returns a result, loading it first if needed; a failed load may be repeated. */
	async open(handle: string, viewer: Viewer, signal: AbortSignal): Promise<Readable> {
		const { load, result, owner } = this.#of(handle, viewer);
		if (load === undefined) return result;
		const loaded = await load(signal);
		// Store it only if the handle was not dropped meanwhile.
		if (this.#drop(handle)) this.#put(handle, { owner, result: loaded, chars: charsOf(loaded) });
		return loaded;
	}

	#of(handle: string, viewer: Viewer): Held {
		const held = this.#results.get(handle);
		if (held === undefined || held.owner.id !== viewer.id)
			throw new ToolError(
				"tool_not_found",
				`handle: expected one that an answer gave, got ${showValue(handle)}; old results are dropped`,
			);
		return held;
	}

	#add(held: Held): string {
		const handle = `r_${randomBytes(9).toString("base64url")}`;
		this.#put(handle, held);
		return handle;
	}

	#put(handle: string, held: Held): void {
		this.#results.set(handle, held);
		this.#held += held.chars;
		this.#makeRoom(handle);
	}

	#drop(handle: string): boolean {
		this.#held -= this.#results.get(handle)?.chars ?? 0;
		return this.#results.delete(handle);
	}

	#makeRoom(newest: string): void {
		for (;;) {
			const isCrowded = this.#results.size > MAX_RESULTS;
			if (!isCrowded && this.#held <= MAX_CHARS_HELD) return;
			// Dropping an entry that is not loaded yet frees no characters.
			const weigh = isCrowded ? () => 1 : ([, { chars }]: Entry) => chars;
			const theirs = heaviest([...this.#results], ([, { owner }]) => owner.id, weigh);
			const ofSession = heaviest(theirs, ([, { owner }]) => owner.session, weigh);
			const oldest = ofSession.find((entry) => entry[0] !== newest && weigh(entry) > 0);
			// The newest result alone may exceed the limit; then nothing more can be dropped.
			if (oldest === undefined) return;
			this.#drop(oldest[0]);
		}
	}
}

type Entry = readonly [handle: string, held: Held];

/** The group with the greatest weight; the first of equals. */
function heaviest(
	entries: readonly Entry[],
	groupOf: (entry: Entry) => string | undefined,
	weigh: (entry: Entry) => number,
): readonly Entry[] {
	const weightOf = (group: readonly Entry[]): number => group.reduce((sum, entry) => sum + weigh(entry), 0);
	const groups = [...Map.groupBy(entries, groupOf).values()];
	return groups.reduce((most, group) => (weightOf(group) > weightOf(most) ? group : most), []);
}

function charsOf({ text, media = [] }: Readable): number {
	return text.length + countChars(media);
}

export function pageOf(text: string, offset: number, maxChars: number): Page {
	const end = boundary(text, Math.min(text.length, offset + maxChars), offset);
	const page = { text: text.slice(offset, end), offset, totalChars: text.length };
	return end < text.length ? { ...page, nextOffset: end } : page;
}

// A page ends between characters, never inside one.
function boundary(text: string, end: number, offset: number): number {
	const unit = text.charCodeAt(end - 1);
	return end < text.length && end - 1 > offset && unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
}
