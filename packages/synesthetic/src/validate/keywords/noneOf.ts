import type { JsonValue } from "../../json/jsonValue.ts";
import { typeName } from "../describe.ts";
import { evaluate, type Finding, Run, type SchemaNode, type Violation } from "../evaluation.ts";
import { leavesOf } from "../leaves.ts";

/** What to say of a value that none of the alternatives accepts: what is wrong with it by the one most likely meant. */
export function noneOf(nodes: readonly SchemaNode[], data: JsonValue, run: Run): Finding {
	if (!run.explaining) return { msg: "", within: [] };
	// Only the one that is told of is gone into: going into all would take as many times longer at each level.
	const [meant] = nodes
		.map((node) => ({ node, violations: violationsOf(node, data, run, false) }))
		.sort((a, b) => byLikelihood(a.violations, b.violations));
	const within = meant === undefined ? [] : violationsOf(meant.node, data, run, true);
	const [leaf] = leavesOf(within);
	const hint = leaf === undefined ? "" : `; closest: ${leaf.path === "" ? "" : `${leaf.path}: `}${leaf.msg}`;
	return {
		msg: `expected a match of one of ${nodes.length} alternatives, ${typeName(data)} matches none${hint}`,
		within,
	};
}

function violationsOf(
	node: SchemaNode,
	data: JsonValue,
	{ scope, known }: Run,
	explaining: boolean,
): readonly Violation[] {
	const run = new Run(known, explaining);
	run.scope = scope;
	evaluate(node, data, run, undefined, undefined);
	return run.violations;
}

function byLikelihood(a: readonly Violation[], b: readonly Violation[]): number {
	return (
		a.filter(isOfOtherType).length - b.filter(isOfOtherType).length ||
		a.filter(isTelling).length - b.filter(isTelling).length ||
		a.length - b.length ||
		// A list of choices says more than one choice.
		Number(b[0]?.keyword === "enum") - Number(a[0]?.keyword === "enum")
	);
}

function isOfOtherType({ path, keyword }: Violation): boolean {
	return path === "" && keyword === "type";
}

/** Whether it tells that another alternative is meant: the value itself does not fit, or the member that says what it is. */
function isTelling({ path, keyword }: Violation): boolean {
	return path === "" || (CHOICE.has(keyword) && path.lastIndexOf("/") === 0);
}

const CHOICE = new Set(["const", "enum"]);
