import { cutTexts } from "./cutTexts.ts";
import { MOST_SHOWN, maskSecrets } from "./maskSecrets.ts";

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
