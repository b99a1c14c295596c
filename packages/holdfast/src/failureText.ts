/** One line for a person: a failure of the system names its file first, and nobody reads a stack. */
export function failureText(thrown: unknown): string {
	if (!(thrown instanceof Error)) return String(thrown);
	const line = thrown.message.trim().replace(/\s*\n\s*/g, " ");
	const match = /^(E[A-Z]+): (.+?), \w+(?: '(.*)')?$/.exec(line);
	if (match === null) return line;
	const [, code = "", says = "", path] = match;
	return path === undefined ? `${says} (${code})` : `${path.split("' -> '")[0]}: ${says} (${code})`;
}
