import { writeStderr } from "libmcp/serve";

/** Logs one line to stderr for the operator. */
export function log(text: string): void {
	writeStderr(`mcp:${text}\n`);
}
