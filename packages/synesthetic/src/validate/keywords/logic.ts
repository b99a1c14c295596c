import { isJsonArray, type JsonValue } from "../../json/jsonValue.ts";
import { nameType } from "../describe.ts";
import { type Check, evaluate, isMetBy, isMetByAll, type Keyword, listChecks, type SchemaNode } from "../evaluation.ts";
import { checkAlways, type KeywordSite, type KeywordTable } from "./keyword.ts";
import { explainNoneOf } from "./noneOf.ts";

/** References and the applicators that apply schemas to the value itself. */
export const LOGIC: KeywordTable = {
	$ref: (value, site) => (typeof value === "string" ? all([site.target(value)]) : undefined),
	$dynamicRef: dynamicRef,
	allOf: (value, site) => all(nodesOf(value, "allOf", site)),
	anyOf: (value, site) => {
		const nodes = nodesOf(value, "anyOf", site);
		return (kind) => {
			const isCertain = nodes.some((node) => isMetByAll(node, kind));
			if (isCertain && kind !== "array" && kind !== "object") return [];
			const check: Check<JsonValue> = (data, run, at, seen) => {
				if (isCertain && seen === undefined) return true;
				// Every branch that passes adds to `seen`, so all branches are tried if `seen` is given.
				const matched =
					seen === undefined
						? nodes.some((node) => isMetBy(node, data, run, undefined))
						: nodes.filter((node) => isMetBy(node, data, run, seen)).length > 0;
				if (matched) return true;
				seen?.everything();
				return run.fail(at, site.node, "anyOf", () => explainNoneOf(nodes, data, run));
			};
			return [check];
		};
	},
	oneOf: (value, site) => {
		const nodes = nodesOf(value, "oneOf", site);
		return checkAlways((data, run, at, seen) => {
			const matched = nodes.flatMap((node, i) => (isMetBy(node, data, run, seen) ? [i] : []));
			if (matched.length === 1) return true;
			seen?.everything();
			return run.fail(at, site.node, "oneOf", () =>
				matched.length === 0
					? explainNoneOf(nodes, data, run)
					: `expected exactly one of ${nodes.length} alternatives to match, got ${matched.length} (${matched.join(", ")})`,
			);
		});
	},
	not: (value, site) => {
		const node = site.sub(value, "not");
		return checkAlways(
			(data, run, at) =>
				!isMetBy(node, data, run, undefined) ||
				run.fail(at, site.node, "not", () => `${nameType(data)} of this form is excluded`),
		);
	},
	if: (value, site) => {
		const condition = site.sub(value, "if");
		const [yes, no] = [branch("then", site), branch("else", site)];
		return checkAlways((data, run, at, seen) => {
			const next = isMetBy(condition, data, run, seen) ? yes : no;
			return next === undefined || evaluate(next, data, run, at, seen);
		});
	},
};

// The target is known while compiling, unless it is a dynamic anchor: then the outermost schema that has it wins.
function dynamicRef(value: JsonValue, site: KeywordSite): Keyword | undefined {
	if (typeof value !== "string") return undefined;
	const initial = site.locate(value);
	const node = site.compile(initial);
	const name = value.slice(value.indexOf("#") + 1);
	if (initial.resource.dynamicAnchors.get(name)?.schema !== initial.schema) return all([node]);
	return checkAlways((data, run, at, seen) => {
		const place = run.scope.find(name);
		return evaluate(place === undefined ? node : site.compile(place), data, run, at, seen);
	});
}

function all(nodes: readonly SchemaNode[]): Keyword {
	return (kind) => nodes.flatMap((node) => listChecks(node, kind));
}

function nodesOf(value: JsonValue, keyword: string, site: KeywordSite): SchemaNode[] {
	return (isJsonArray(value) ? value : []).map((schema, i) => site.sub(schema, keyword, i));
}

function branch(keyword: "then" | "else", site: KeywordSite): SchemaNode | undefined {
	const value = Object.hasOwn(site.schema, keyword) ? site.schema[keyword] : undefined;
	return value === undefined ? undefined : site.sub(value, keyword);
}
