import { plainLine } from "../catalog/text.ts";
import { withoutCodes } from "./withoutCodes.ts";

const LONGEST = 120;
/** Frames and rulers around a banner say nothing. */
const TELLING = /[\p{L}\p{N}]/u;

/** What a program printed where only messages belong, which shows that it is another program, or prints its logs there. */
export class StrayOutput {
	#line: string | undefined;

	/** Returns whether this line is the one to tell: the first with words. */
	add(printed: string): boolean {
		if (this.#line !== undefined) return false;
		const line = plainLine(withoutCodes(printed), LONGEST);
		if (!TELLING.test(line)) return false;
		this.#line = line;
		return true;
	}

	/** For whoever configured it; undefined when it printed nothing. */
	get told(): string | undefined {
		return this.#line === undefined ? undefined : `what it prints on stdout is not MCP: "${this.#line}"`;
	}
}
