import { commandFailure, failureText, UsageError } from "libmcp/command";
import { ToolError } from "../contract/errors.ts";
import { errorLine } from "../server/porcelain.ts";
import { ConfigError } from "./commandConfig.ts";
import type { Console } from "./console.ts";

export const EXIT = { done: 0, failed: 1, usage: 2, config: 3 } as const;

/** Prints a failure as one line, and with --json also as an object; returns the exit code. */
export function tellFailure(thrown: unknown, json: boolean, console: Console): number {
	const say = (failure: object) => json && console.out(JSON.stringify(failure));
	if (thrown instanceof ToolError) {
		const { code, message, ...details } = thrown.object;
		console.error(errorLine(thrown.object));
		say(commandFailure(code, message, details));
		return EXIT.failed;
	}
	const code = thrown instanceof UsageError ? "usage" : thrown instanceof ConfigError ? "config" : "failed";
	const message = failureText(thrown);
	console.complain(message);
	say(commandFailure(code, message));
	return EXIT[code];
}
