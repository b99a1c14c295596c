import { toPlainLine } from "../catalog/text.ts";
import { withoutCodes } from "./withoutCodes.ts";

const LONGEST = 120;
/** Matches lines with words, and not the frames and rulers around a banner. */
const TELLING = /[\p{L}\p{N}]/u;

/** Collects output on stdout that is not a message: the program is not an MCP server, or prints its logs there. */
export class StrayOutput {
	#line: string | undefined;

	/** Adds a line; returns whether it is the one to report, the first with words. */
	add(printed: string): boolean {
		if (this.#line !== undefined) return false;
		const line = toPlainLine(withoutCodes(printed), LONGEST);
		if (!TELLING.test(line)) return false;
		this.#line = line;
		return true;
	}

	/** The text for the person who configured the server; undefined if it printed nothing. */
	get told(): string | undefined {
		return this.#line === undefined ? undefined : `what it prints on stdout is not MCP: "${this.#line}"`;
	}
}
