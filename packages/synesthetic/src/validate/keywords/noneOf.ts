import type { JsonValue } from "../../json/jsonValue.ts";
import { nameType } from "../describe.ts";
import { evaluate, type Finding, Run, type SchemaNode, type Violation } from "../evaluation.ts";

/** Explains why no alternative accepts a value, by the violations of the alternative most likely meant. */
export function explainNoneOf(nodes: readonly SchemaNode[], data: JsonValue, run: Run): Finding {
	if (!run.explaining) return { msg: "", within: [] };
	// Cached, because alternatives nested in alternatives for the same value would double the work at every level.
	const findings = run.known.findings.of(nodes, run.scope);
	const finding = findings.get(data) ?? explain(nodes, data, run);
	findings.set(data, finding);
	return finding;
}

function explain(nodes: readonly SchemaNode[], data: JsonValue, run: Run): Finding {
	// Explains only the likeliest alternative in depth: explaining all would multiply the time at every level.
	const [meant] = nodes
		.map((node) => ({ node, violations: violationsOf(node, data, run, false) }))
		.sort((a, b) => byLikelihood(a.violations, b.violations));
	const within = meant === undefined ? [] : violationsOf(meant.node, data, run, true);
	const [leaf] = listLeaves(within);
	const hint = leaf === undefined ? "" : `; closest: ${leaf.path === "" ? "" : `${leaf.path}: `}${leaf.msg}`;
	return {
		msg: `expected a match of one of ${nodes.length} alternatives, ${nameType(data)} matches none${hint}`,
		within,
	};
}

function violationsOf(
	node: SchemaNode,
	data: JsonValue,
	{ scope, known }: Run,
	explaining: boolean,
): readonly Violation[] {
	const run = new Run(known, scope, explaining);
	evaluate(node, data, run, undefined, undefined);
	return run.violations;
}

function byLikelihood(a: readonly Violation[], b: readonly Violation[]): number {
	return (
		a.filter(isOfOtherType).length - b.filter(isOfOtherType).length ||
		a.filter(isTelling).length - b.filter(isTelling).length ||
		a.length - b.length ||
		// Prefer a failed `enum`: its message lists the choices.
		Number(b[0]?.keyword === "enum") - Number(a[0]?.keyword === "enum")
	);
}

function isOfOtherType({ path, keyword }: Violation): boolean {
	return path === "" && keyword === "type";
}

/**
 * Whether the violation suggests that another alternative is meant: the value itself fails, or a `const` or `enum` of a
 * direct member, which usually tells what the value is.
 */
function isTelling({ path, keyword }: Violation): boolean {
	return path === "" || (CHOICE.has(keyword) && path.lastIndexOf("/") === 0);
}

const CHOICE = new Set(["const", "enum"]);

/** The violations, with each failed choice replaced by the violations of the alternative most likely meant. */
export function listLeaves(violations: readonly Violation[]): Generator<Violation> {
	return leavesBelow(violations, "", new Map());
}

/**
 * `told`: the lists already yielded, and at which paths. Many choices may share a list, which is yielded once per path.
 */
function* leavesBelow(
	violations: readonly Violation[],
	above: string,
	told: Map<readonly Violation[], Set<string>>,
): Generator<Violation> {
	const places = told.get(violations) ?? new Set();
	if (places.has(above)) return;
	told.set(violations, places.add(above));
	for (const violation of violations) {
		const path = above + violation.path;
		if (violation.within.length === 0) yield { ...violation, path };
		else yield* leavesBelow(violation.within, path, told);
	}
}
