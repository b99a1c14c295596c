import { fileURLToPath } from "node:url";
import { commandFailure, type FieldMessage, mindOutput, painted, writeStderr } from "libmcp/command";
import type { Settings } from "../settings.ts";

/** Where a command prints: results on `out`, everything else on `err`. */
export type Terminal = {
	out(line: string): void;
	err(line: string): void;
	/** A status line that the next one overwrites; not printed in a pipe. */
	progress(line: string): void;
	/** Whether results go to a terminal, and are printed as text instead of JSON. */
	readonly readable: boolean;
	readonly paint: (style: Parameters<typeof painted>[0], text: string) => string;
};

export function openTerminal(): Terminal {
	const { stdout, stderr } = process;
	const readable = stdout.isTTY === true;
	return {
		readable,
		out: (line) => {
			mindOutput("synesthetic");
			stdout.write(`${line}\n`);
		},
		err: (line) => writeStderr(`${line}\n`),
		progress: (line) => void (stderr.isTTY === true && writeStderr(`\r\u001b[K${line}`)),
		paint: painted,
	};
}

/** Replaces control characters, so that text from outside, such as a file's name, cannot control the terminal. */
export function escapeText(text: string): string {
	return text.replace(/\p{Cc}/gu, "\ufffd");
}

/** Reports wrong usage, with `--json` also as an object on stdout; returns the exit code. */
export function refuseUsage(message: FieldMessage, json: boolean, terminal: Terminal): number {
	terminal.err(`synesthetic: ${message}\nTry synesthetic --help.`);
	if (json) terminal.out(JSON.stringify(commandFailure("usage", message)));
	return EXIT.unreadable;
}

/** Exit codes. */
export const EXIT = { valid: 0, invalid: 1, unreadable: 2 } as const;

const SAMPLE = fileURLToPath(new URL("../../assets/sample/", import.meta.url));

/** The settings with the sample set that comes with the package. */
export function useSampleSettings(settings: Settings): Settings {
	return { ...settings, schemasDirectory: `${SAMPLE}schemas`, examplesDirectory: `${SAMPLE}examples` };
}
