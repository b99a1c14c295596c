import { invalidField } from "../contract/errors.ts";
import { isObject } from "./isObject.ts";
import type { Finding } from "./readLintReport.ts";

/** Results of all runs of a SARIF log, at the first location of each. Suppressed and absent results are left out. */
export function sarifFindings(runs: readonly unknown[]): Finding[] {
	return runs.flatMap((run, index) => {
		if (!isObject(run)) throw invalidField(`report.runs[${index}]`, "an object", run);
		if (run.results === undefined || run.results === null) return [];
		if (!Array.isArray(run.results)) throw invalidField(`report.runs[${index}].results`, "an array", run.results);
		const bases = baseUris(run.originalUriBaseIds);
		return run.results.flatMap((result: unknown, at) => {
			if (!isObject(result)) throw invalidField(`report.runs[${index}].results[${at}]`, "an object", result);
			const suppressed = Array.isArray(result.suppressions) && result.suppressions.length > 0;
			return suppressed || result.baselineState === "absent" ? [] : [findingOf(result, bases)];
		});
	});
}

function findingOf(result: Readonly<Record<string, unknown>>, bases: ReadonlyMap<string, string>): Finding {
	const first: unknown = Array.isArray(result.locations) ? result.locations[0] : undefined;
	const physical = at(first, "physicalLocation");
	const artifact = at(physical, "artifactLocation");
	const uri = at(artifact, "uri");
	const baseId = at(artifact, "uriBaseId");
	const line = at(at(physical, "region"), "startLine");
	const rule = result.ruleId ?? at(result.rule, "id");
	const text = at(result.message, "text") ?? at(result.message, "markdown");
	return {
		place: typeof uri === "string" ? placeOf(uri, typeof baseId === "string" ? bases.get(baseId) : undefined) : "",
		line: typeof line === "number" && line >= 1 ? Math.floor(line) : 1,
		rule: typeof rule === "string" ? rule : "finding",
		message: typeof text === "string" ? text : "",
	};
}

function placeOf(uri: string, base: string | undefined): string {
	if (/^[a-z][a-z\d+.-]+:/i.test(uri)) return uri;
	if (base !== undefined) return `${base.replace(/\/?$/, "/")}${uri}`;
	try {
		return decodeURIComponent(uri);
	} catch {
		return uri;
	}
}

function baseUris(value: unknown): ReadonlyMap<string, string> {
	const bases = new Map<string, string>();
	if (!isObject(value)) return bases;
	for (const [id, location] of Object.entries(value)) {
		const uri = at(location, "uri");
		if (typeof uri === "string" && /^file:/i.test(uri)) bases.set(id, uri);
	}
	return bases;
}

function at(value: unknown, key: string): unknown {
	return isObject(value) ? value[key] : undefined;
}
