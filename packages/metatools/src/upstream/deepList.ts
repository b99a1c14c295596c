import type { Buffer } from "node:buffer";
import { MAX_DEPTH } from "libmcp";
import { isDeeper } from "../contract/depth.ts";
import { isObject } from "../contract/json.ts";

/** Reads a tool list that nests too deep for the host of a server, so that it costs the tools that do, not the server. */
export class DeepList {
	#isAsked: boolean = false;
	#refused: string | undefined;

	/** To be told every line that the host took for no message, before it fails the call. */
	saw(line: Buffer): void {
		if (!this.#isAsked || !line.includes('"tools"')) return;
		const text = line.toString();
		if (isDeeper(text, MAX_DEPTH)) this.#refused = text;
	}

	/** What `ask` gives: one page of the list. Only one is asked for at a time. */
	async read(ask: () => Promise<unknown>): Promise<unknown> {
		this.#isAsked = true;
		try {
			return await ask();
		} catch (thrown) {
			const page = pageIn(this.#refused);
			if (page === undefined) throw thrown;
			return page;
		} finally {
			this.#isAsked = false;
			this.#refused = undefined;
		}
	}
}

function pageIn(text: string | undefined): unknown {
	if (text === undefined) return undefined;
	try {
		const answer: unknown = JSON.parse(text);
		return isObject(answer) && isObject(answer.result) && Array.isArray(answer.result.tools)
			? answer.result
			: undefined;
	} catch {
		return undefined;
	}
}
