import { parseArgs } from "node:util";
import { endProcess, type FieldMessage, optionProblem, tellWaiting } from "libmcp/command";
import { readSettings, version } from "../settings.ts";
import { EXIT, openTerminal, refuseUsage, useSampleSettings } from "./terminal.ts";

/** The `synesthetic` command. Ends the process. */
export async function main(args: readonly string[]): Promise<void> {
	endProcess(await run(args));
}

async function run(args: readonly string[]): Promise<number> {
	const terminal = openTerminal();
	const parsed = parse(args);
	if (typeof parsed === "string") return refuseUsage(parsed, args.includes("--json"), terminal);
	const { values, positionals } = parsed;
	const settings = values.sample ? useSampleSettings(readSettings()) : readSettings();
	const [command, ...operands] = positionals;
	if (values.version) {
		terminal.out(values.json ? JSON.stringify({ name: "synesthetic", version }) : `synesthetic ${version}`);
		return EXIT.valid;
	}
	// Each command is loaded on demand: the host in particular must stay small.
	if (values.help) {
		terminal.out((await import("./help.ts")).writeHelp());
		return EXIT.valid;
	}
	const problem = usageProblem(parsed);
	if (problem !== undefined) return refuseUsage(problem, values.json, terminal);
	if (values.demo) return (await import("./demo.ts")).runDemo(settings, terminal);
	if (values.validate) {
		const schema = values.schema === undefined ? {} : { schema: values.schema };
		const options = { paths: positionals, watch: values.watch, json: values.json, ...schema };
		return (await import("./validateCommand.ts")).runValidateCommand(options, settings, terminal);
	}
	if (command !== undefined) {
		return (await import("./toolCommands.ts")).runToolCommand(command, operands, values.json, settings, terminal);
	}
	tellWaiting("synesthetic");
	if (values.direct) return (await import("../server/serve/serveDirect.ts")).serveDirect(settings);
	return (await import("../server/serve/serveHosted.ts")).serveHosted(settings);
}

type Parsed = Exclude<ReturnType<typeof parse>, string>;

/** Options that cannot be combined. */
function usageProblem({ values, positionals }: Parsed): FieldMessage | undefined {
	const [other] = [...(values.validate ? ["--validate"] : []), ...positionals];
	const lonely = (["watch", "schema"] as const).find((name) => name in values && values[name] !== false);
	if (lonely !== undefined && !values.validate) return `--${lonely}: expected with --validate <path>…`;
	if (values.json && other === undefined) return "--json: expected with --validate <path>… or a command";
	if (values.schema === "") return "--schema: expected a name, got nothing";
	if (values.demo && other !== undefined) return `--demo: expected alone, got ${other}`;
	if (values.direct && (values.demo || other !== undefined))
		return `--direct: expected alone, got ${values.demo ? "--demo" : other}`;
	if (!values.validate) return undefined;
	if (positionals.every((path) => path === "")) return "--validate: expected a path, got nothing";
	const inputs = positionals.filter((path) => path === "-").length;
	if (inputs > 1) return `--validate: expected - for standard input once, got it ${inputs} times`;
	if (values.watch && positionals.includes("-")) return "--watch: expected files or folders, got - for standard input";
	return undefined;
}

function parse(args: readonly string[]) {
	if (args[0] === "version" || args[0] === "-V") return parse(["--version", ...args.slice(1)]);
	// `--validate=path` says the same as `--validate path`: a flag, and a path that may begin with a dash.
	const paths = args.filter(isFlagWithPath).map((arg) => arg.slice(FLAG_WITH_PATH.length));
	const apart = args.map((arg) => (isFlagWithPath(arg) ? "--validate" : arg));
	try {
		const { values, positionals } = parseArgs({ args: apart, allowPositionals: true, options: OPTIONS });
		return { values, positionals: [...paths, ...positionals] };
	} catch (error) {
		return optionProblem(error, args, Object.keys(OPTIONS));
	}
}

const FLAG_WITH_PATH = "--validate=";

function isFlagWithPath(arg: string): boolean {
	return arg.startsWith(FLAG_WITH_PATH);
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
