import { appendFileSync } from "node:fs";

/** What a call may do again: anything, the same with the same key, or nothing. */
export type CallKind = "read" | "keyed" | "write";

/** How a call ended for its client. */
export type CallEnd =
	| "answered"
	/** Told that it may or may not have taken effect. */
	| "ambiguous"
	/** Told that it was tried as often as is allowed. */
	| "exhausted"
	/** Told of any other failure. */
	| "refused"
	/** The connection failed before anything was promised. */
	| "unreachable";

/** One thing that happened in a run, as somebody outside of the product saw it. */
export type HistoryLine =
	| { readonly what: "begin"; readonly call: string; readonly session: string; readonly kind: CallKind }
	/** The client got an event id of the call's stream. */
	| { readonly what: "acknowledged"; readonly call: string }
	| { readonly what: "end"; readonly call: string; readonly end: CallEnd; readonly detail?: string }
	| { readonly what: "effect"; readonly call: string }
	/** The client got a message under this event id. */
	| { readonly what: "event"; readonly session: string; readonly stream: string; readonly number: number }
	| { readonly what: "session-lost"; readonly session: string; readonly detail: string }
	| { readonly what: "kill" };

/** Writes what happens to a file, one JSON line each, in the order in which it is seen. */
export class History {
	readonly lines: HistoryLine[] = [];
	readonly #file: string;

	constructor(file: string) {
		this.#file = file;
	}

	note(line: HistoryLine): void {
		this.lines.push(line);
		appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
	}
}
