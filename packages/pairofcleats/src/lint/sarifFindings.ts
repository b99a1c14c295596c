import { invalidField } from "../contract/errors.ts";
import { isObject } from "./isObject.ts";
import type { Finding } from "./readLintReport.ts";

/** What only the whole run tells of its results. */
type Run = {
	readonly tool: string;
	readonly rules: unknown;
	readonly artifacts: unknown;
	/** Places that others are relative to, by their names. */
	readonly bases: unknown;
};

/** Kinds of results that find nothing wrong. */
const NO_FINDING: ReadonlySet<unknown> = new Set(["pass", "notApplicable", "informational"]);

/** Results of all runs of a SARIF log, at the first location of each. Suppressed, absent and passed ones are left out. */
export function sarifFindings(runs: readonly unknown[]): { tools: readonly string[]; findings: Finding[] } {
	const tools = new Set<string>();
	const findings = runs.flatMap((run, index) => {
		if (!isObject(run)) throw invalidField(`report.runs[${index}]`, "an object", run);
		const driver = at(run.tool, "driver");
		const name = at(driver, "name");
		const tool = typeof name === "string" && name.trim() !== "" ? name.trim().toLowerCase() : "sarif";
		tools.add(tool);
		if (run.results === undefined || run.results === null) return [];
		if (!Array.isArray(run.results)) throw invalidField(`report.runs[${index}].results`, "an array", run.results);
		const about = {
			tool,
			rules: at(driver, "rules"),
			artifacts: run.artifacts,
			bases: run.originalUriBaseIds,
		};
		return run.results.flatMap((result: unknown, at) => {
			if (!isObject(result)) throw invalidField(`report.runs[${index}].results[${at}]`, "an object", result);
			const counts = !isSuppressed(result) && result.baselineState !== "absent" && !NO_FINDING.has(result.kind);
			return counts ? [findingOf(result, about)] : [];
		});
	});
	return { tools: [...tools], findings };
}

/** Not while one who looks at it has yet to agree. */
function isSuppressed({ suppressions }: Readonly<Record<string, unknown>>): boolean {
	if (!Array.isArray(suppressions) || suppressions.length === 0) return false;
	return suppressions.every((one) => !["underReview", "rejected"].includes(String(at(one, "status"))));
}

function findingOf(result: Readonly<Record<string, unknown>>, run: Run): Finding {
	const first: unknown = Array.isArray(result.locations) ? result.locations[0] : undefined;
	const physical = at(first, "physicalLocation");
	const named = at(physical, "artifactLocation");
	// A place, like a rule, may be named by its number in the run's own list.
	const artifact = at(named, "uri") === undefined ? at(item(run.artifacts, at(named, "index")), "location") : named;
	const uri = at(artifact, "uri");
	const baseId = at(artifact, "uriBaseId");
	const line = at(at(physical, "region"), "startLine");
	const ruleIndex = result.ruleIndex ?? at(result.rule, "index");
	const rule = result.ruleId ?? at(result.rule, "id") ?? at(item(run.rules, ruleIndex), "id");
	const text = at(result.message, "text") ?? at(result.message, "markdown");
	return {
		tool: run.tool,
		place: typeof uri === "string" ? placeOf(uri, baseOf(baseId, run.bases)) : "",
		line: typeof line === "number" && line >= 1 ? Math.floor(line) : 1,
		rule: typeof rule === "string" ? rule : "finding",
		message: typeof text === "string" ? text : "",
	};
}

function item(list: unknown, index: unknown): unknown {
	return Array.isArray(list) && typeof index === "number" ? list[index] : undefined;
}

/** A path relative to the root, unless it or what it is relative to is an address. */
function placeOf(uri: string, base: string): string {
	if (ADDRESS.test(uri)) return uri;
	const place = `${base}${uri}`;
	if (ADDRESS.test(place)) return place;
	try {
		return decodeURIComponent(place);
	} catch {
		return place;
	}
}

const ADDRESS = /^[a-z][a-z\d+.-]+:/i;
/** More than this goes round in a ring. */
const DEEPEST_BASE = 20;

/** A base may be relative to another. One that says nothing, or lies on another machine, is taken for the root. */
function baseOf(id: unknown, bases: unknown): string {
	let place = "";
	let next = id;
	for (let depth = 0; depth < DEEPEST_BASE; depth++) {
		const base = isObject(bases) && typeof next === "string" && Object.hasOwn(bases, next) ? bases[next] : undefined;
		if (base === undefined) return place;
		const uri = at(base, "uri");
		const isAddress = typeof uri === "string" && ADDRESS.test(uri);
		if (isAddress && !/^file:/i.test(uri)) return place;
		if (typeof uri === "string" && uri !== "") place = `${uri.replace(/\/?$/, "/")}${place}`;
		if (isAddress) return place;
		next = at(base, "uriBaseId");
	}
	return "";
}

function at(value: unknown, key: string): unknown {
	return isObject(value) ? value[key] : undefined;
}
