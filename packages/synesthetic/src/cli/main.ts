import { isatty } from "node:tty";
import { parseArgs } from "node:util";
import { commandFailure, endProcess, type FieldMessage, optionProblem } from "libmcp/launch";
import { readSettings } from "../settings.ts";
import { version } from "../version.ts";
import { EXIT } from "./exitCodes.ts";
import { sampleSettings } from "./sampleSettings.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** The `synesthetic` command. Ends the process. */
export async function main(args: readonly string[]): Promise<void> {
	endProcess(await run(args));
}

async function run(args: readonly string[]): Promise<number> {
	const terminal = processTerminal();
	const parsed = parse(args);
	if (typeof parsed === "string") return refuse(parsed, args.includes("--json"), terminal);
	const { values, positionals } = parsed;
	const settings = values.sample ? sampleSettings(readSettings()) : readSettings();
	const [command, ...operands] = positionals;
	if (values.version) {
		terminal.out(`synesthetic ${version}`);
		return EXIT.valid;
	}
	// Each way to run is loaded by itself: the host in particular must stay small.
	if (values.help) {
		terminal.out((await import("./help.ts")).helpText());
		return EXIT.valid;
	}
	const lonely = (["watch", "json", "schema"] as const).find((name) => values[name] && !values.validate);
	if (lonely !== undefined) return refuse(`--${lonely}: expected with --validate <path>…`, values.json, terminal);
	if (values.demo && (values.validate || command !== undefined))
		return refuse(`--demo: expected alone, got ${command ?? "--validate"}`, values.json, terminal);
	if (values.demo) return (await import("./demo.ts")).demo(settings, terminal);
	if (values.validate) {
		if (positionals.length === 0) return refuse("--validate: expected a path, got nothing", values.json, terminal);
		if (values.watch && positionals.includes("-"))
			return refuse("--watch: expected files or folders, got - for standard input", values.json, terminal);
		const schema = values.schema === undefined ? {} : { schema: values.schema };
		const options = { paths: positionals, watch: values.watch, json: values.json, ...schema };
		return (await import("./validateCommand.ts")).validateCommand(options, settings, terminal);
	}
	if (command !== undefined) {
		return (await import("./toolCommands.ts")).toolCommand(command, operands, settings, terminal);
	}
	if (isatty(0)) terminal.err("synesthetic: waiting for requests, one JSON line each; Ctrl-D ends, --help tells more");
	if (values.direct) return (await import("../server/serveDirect.ts")).serveDirect(settings);
	return (await import("../server/serveHosted.ts")).serveHosted(settings);
}

/** A command that cannot be understood; with `--json` a program is told as well. */
function refuse(message: FieldMessage, json: boolean, terminal: Terminal): number {
	terminal.err(`synesthetic: ${message}\nTry synesthetic --help.`);
	if (json) terminal.out(JSON.stringify(commandFailure("usage", message)));
	return EXIT.unreadable;
}

function parse(args: readonly string[]) {
	try {
		return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
	} catch (error) {
		return optionProblem(error, args, Object.keys(OPTIONS));
	}
}

const FLAG = { type: "boolean", default: false } as const;
const OPTIONS = {
	help: { ...FLAG, short: "h" },
	version: { ...FLAG, short: "v" },
	validate: FLAG,
	watch: FLAG,
	json: FLAG,
	schema: { type: "string" },
	demo: FLAG,
	sample: FLAG,
	direct: FLAG,
} as const;
