import { randomBytes } from "node:crypto";
import { ToolError } from "../contract/errors.ts";
import { shown } from "../contract/json.ts";
import type { Viewer } from "./access.ts";

const MAX_CHARS_HELD = 32_000_000;
const MAX_RESULTS = 200;

export type Page = {
	readonly text: string;
	readonly offset: number;
	readonly totalChars: number;
	readonly nextOffset?: number;
};

/** Keeps results that did not fit into an answer for a while, for read_result. */
export class ResultStore {
	readonly #results = new Map<string, { readonly text: string; readonly owner: string }>();
	#held = 0;

	/** Returns the handle; the oldest results make room. */
	keep(text: string, viewer: Viewer): string {
		const handle = `r_${randomBytes(9).toString("base64url")}`;
		this.#results.set(handle, { text, owner: viewer.id });
		this.#held += text.length;
		for (const [oldest, { text: dropped }] of this.#results) {
			if ((this.#held <= MAX_CHARS_HELD && this.#results.size <= MAX_RESULTS) || oldest === handle) break;
			this.#results.delete(oldest);
			this.#held -= dropped.length;
		}
		return handle;
	}

	read(handle: string, offset: number, maxChars: number, viewer: Viewer): Page {
		const result = this.#results.get(handle);
		if (result === undefined || result.owner !== viewer.id)
			throw new ToolError(
				"tool_not_found",
				`handle: expected one that a truncated result gave, got ${shown(handle)}; old results are dropped`,
			);
		const end = boundary(result.text, Math.min(result.text.length, offset + maxChars), offset);
		const page = { text: result.text.slice(offset, end), offset, totalChars: result.text.length };
		return end < result.text.length ? { ...page, nextOffset: end } : page;
	}
}

// A page ends between characters, never inside one.
function boundary(text: string, end: number, offset: number): number {
	const unit = text.charCodeAt(end - 1);
	return end < text.length && end - 1 > offset && unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
}
