import { isatty } from "node:tty";
import { writeStderr } from "../process/writeStderr.ts";

/** Tells whoever typed the command of a server on a terminal why nothing happens. */
export function tellWaiting(program: string): void {
	if (!isatty(0)) return;
	writeStderr(`${program}: waiting for requests, one JSON line each; Ctrl-D ends, --help tells more\n`);
}
