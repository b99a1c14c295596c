import { isJsonArray, isJsonNumber, type JsonArray, type JsonValue } from "../../json/jsonValue.ts";
import { evaluatePart, isMetBy, type Run } from "../evaluation.ts";
import { checkKind, type KeywordTable } from "./keyword.ts";
import { checkEveryMember, forbidExtras } from "./objects.ts";

/** The applicators that look inside arrays. */
export const ARRAY_APPLICATORS: KeywordTable = {
	prefixItems: (value, site) => {
		const nodes = (isJsonArray(value) ? value : []).map((schema, i) => site.sub(schema, "prefixItems", i));
		return checkKind("array", (data, run, at, seen) => {
			const covered = Math.min(nodes.length, data.length);
			if (seen !== undefined && seen.items !== true) seen.items = Math.max(seen.items, covered);
			let valid = true;
			for (const [i, node] of nodes.slice(0, covered).entries()) {
				if (evaluatePart(node, data[i] as JsonValue, run, at, i)) continue;
				if (!run.collecting) return false;
				valid = false;
			}
			return valid;
		});
	},
	items: (value, site) => {
		const node = site.sub(value, "items");
		const prefix = site.schema.prefixItems;
		const start = isJsonArray(prefix) ? prefix.length : 0;
		return checkKind("array", (data, run, at, seen) => {
			if (data.length <= start) return true;
			if (seen !== undefined) seen.items = true;
			if (node.never)
				return run.fail(at, site.node, "items", () => `expected at most ${start} items, got ${data.length}`);
			return checkEveryItem(data, start, run, (item, i) => evaluatePart(node, item, run, at, i));
		});
	},
	contains: (value, site) => {
		const node = site.sub(value, "contains");
		const least = limit(site.schema.minContains, 1);
		const most = limit(site.schema.maxContains, Number.POSITIVE_INFINITY);
		return checkKind("array", (data, run, at, seen) => {
			let found = 0;
			for (const [i, item] of data.entries()) {
				if (!isMetBy(node, item, run, undefined)) continue;
				found += 1;
				seen?.scattered.add(i);
				if (seen === undefined && found >= least && most === Number.POSITIVE_INFINITY) return true;
			}
			if (found < least) {
				seen?.everything();
				return run.fail(at, site.node, "contains", () => `expected at least ${least} matching items, got ${found}`);
			}
			return (
				found <= most ||
				run.fail(at, site.node, "contains", () => `expected at most ${most} matching items, got ${found}`)
			);
		});
	},
};

function checkEveryItem(
	data: JsonArray,
	start: number,
	run: Run,
	check: (item: JsonValue, index: number) => boolean,
): boolean {
	let valid = true;
	for (let i = start; i < data.length; i += 1) {
		if (check(data[i] as JsonValue, i)) continue;
		if (!run.collecting) return false;
		valid = false;
	}
	return valid;
}

function limit(value: JsonValue | undefined, otherwise: number): number {
	return isJsonNumber(value) ? Number(typeof value === "number" ? value : value.rawJSON) : otherwise;
}

/** The keywords for members and items that no other keyword evaluated. They run after all others of their schema. */
export const UNEVALUATED: KeywordTable = {
	unevaluatedProperties: (value, site) => {
		const node = site.sub(value, "unevaluatedProperties");
		return checkKind("object", (data, run, at, seen) => {
			const isExtra = (key: string) => seen === undefined || !seen.has(key);
			const valid = node.never
				? forbidExtras(data, isExtra, "unevaluatedProperties", site.node, run, at)
				: checkEveryMember(data, run, (key, item) => !isExtra(key) || evaluatePart(node, item, run, at, key));
			if (seen !== undefined) seen.properties = true;
			return valid;
		});
	},
	unevaluatedItems: (value, site) => {
		const node = site.sub(value, "unevaluatedItems");
		return checkKind("array", (data, run, at, seen) => {
			const isExtra = (index: number) => seen === undefined || !seen.hasItem(index);
			const valid = node.never
				? !data.some((_, i) => isExtra(i)) ||
					run.fail(at, site.node, "unevaluatedItems", () => `unexpected item ${data.findIndex((_, i) => isExtra(i))}`)
				: checkEveryItem(data, 0, run, (item, i) => !isExtra(i) || evaluatePart(node, item, run, at, i));
			if (seen !== undefined) seen.items = true;
			return valid;
		});
	},
};
