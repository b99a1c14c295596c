import { StringDecoder } from "node:string_decoder";

const MAX_LINES = 40;
const MAX_LINE = 2_000;

/** A worker's stderr: lines are passed on as they come, and the last few are kept for a fault's detail. */
export class StderrTail {
	readonly #emit: (line: string) => void;
	readonly #mask: (line: string) => string;
	readonly #decoder = new StringDecoder("utf8");
	#partial = "";
	#lines: string[] = [];

	/** `mask` takes secrets out of a line before it is cut, kept or passed on. */
	constructor(emit: (line: string) => void, mask: (line: string) => string = (line) => line) {
		this.#emit = emit;
		this.#mask = mask;
	}

	get lines(): readonly string[] {
		return this.#lines.slice(-MAX_LINES);
	}

	push(chunk: Buffer): void {
		const lines = (this.#partial + this.#decoder.write(chunk)).split("\n");
		this.#partial = lines.pop() ?? "";
		for (const line of lines) this.#line(line);
		// A line that never ends is cut instead of growing without limit.
		if (this.#partial.length > MAX_LINE) {
			this.#line(this.#partial);
			this.#partial = "";
		}
	}

	end(): void {
		if (this.#partial !== "") this.#line(this.#partial);
		this.#partial = "";
	}

	#line(text: string): void {
		const line = this.#mask(text.replace(/\r$/, "")).slice(0, MAX_LINE);
		this.#lines.push(line);
		// Not with every line: the copies would be most of the garbage of a worker that prints much.
		if (this.#lines.length >= 2 * MAX_LINES) this.#lines = this.#lines.slice(-MAX_LINES);
		this.#emit(line);
	}
}

const LONGEST = 300;
const TELLING =
	/^(?!\s).*(?:error|exception|fatal|panic|cannot|can't|could not|not found|no such|denied|refused|usage)/i;
const NOISE =
	/^\s*(?:at |Node\.js v|\(node:\d+\) (?!Unhandled).*Warning: |\(Use `node --trace-)|^[\s\p{P}\p{S}]*$|complete log of this run/u;

/** The line of a worker's stderr that most likely explains its end: the cause comes before long dumps. */
export function findTellingLine(lines: readonly string[]): string | undefined {
	const line = lines.findLast(isTelling) ?? lines.findLast((one) => !isNoise(one));
	return line?.trim().slice(0, LONGEST);
}

/** Whether a line that a program printed reads like the cause of its end. */
export function isTelling(line: string): boolean {
	return TELLING.test(line) && !isNoise(line);
}

/** Lines that never explain the cause: stack frames, rulers, exit notices. */
export function isNoise(line: string): boolean {
	return NOISE.test(line);
}
