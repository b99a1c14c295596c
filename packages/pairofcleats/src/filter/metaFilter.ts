import type { SearchRequest } from "../query/request.ts";
import { makeFactTerm } from "../segment/factTerms.ts";
import { modesOf } from "../store/snapshot.ts";
import { comparable } from "./comparable.ts";
import { liveValues, scanValues } from "./factFilters.ts";
import { type FilterContext, keepDocs } from "./filterContext.ts";
import { thereAre } from "./thereAre.ts";

/** Filters by the fields of records, and warns about a field that no record has. */
export function metaFilter({ meta, metaJson, mode = "both" }: SearchRequest, context: FilterContext): void {
	for (const [field, pairs] of Object.entries({ meta, metaJson })) {
		if (!Array.isArray(pairs)) continue;
		for (const pair of pairs.map(String)) {
			const equals = pair.indexOf("=");
			const key = (equals < 0 ? pair : pair.slice(0, equals)).trim().toLowerCase();
			const docs = docsWith(key, equals < 0 ? "" : pair.slice(equals + 1).trim(), context);
			if (!docs.includes(1) && modesOf(mode).has("records")) warnOfField(field, key, context);
			keepDocs(context, (doc) => docs[doc] === 1);
		}
	}
}

/** `key` requires the field; `key=value` requires the value to occur in it or in a nested field. */
function docsWith(key: string, value: string, context: FilterContext): Uint8Array {
	const wanted = comparable(value);
	const docs = new Uint8Array(context.snapshot.docs);
	const ranges = namesOf(key).flatMap((name) => [
		{ from: `${name}=`, to: `${name}>` },
		{ from: `${name}.`, to: `${name}/` },
	]);
	for (const range of ranges) {
		const from = makeFactTerm("meta", range.from);
		const to = makeFactTerm("meta", range.to);
		const matches = (term: string): boolean =>
			comparable(term.slice(term.indexOf("=", from.length - 1) + 1)).includes(wanted);
		for (const [doc, found] of scanValues(from, to, matches, context).entries()) if (found === 1) docs[doc] = 1;
	}
	return docs;
}

/** Fields of triage records that have a short name too, all in lower case. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
	["vulnid", "vuln.vulnid"],
	["cve", "vuln.cve"],
	["severity", "vuln.severity"],
	["packagename", "package.name"],
	["packageecosystem", "package.ecosystem"],
	["assetid", "asset.assetid"],
]);

function namesOf(key: string): string[] {
	const long = SHORT_NAMES.get(key);
	return long === undefined ? [key] : [key, long];
}

const LONGEST_NAME = 80;

/** Suggests nested fields first, because users often give only the last part: `name` for `package.name`. */
function warnOfField(field: string, key: string, context: FilterContext): void {
	const known = liveValues("meta", (value) => value.slice(0, value.indexOf("=")), context);
	const isKnown = namesOf(key).some((own) => known.some((name) => name === own || name.startsWith(`${own}.`)));
	if (known.length === 0 || isKnown) return;
	const last = key.slice(key.lastIndexOf(".") + 1);
	const alike = known.filter((name) => name === last || name.endsWith(`.${last}`));
	const there = (alike.length > 0 ? alike : known).map((name) => name.slice(0, LONGEST_NAME));
	const message = `no record has the field ${key.slice(0, LONGEST_NAME)}; ${thereAre(there)}`;
	context.warn({ code: "filter_without_data", field, message });
}
