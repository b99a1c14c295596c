import { suggestion } from "libmcp/command";
import { Assets } from "../assets.ts";
import type { Catalog, SkippedFile } from "../catalog/catalog.ts";
import { type JsonObject, type JsonValue, readMember } from "../json/jsonValue.ts";
import { parseSpelt } from "../json/parseJson.ts";
import { stringifyJson } from "../json/stringifyJson.ts";
import { describeSavedAnswer, findDocumentMember, type ToolResult } from "../results.ts";
import { TOOLS } from "../server/tools/tools.ts";
import type { Settings } from "../settings.ts";
import { describeNothingFound, describeUnknownExample, describeUnknownSchema, listSkipped } from "./nothingFound.ts";
import { EXIT, escapeText, refuseUsage, type Terminal } from "./terminal.ts";
import { readAsset } from "./validateFiles.ts";

type Operand = "file" | "name" | "schema" | "patch";
type ToolCommand = {
	readonly tool: string;
	readonly operands: readonly (readonly [string, Operand])[];
	readonly says: string;
	/** The kind of files that must be set up before the command has anything to show. */
	readonly of?: SkippedFile["kind"];
};

/** The tools as subcommands. An operand is a JSON file or a name; for a schema, it may be either. */
export const TOOL_COMMANDS: Readonly<Record<string, ToolCommand>> = {
	schemas: { tool: "list_schemas", operands: [], says: "list the schemas", of: "schemas" },
	schema: { tool: "get_schema", operands: [["name", "name"]], says: "print a schema", of: "schemas" },
	examples: { tool: "list_examples", operands: [], says: "list the examples", of: "examples" },
	example: {
		tool: "get_example",
		operands: [["path", "name"]],
		says: "print an example and whether it validates",
		of: "examples",
	},
	diff: {
		tool: "diff_assets",
		operands: [
			["base", "file"],
			["new", "file"],
		],
		says: "the patch from one file to another",
	},
	patch: {
		tool: "apply_patch",
		operands: [
			["document", "file"],
			["patch", "patch"],
		],
		says: "apply a patch to a file",
	},
	compat: {
		tool: "check_compatibility",
		operands: [
			["old_schema", "schema"],
			["new_schema", "schema"],
		],
		says: "whether a new schema accepts old data, and the reverse",
	},
	bundle: { tool: "bundle_schema", operands: [["schema", "schema"]], says: "a schema with all it refers to" },
	lint: { tool: "lint_schema", operands: [["schema", "schema"]], says: "check a schema itself" },
	fix: {
		tool: "suggest_fix",
		operands: [
			["asset", "file"],
			["schema", "name"],
		],
		says: "a patch that repairs an asset",
	},
};

/**
 * Runs a tool on files and prints its result as JSON, with `json` in one line even on a terminal. Returns 0 if it is good, 1 if not, 2 if a file is unreadable.
 */
export async function runToolCommand(
	name: string,
	args: readonly string[],
	json: boolean,
	settings: Settings,
	terminal: Terminal,
): Promise<number> {
	if (!Object.hasOwn(TOOL_COMMANDS, name))
		return refuseUsage(`no command ${JSON.stringify(name)}${meant(name)}`, json, terminal);
	const command = TOOL_COMMANDS[name];
	const tool = command && TOOLS.get(command.tool);
	if (command === undefined || tool === undefined || args.length !== command.operands.length) {
		const expected = command?.operands.map(([operand]) => `<${operand}>`).join(" ") ?? "";
		return refuseUsage(
			`${name}: expected ${expected || "nothing"}, got ${args.join(" ") || "nothing"}`,
			json,
			terminal,
		);
	}
	const fromInput = command.operands.filter(([, kind], i) => kind !== "name" && args[i] === "-");
	if (fromInput.length > 1) {
		const [[first] = [], [second] = []] = fromInput;
		return refuseUsage(
			`${name}: <${second}>: expected a file, got - for standard input, which is <${first}>`,
			json,
			terminal,
		);
	}
	const assets = new Assets(settings);
	const given: Record<string, JsonValue> = {};
	for (const [i, [operand, kind]] of command.operands.entries()) {
		const text = args[i] ?? "";
		if (kind === "name" || (kind === "schema" && assets.findSchema(text) !== undefined)) {
			given[operand] = text;
			continue;
		}
		const file = readAsset(text);
		if ("ok" in file) {
			terminal.out(JSON.stringify({ path: text, ...file }));
			// Where a schema was asked for, a name was meant perhaps.
			if (kind === "schema" && file.detail === "file_not_found") {
				for (const line of listSkipped(assets.catalog, ["schemas"])) terminal.err(line);
				terminal.err(describeUnknownSchema(text, assets, settings) ?? "");
			}
			return EXIT.unreadable;
		}
		const value = tool.spelt === true ? parseSpelt(file.text) : file.value;
		const saved = findDocumentMember(value);
		// A schema or a patch may be given as this command has printed it.
		given[operand] = saved === kind ? (readMember(value, kind) ?? value) : value;
		if (saved !== undefined && saved !== kind)
			terminal.err(`synesthetic: ${escapeText(text)} ${describeSavedAnswer(saved)}`);
	}
	const result = await tool.run(given satisfies JsonObject, assets);
	terminal.out(stringifyJson(result, terminal.readable && !json ? 2 : 0));
	for (const line of listSkipped(assets.catalog, kindsOf(command))) terminal.err(line);
	const unknown = unknownName(command, args, assets, settings);
	if (unknown !== undefined) terminal.err(unknown);
	else if (command.of !== undefined && isEmpty(assets.catalog[command.of]))
		terminal.err(describeNothingFound(command.of, settings));
	return isGood(result) ? EXIT.valid : EXIT.invalid;
}

/** Says what there is instead of the schema or example that is asked for by a name nothing has. */
function unknownName({ of, operands }: ToolCommand, args: readonly string[], assets: Assets, settings: Settings) {
	const name = args[operands.findIndex(([, kind]) => kind === "name")];
	if (name === undefined) return undefined;
	if (of === "examples") return describeUnknownExample(name, assets, settings);
	return describeUnknownSchema(name, assets, settings, of === "schemas");
}

const VALIDATE = "; did you mean --validate?";

/** Suggests a subcommand for an unknown one, also for the tools' own names, which differ from the subcommands. */
function meant(name: string): string {
	if (name === "validate_asset") return VALIDATE;
	const near = Object.entries(TOOL_COMMANDS).find(([command, { tool }]) => tool === name || name.startsWith(command));
	if (near !== undefined) return `; did you mean ${near[0]}?`;
	const guess = suggestion(name, [...Object.keys(TOOL_COMMANDS), "validate"]);
	return guess.includes(" validate?") ? VALIDATE : guess;
}

/** The kinds of files in the folders that a command reads: an example is also validated, and a name is a schema's. */
function kindsOf({ of, operands }: ToolCommand): readonly SkippedFile["kind"][] {
	if (of === "examples") return operands.length === 0 ? ["examples"] : ["schemas", "examples"];
	return of === "schemas" || operands.some(([operand]) => operand.endsWith("schema")) ? ["schemas"] : [];
}

function isEmpty(entries: Catalog["schemas"] | Catalog["examples"]): boolean {
	return ("size" in entries ? entries.size : entries.length) === 0;
}

function isGood(result: ToolResult): boolean {
	if (!result.ok || ("valid" in result && result.valid === false)) return false;
	return (
		!("fixed" in result && result.fixed === false) && !("compatibility" in result && result.compatibility === "NONE")
	);
}
