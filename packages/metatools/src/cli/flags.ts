import { parseArgs } from "node:util";
import { optionProblem, UsageError } from "libmcp/command";
import { SETTINGS } from "../config/settings.ts";

export type CommandLine = {
	/** By setting name. */
	readonly settings: Readonly<Record<string, string>>;
	readonly config?: string;
	readonly json: boolean;
	/** Flags that belong to one command only. */
	readonly own: Readonly<Record<string, string | undefined>>;
	readonly words: readonly string[];
};

type FlagOption = { readonly type: "string" | "boolean"; readonly short?: string };

const COMMON: Readonly<Record<string, FlagOption>> = {
	config: { type: "string", short: "c" },
	json: { type: "boolean" },
};

/** Reads the flags every setting has, the common ones and a command's own. */
export function readFlags(argv: readonly string[], own: readonly string[] = []): CommandLine {
	const options: Record<string, FlagOption> = { ...COMMON };
	for (const setting of Object.values(SETTINGS)) {
		const type = setting.kind.type === "boolean" ? "boolean" : "string";
		options[setting.flag] = { type, ...("short" in setting && { short: setting.short }) };
	}
	for (const name of own) options[name] = { type: "string" };
	const { values, positionals } = parse(argv, options);
	const text = (name: string): string | undefined => (values[name] === undefined ? undefined : String(values[name]));
	const config = text("config");
	// A variable that is not set leaves an empty name, and without the file its rules would not apply.
	if (config === "") throw new UsageError("--config: expected a file, got nothing");
	return {
		settings: collect(Object.entries(SETTINGS).map(([name, { flag }]) => [name, text(flag)])),
		...(config !== undefined && { config }),
		json: values.json === true,
		own: collect(own.map((name) => [name, text(name)])),
		words: positionals,
	};
}

function parse(
	argv: readonly string[],
	options: Record<string, FlagOption>,
): { values: Record<string, unknown>; positionals: string[] } {
	try {
		return parseArgs({ args: withNegations(argv), options, allowPositionals: true, allowNegative: true });
	} catch (thrown) {
		throw new UsageError(optionProblem(thrown, argv, Object.keys(options), "--help lists them"));
	}
}

// `--tls=true` and `--tls=false` mean what they say, as they do in a file.
function withNegations(argv: readonly string[]): string[] {
	return argv.map((word) => {
		const match = /^--([\w-]+)=(true|false)$/.exec(word);
		const isBoolean = Object.values(SETTINGS).some(
			(setting) => setting.flag === match?.[1] && setting.kind.type === "boolean",
		);
		if (match === null || !isBoolean) return word;
		return match[2] === "true" ? `--${match[1]}` : `--no-${match[1]}`;
	});
}

function collect(entries: readonly (readonly [string, string | undefined])[]): Record<string, string> {
	return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
