import { commandFailure, type FieldMessage } from "libmcp/command";
import { EXIT } from "./exitCodes.ts";
import type { Terminal } from "./terminal.ts";

/** Reports wrong usage, with `--json` also as an object on stdout; returns the exit code. */
export function refuse(message: FieldMessage, json: boolean, terminal: Terminal): number {
	terminal.err(`synesthetic: ${message}\nTry synesthetic --help.`);
	if (json) terminal.out(JSON.stringify(commandFailure("usage", message)));
	return EXIT.unreadable;
}
