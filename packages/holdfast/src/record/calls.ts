import { isObject, maskFormats } from "metatools";

export type CallEntry = {
	readonly id: number;
	readonly toolId: string;
	readonly server: string;
	readonly at: number;
	readonly args: unknown;
	readonly outcome: "running" | "ok" | "error" | "cancelled";
	readonly durationMs?: number;
	readonly result?: unknown;
	readonly error?: CallError;
};

/** A tool's error; the longest ones have lost members. */
export type CallError = {
	readonly code?: string;
	readonly message?: string;
	readonly [member: string]: unknown;
};

export type CallEnd = Pick<CallEntry, "outcome"> & { readonly result?: unknown; readonly error?: CallError };

const MAX_CALLS = 200;

/** The latest calls with arguments and results, in memory only, with likely secrets masked. */
export class Calls {
	#entries: CallEntry[] = [];
	#nextId = 1;

	/** Newest first. */
	get latest(): readonly CallEntry[] {
		return this.#entries.toReversed();
	}

	get(id: number): CallEntry | undefined {
		return this.#entries.find((entry) => entry.id === id);
	}

	began(toolId: string, server: string, args: unknown): CallEntry {
		const entry = { id: this.#nextId++, toolId, server, at: Date.now(), args: kept(args), outcome: "running" } as const;
		this.#entries.push(entry);
		if (this.#entries.length > MAX_CALLS) this.#entries.shift();
		return entry;
	}

	ended(began: CallEntry, durationMs: number, { outcome, result, error }: CallEnd): CallEntry {
		const entry = {
			...began,
			outcome,
			durationMs,
			...(result !== undefined && { result: kept(result) }),
			...(error !== undefined && { error: keptError(error) }),
		};
		const place = this.#entries.findIndex(({ id }) => id === began.id);
		if (place !== -1) this.#entries[place] = entry;
		return entry;
	}

	/** The newest running call of this tool. */
	running(toolId: string): CallEntry | undefined {
		return this.#entries.findLast((entry) => entry.outcome === "running" && entry.toolId === toolId);
	}
}

/** Masking and cutting leave texts texts, and drop whole members. */
function keptError(error: CallError): CallError {
	return kept(error) as CallError;
}

function kept(value: unknown): unknown {
	const masked = maskSecrets(value);
	const text = JSON.stringify(masked ?? null);
	return text.length <= MOST_SHOWN ? masked : cutTexts(masked, MOST_SHOWN);
}

/** Shortens a value's texts and lists to about `most` characters in total, so that its shape stays readable. */
function cutTexts(value: unknown, most: number): unknown {
	let left = most;
	return cut(value);

	function cut(part: unknown): unknown {
		if (typeof part === "string") return text(part);
		if (typeof part !== "object" || part === null) {
			left -= String(part).length;
			return part;
		}
		if (Array.isArray(part)) {
			const kept = whileRoom(part, cut);
			return kept.length === part.length ? kept : [...kept, `… ${part.length - kept.length} more`];
		}
		const members = Object.entries(part);
		const kept = whileRoom(members, ([name, member]) => {
			left -= name.length;
			return [name, cut(member)] as const;
		});
		const rest = members.length - kept.length;
		return Object.fromEntries(rest === 0 ? kept : [...kept, ["…", `${rest} more`]]);
	}

	function text(whole: string): string {
		const shown = whole.slice(0, Math.max(0, left)).toWellFormed();
		left -= whole.length;
		return shown.length === whole.length
			? whole
			: `${shown}… ${(whole.length - shown.length).toLocaleString("en")} characters more`;
	}

	function whileRoom<T, R>(all: readonly T[], change: (one: T) => R): R[] {
		const kept: R[] = [];
		for (const one of all) {
			if (left <= 0) break;
			kept.push(change(one));
		}
		return kept;
	}
}

const MASK = "••••";
/** Names of members to mask; names like `author`, `passage` and `tokenizer` must not match. */
const SECRET_KEY =
	/pass(?:word|phrase|wd|code|$)|secret(?!ar)|token(?!i[sz])|(?:api|access)[-_]?key|auth(?!or(?!i[sz]))|credential|cookie|session[-_]?id|private[-_]?key|bearer/i;
/** As variables are named; a `primary_key` is none, and `PWD` is a folder. */
const SECRET_VARIABLE = /^[A-Z0-9_]+_(?:KEY|PWD)$|(?:^|[a-z_-])[Pp]wd$/;
/** Under these names even a number is a secret; elsewhere ("tokens": 5) it is not. */
const NUMERIC_SECRET = /(?:pass(?:word|phrase|wd|code)|pwd|secret)$/i;
/** A request's signature is one word; function signatures, as in code search, have spaces or parentheses. */
const SIGNATURE_KEY = /signature/i;
const ONE_WORD = /^[^\s()]+$/;
const MAX_DEPTH = 24;
/** No more than this of a masked text is shown, so the rest need not be searched. */
const MOST_SHOWN = 20_000;

/** Copies a value with likely secrets masked, which it recognizes by member name or by format. */
export function maskSecrets(value: unknown, depth = 0): unknown {
	if (typeof value === "string") return maskFormats(value, MASK, MOST_SHOWN);
	if (depth > MAX_DEPTH) return "…";
	if (Array.isArray(value)) return value.map((item) => maskSecrets(item, depth + 1));
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskMember(key, member, depth + 1)]));
}

function maskMember(key: string, member: unknown, depth: number): unknown {
	if (typeof member === "number") return NUMERIC_SECRET.test(key) ? MASK : member;
	return isSecret(key, member) ? hidden(member, depth) : maskSecrets(member, depth);
}

function isSecret(key: string, member: unknown): boolean {
	return (
		SECRET_KEY.test(key) ||
		SECRET_VARIABLE.test(key) ||
		(SIGNATURE_KEY.test(key) && typeof member === "string" && ONE_WORD.test(member))
	);
}

// Objects are searched by their own keys.
function hidden(member: unknown, depth: number): unknown {
	if (typeof member === "string") return MASK;
	if (!Array.isArray(member)) return maskSecrets(member, depth);
	return depth > MAX_DEPTH ? "…" : member.map((item) => hidden(item, depth + 1));
}
