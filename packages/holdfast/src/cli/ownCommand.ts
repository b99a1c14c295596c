import { fileURLToPath } from "node:url";

/** How a client starts this very installation: its PATH is seldom the shell's. */
export function ownCommand(...args: readonly string[]): { readonly command: string; readonly args: readonly string[] } {
	const launcher = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
	return { command: process.execPath, args: [launcher, ...args] };
}
