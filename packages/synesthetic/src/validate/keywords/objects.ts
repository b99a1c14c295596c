import { compareByCodePoint, isJsonObject, type JsonObject, type JsonValue } from "../../json/jsonValue.ts";
import { joinValues } from "../describe.ts";
import { evaluate, evaluatePart, isMetBy, type Place, type Run, type SchemaNode } from "../evaluation.ts";
import { compileExpression } from "./assertions.ts";
import { checkKind, type KeywordSite, type KeywordTable } from "./keyword.ts";

/** The applicators that look inside objects. */
export const OBJECT_APPLICATORS: KeywordTable = {
	properties: (value, site) => {
		const nodes = new Map(nodesOf(value, "properties", site));
		return checkKind("object", (data, run, at, seen) => {
			let valid = true;
			// Loops over the members present, since most optional members are absent. `for…in` is safe here, because parsed
			// objects inherit nothing enumerable, and only in such a loop does the engine read members by position.
			for (const key in data) {
				const node = nodes.get(key);
				if (node === undefined) continue;
				seen?.property(key);
				if (evaluatePart(node, data[key] as JsonValue, run, at, key)) continue;
				if (!run.collecting) return false;
				valid = false;
			}
			return valid;
		});
	},
	patternProperties: (value, site) => {
		const entries = nodesOf(value, "patternProperties", site).map(
			([key, node]) => [compileExpression(key), node] as const,
		);
		return checkKind("object", (data, run, at, seen) =>
			checkEveryMember(data, run, (key, item) => {
				let valid = true;
				for (const [pattern, node] of entries) {
					if (!pattern.test(key)) continue;
					seen?.property(key);
					if (!evaluatePart(node, item, run, at, key)) valid = false;
				}
				return valid;
			}),
		);
	},
	additionalProperties: (value, site) => {
		const node = site.sub(value, "additionalProperties");
		const known = new Set(Object.keys(objectOr(site.schema.properties)));
		const patterns = Object.keys(objectOr(site.schema.patternProperties)).map(compileExpression);
		const isExtra =
			patterns.length === 0
				? (key: string) => !known.has(key)
				: (key: string) => !known.has(key) && !patterns.some((pattern) => pattern.test(key));
		return checkKind("object", (data, run, at, seen) => {
			if (node.never) {
				const valid = forbidExtras(data, isExtra, "additionalProperties", site.node, run, at);
				if (!valid && seen !== undefined) seen.properties = true;
				return valid;
			}
			return checkEveryMember(data, run, (key, item) => {
				if (!isExtra(key)) return true;
				seen?.property(key);
				return evaluatePart(node, item, run, at, key);
			});
		});
	},
	propertyNames: (value, site) => {
		const node = site.sub(value, "propertyNames");
		return checkKind("object", (data, run, at) =>
			checkEveryMember(data, run, (key) => {
				if (isMetBy(node, key, run, undefined)) return true;
				return run.fail(at, site.node, "propertyNames", () => `property name ${joinValues([key])} is not allowed`);
			}),
		);
	},
	dependentSchemas: (value, site) => {
		const entries = nodesOf(value, "dependentSchemas", site);
		return checkKind("object", (data, run, at, seen) => {
			let valid = true;
			for (const [key, node] of entries) {
				if (!Object.hasOwn(data, key) || evaluate(node, data, run, at, seen)) continue;
				if (!run.collecting) return false;
				valid = false;
			}
			return valid;
		});
	},
};

/** Reports all unexpected members as one failure of the object that holds them. */
export function forbidExtras(
	data: JsonObject,
	isExtra: (key: string) => boolean,
	keyword: string,
	node: SchemaNode,
	run: Run,
	at: Place | undefined,
): boolean {
	if (!hasExtra(data, isExtra)) return true;
	const extras = Object.keys(data).filter(isExtra);
	return run.fail(
		at,
		node,
		keyword,
		() =>
			`unexpected ${extras.length === 1 ? "property" : "properties"} ${joinValues(extras.sort(compareByCodePoint))}`,
	);
}

function hasExtra(data: JsonObject, isExtra: (key: string) => boolean): boolean {
	for (const key in data) if (isExtra(key)) return true;
	return false;
}

export function checkEveryMember(
	data: JsonObject,
	run: Run,
	check: (key: string, item: JsonValue) => boolean,
): boolean {
	let valid = true;
	for (const key in data) {
		if (check(key, data[key] as JsonValue)) continue;
		if (!run.collecting) return false;
		valid = false;
	}
	return valid;
}

function nodesOf(value: JsonValue, keyword: string, site: KeywordSite): [string, SchemaNode][] {
	return Object.entries(objectOr(value)).map(([key, schema]) => [key, site.sub(schema, keyword, key)]);
}

function objectOr(value: JsonValue | undefined): JsonObject {
	return isJsonObject(value) ? value : {};
}
