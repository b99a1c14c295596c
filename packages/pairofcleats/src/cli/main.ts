import { commandFailure, folded, ownWords, plainText, UsageError } from "libmcp/command";
import { CleatsError, type ErrorCode, isCleatsError, toCleatsError } from "../contract/errors.ts";
import type { CommandModule } from "./command.ts";
import { COMMANDS, isCommand, makeUnknownCommandError } from "./commands.ts";
import { makeFlagName, UnknownFlagError, withFlags } from "./flags.ts";
import { writeHelp } from "./help.ts";
import { EXIT, makeTerminal, type Terminal } from "./terminal.ts";

/** Runs the command line and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
	quietExperimentalWarnings();
	if (argv[0] === "search") answerOnce();
	process.exitCode = await run(argv, makeTerminal());
}

/** Runs one command; its module is loaded only now, so that a search never pays for a server. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
	const [name = "help", ...rest] = argv;
	if (["version", "--version", "-V", "-v"].includes(name)) {
		const { VERSION } = await import("../contract/envelope.ts");
		terminal.out(
			rest.includes("--json") ? JSON.stringify({ name: "pairofcleats", version: VERSION }) : `pairofcleats ${VERSION}`,
		);
		return EXIT.done;
	}
	try {
		if (name === "help" || name === "--help" || name === "-h") return await tellHelp(rest[0], terminal);
		if (!isCommand(name)) throw makeUnknownCommandError(name);
		const own = ownWords(rest);
		if (own.includes("--help") || own.includes("-h")) return await tellHelp(name, terminal);
		const module: CommandModule = await COMMANDS[name].load();
		return await module.command(rest, terminal).catch((thrown: unknown) => {
			throw nameAsTyped(thrown, module);
		});
	} catch (thrown) {
		return report(thrown, name, ownWords(argv).includes("--json"), terminal);
	}
}

async function tellHelp(name: string | undefined, terminal: Terminal): Promise<number> {
	const text = writeHelp(name);
	const module: CommandModule | undefined =
		name !== undefined && isCommand(name) ? await COMMANDS[name].load() : undefined;
	terminal.out(folded([text, ...(module?.help?.() ?? [])].join("\n"), terminal.columns));
	return EXIT.done;
}

function report(thrown: unknown, name: string, json: boolean, terminal: Terminal): number {
	const hint = thrown instanceof UnknownFlagError ? `; pairofcleats ${name} --help lists them` : "";
	const error =
		thrown instanceof UsageError
			? new CleatsError("INVALID_REQUEST", `${thrown.message}${hint}`)
			: toCleatsError(thrown);
	const { code, message, details } = error;
	// What other callers make the index with, `details.hint` says.
	const remedy = code === "NO_INDEX" && details.retryable !== true ? ": pairofcleats index build" : "";
	terminal.error(`pairofcleats: ${message.split("\n").map(plainText).join("\n")}${remedy}`);
	if (json) {
		const field = typeof details.field === "string" ? { field: details.field } : {};
		terminal.out(JSON.stringify(commandFailure(code, message, { ...field, details })));
	}
	return exitOf(code);
}

function exitOf(code: ErrorCode): number {
	switch (code) {
		case "INVALID_REQUEST":
			return EXIT.usage;
		case "NO_INDEX":
			return EXIT.noIndex;
		case "CANCELLED":
			return EXIT.cancelled;
		default:
			return EXIT.failed;
	}
}

/** V8 flags for a short run: a search ends before optimised code or garbage collection pays off. */
function answerOnce(): void {
	// Loaded here, not imported at the top, so that a server's handshake does not wait for it.
	const { setFlagsFromString } = process.getBuiltinModule("node:v8");
	setFlagsFromString("--no-opt");
	setFlagsFromString("--semi-space-growth-factor=16");
}

/** The store is built on a module that Node still calls experimental; saying so on every search helps nobody. */
function quietExperimentalWarnings(): void {
	const emit = process.emitWarning.bind(process);
	process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
		if (String(warning).includes("SQLite is an experimental feature")) return;
		Reflect.apply(emit, process, [warning, ...rest]);
	}) as typeof process.emitWarning;
}

/** One or more arguments at the start of a complaint, each of them perhaps with a path behind its name. */
const SUBJECT = /(?<=^|; )\w[^\s:,;]*(?:(?:, | or )\w[^\s:,;]*)*(?=: )/g;
const NAME = /(?<=^|, | or )\w+/g;

/** Rewrites an error about arguments to name them as they were typed: `--modified-after`, not `modifiedAfter`. */
export function nameAsTyped(
	thrown: unknown,
	{ flags = {}, words = {} }: Pick<CommandModule, "flags" | "words">,
): unknown {
	if (!isCleatsError(thrown)) return thrown;
	const { code, message, details } = thrown;
	const typed = (name: string): string => {
		if (Object.hasOwn(words, name)) return words[name] ?? name;
		return Object.keys(flags).find((flag) => flags[flag]?.name === name || flag === makeFlagName(name)) ?? name;
	};
	const inWords = (subject: string): string => subject.replace(NAME, typed);
	const wanted = typeof details.expected === "string" ? details.expected : "";
	const expected = withFlags(wanted, flags);
	const said = message.replace(wanted, () => expected).replace(SUBJECT, inWords);
	if (said === message) return thrown;
	const [subject = ""] = message.match(SUBJECT) ?? [];
	const field = typeof details.field === "string" ? details.field : subject;
	const told = { ...details, field: inWords(field), ...(wanted !== "" && { expected }) };
	return new CleatsError(code, said, told, { cause: thrown });
}
