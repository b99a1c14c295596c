import type { Buffer } from "node:buffer";
import { MAX_DEPTH } from "libmcp";
import { isDeeper, isObject } from "../contract/json.ts";

/** Reads a tool list that is nested too deeply for the host, so that only the deep tools are lost, not the whole server. */
export class DeepList {
	#isAsked: boolean = false;
	#refused: string | undefined;

	/** Must be called with every line that the host rejected, before the call fails. */
	saw(line: Buffer): void {
		if (!this.#isAsked || !line.includes('"tools"')) return;
		const text = line.toString();
		if (isDeeper(text, MAX_DEPTH)) this.#refused = text;
	}

	/** Returns one page of the list, from `ask` or from the rejected line. Pages are read one at a time. */
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
