import type { ToolDefinition } from "../catalog/tool.ts";
import { isDeeper, isObject, showValue } from "../contract/json.ts";

const MAX_PAGES = 500;
const MAX_TOOLS = 10_000;
const MAX_PROBLEMS = 100;
const MAX_DEFINITION_CHARS = 256_000;
const MAX_LIST_CHARS = 32_000_000;
const MAX_DEPTH = 200;

export type ToolList = { readonly definitions: readonly ToolDefinition[]; readonly problems: readonly string[] };

/** Reads every page of a server's tool list, within limits no honest server reaches. Unusable tools are left out and reported. */
export async function listTools(
	page: (cursor: string | undefined) => Promise<unknown>,
	problemOf: (tool: ToolDefinition) => string | undefined = () => undefined,
): Promise<ToolList> {
	const definitions: ToolDefinition[] = [];
	const problems: string[] = [];
	const seen = new Set<string>();
	const ended = (...why: readonly string[]): ToolList => ({ definitions, problems: [...brief(problems), ...why] });
	let items = 0;
	let chars = 0;
	let cursor: string | undefined;
	for (let pages = 0; pages < MAX_PAGES; pages++) {
		const answer = await page(cursor);
		const { tools, nextCursor: next } = isObject(answer) ? answer : {};
		if (!Array.isArray(tools)) return ended(`tools: expected a list, got ${showValue(tools)}`);
		for (const tool of tools) {
			const json = jsonOf(tool);
			chars += json.length;
			if (items++ >= MAX_TOOLS || chars > MAX_LIST_CHARS)
				return ended(
					`the list is cut after ${definitions.length} tools: at most ${MAX_TOOLS} tools and ${MAX_LIST_CHARS} characters are taken`,
				);
			if (!isTool(tool))
				problems.push(`a tool is left out: name: expected text, got ${showValue(isObject(tool) ? tool.name : tool)}`);
			else {
				const problem = definitionProblem(json) ?? problemOf(tool);
				if (problem === undefined) definitions.push(tool);
				else problems.push(describeLeftOut(tool.name, problem));
			}
		}
		// Some servers end their lists with an empty cursor.
		if (typeof next !== "string" || next === "") return ended();
		if (seen.has(next)) return ended("the list is cut: the server gave the same cursor twice");
		seen.add(next);
		cursor = next;
	}
	return ended(`the list is cut after ${MAX_PAGES} pages`);
}

function brief(problems: readonly string[]): readonly string[] {
	if (problems.length <= MAX_PROBLEMS) return problems;
	return [...problems.slice(0, MAX_PROBLEMS), `${problems.length - MAX_PROBLEMS} more tools are left out`];
}

export function describeLeftOut(name: string, problem: string): string {
	return `${showValue(name)} is left out: ${problem}`;
}

/** Whether a tool that did not come from a list would be accepted in one. */
export function isUsable(tool: ToolDefinition): boolean {
	return isTool(tool) && definitionProblem(jsonOf(tool)) === undefined;
}

function definitionProblem(json: string): string | undefined {
	if (json.length > MAX_DEFINITION_CHARS)
		return `its definition has ${json.length} characters, at most ${MAX_DEFINITION_CHARS} are taken`;
	return json === "" || isDeeper(json, MAX_DEPTH)
		? `its definition is nested more than ${MAX_DEPTH} levels deep`
		: undefined;
}

/** Empty when the nesting is too deep to serialise. */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch {
		// Too deep to be written.
		return "";
	}
}

function isTool(value: unknown): value is ToolDefinition {
	return isObject(value) && typeof value.name === "string" && value.name !== "";
}
