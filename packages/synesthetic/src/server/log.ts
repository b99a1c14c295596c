/** Logs one line to stderr for the operator. */
export function log(text: string): void {
	process.stderr.write(`mcp:${text}\n`);
}
