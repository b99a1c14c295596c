/** One line for whoever runs the server. */
export function log(text: string): void {
	process.stderr.write(`mcp:${text}\n`);
}
