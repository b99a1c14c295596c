import { evaluateInside } from "../evaluation.ts";
import { everyItem } from "./arrays.ts";
import { type KeywordTable, on } from "./keyword.ts";
import { everyMember, forbidExtras } from "./objects.ts";

/** The keywords for members and items that no other keyword evaluated. They run after all others of their schema. */
export const UNEVALUATED: KeywordTable = {
	unevaluatedProperties: (value, site) => {
		const node = site.sub(value, "unevaluatedProperties");
		return on("object", (data, run, at, seen) => {
			const isExtra = (key: string) => seen === undefined || !seen.has(key);
			const valid = node.never
				? forbidExtras(data, isExtra, "unevaluatedProperties", site.node, run, at)
				: everyMember(data, run, (key, item) => !isExtra(key) || evaluateInside(node, item, run, at, key));
			if (seen !== undefined) seen.properties = true;
			return valid;
		});
	},
	unevaluatedItems: (value, site) => {
		const node = site.sub(value, "unevaluatedItems");
		return on("array", (data, run, at, seen) => {
			const isExtra = (index: number) => seen === undefined || !seen.hasItem(index);
			const valid = node.never
				? !data.some((_, i) => isExtra(i)) ||
					run.fail(at, site.node, "unevaluatedItems", () => `unexpected item ${data.findIndex((_, i) => isExtra(i))}`)
				: everyItem(data, 0, run, (item, i) => !isExtra(i) || evaluateInside(node, item, run, at, i));
			if (seen !== undefined) seen.items = true;
			return valid;
		});
	},
};
