const LONGEST = 300;
const TELLING =
	/^(?!\s).*(?:error|exception|fatal|panic|cannot|can't|could not|not found|no such|denied|refused|usage)/i;
const NOISE =
	/^\s*(?:at |Node\.js v|\(node:\d+\) (?!Unhandled).*Warning: |\(Use `node --trace-)|^[\s\p{P}\p{S}]*$|complete log of this run/u;

/** The line of a worker's stderr that most likely explains its end: the cause comes before long dumps. */
export function tellingLine(lines: readonly string[]): string | undefined {
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
