import { isatty } from "node:tty";

/** Tells whoever typed the command of a server on a terminal why nothing happens. */
export function tellWaiting(program: string): void {
	if (!isatty(0)) return;
	process.stderr.write(`${program}: waiting for requests, one JSON line each; Ctrl-D ends, --help tells more\n`);
}
