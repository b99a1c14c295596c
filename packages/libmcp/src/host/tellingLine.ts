const LONGEST = 300;
const TELLING = /^\S.*(?:error|exception|fatal|panic|cannot|can't|could not|not found|no such|denied|refused|usage)/i;
/** Lines that never explain the cause: stack frames, rulers, exit notices. */
const NOISE = /^\s*(?:at |Node\.js v)|^[\s\p{P}\p{S}]*$/u;

/** The line of a worker's stderr that most likely explains its end: the cause comes before long dumps. */
export function tellingLine(lines: readonly string[]): string | undefined {
	const line = lines.findLast((one) => TELLING.test(one)) ?? lines.findLast((one) => !NOISE.test(one));
	return line?.trim().slice(0, LONGEST);
}
