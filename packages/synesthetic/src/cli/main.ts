import { parseArgs } from "node:util";
import { serveDirect, serveHosted } from "../server/serve.ts";
import { readSettings } from "../settings.ts";
import { version } from "../version.ts";
import { demo, sampleSettings } from "./demo.ts";
import { helpText } from "./help.ts";
import { processTerminal } from "./terminal.ts";
import { TOOL_COMMANDS, toolCommand } from "./toolCommands.ts";
import { validateCommand } from "./validateCommand.ts";
import { EXIT } from "./validateFiles.ts";

/** The `synesthetic` command. Ends the process. */
export async function main(args: readonly string[]): Promise<void> {
	process.exit(await run(args));
}

async function run(args: readonly string[]): Promise<number> {
	const terminal = processTerminal();
	const parsed = parse(args);
	if (typeof parsed === "string") {
		terminal.err(`synesthetic: ${parsed}\nTry synesthetic --help.`);
		return EXIT.unreadable;
	}
	const { values, positionals } = parsed;
	const settings = values.sample ? sampleSettings(readSettings()) : readSettings();
	const [command, ...operands] = positionals;
	if (values.help) return print(helpText());
	if (values.version) return print(version);
	if (values.demo) return demo(settings, terminal);
	if (values.validate) {
		const schema = values.schema === undefined ? {} : { schema: values.schema };
		return validateCommand({ paths: positionals, watch: values.watch, ...schema }, settings, terminal);
	}
	if (command === undefined) return values.direct ? serveDirect(settings) : serveHosted(settings);
	if (Object.hasOwn(TOOL_COMMANDS, command)) return toolCommand(command, operands, settings, terminal);
	terminal.err(`synesthetic: there is no command ${JSON.stringify(command)}\nTry synesthetic --help.`);
	return EXIT.unreadable;

	function print(text: string): number {
		terminal.out(text);
		return EXIT.valid;
	}
}

function parse(args: readonly string[]) {
	const flag = { type: "boolean", default: false } as const;
	try {
		return parseArgs({
			args: [...args],
			allowPositionals: true,
			options: {
				help: { ...flag, short: "h" },
				version: { ...flag, short: "v" },
				validate: flag,
				watch: flag,
				schema: { type: "string" },
				demo: flag,
				sample: flag,
				direct: flag,
			},
		});
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
