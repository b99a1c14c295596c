import { invalidField } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One result of a SARIF run, with the data that only the run has. */
export type SarifResult = {
	readonly tool: string;
	readonly ruleId?: string;
	/** The rule's entry in the run. */
	readonly rule?: unknown;
	readonly message: string;
	/**
	 * Candidates for its first location in a file, each a path or a `file:` URL, most likely first. Empty if it has no location.
	 */
	readonly places: readonly string[];
	readonly line?: number;
	/** Why the result needs no action, if so. */
	readonly moot?: "suppressed" | "absent" | "passed";
	readonly raw: Fields;
};

/** Kinds of results that report no problem. */
const NO_FINDING: ReadonlySet<unknown> = new Set(["pass", "notApplicable", "informational"]);

/** The tool of a run and all its results. `name` names the run in errors. */
export function readSarifRun(run: unknown, name: string): { tool: string; results: SarifResult[] } {
	if (!isObject(run)) throw invalidField(name, "an object", run);
	const driver = at(run.tool, "driver");
	const called = at(driver, "name");
	const tool = typeof called === "string" && called.trim() !== "" ? called.trim() : "sarif";
	const results = run.results ?? [];
	if (!Array.isArray(results)) throw invalidField(`${name}.results`, "an array", results);
	const rules = new Map(
		[driver, ...list(at(run.tool, "extensions"))]
			.flatMap((component) => list(at(component, "rules")))
			.map((rule) => [at(rule, "id"), rule]),
	);
	return {
		tool,
		results: results.map((raw: unknown, index): SarifResult => {
			if (!isObject(raw)) throw invalidField(`${name}.results[${index}]`, "an object", raw);
			const ruleId = ruleIdOf(raw, run.tool);
			const rule = rules.get(ruleId);
			const moot = mootOf(raw);
			const physical = list(raw.locations)
				.map((location) => at(location, "physicalLocation"))
				.find((found) => found !== undefined);
			const line = at(at(physical, "region"), "startLine");
			return {
				tool,
				...(ruleId !== undefined && { ruleId }),
				...(rule !== undefined && { rule }),
				message: messageOf(raw.message, rule),
				places: placesOf(at(physical, "artifactLocation"), run),
				...(typeof line === "number" && line >= 1 && { line: Math.floor(line) }),
				...(moot !== undefined && { moot }),
				raw,
			};
		}),
	};
}

/** A suppression that is still under review does not count. */
function mootOf({ suppressions, baselineState, kind }: Fields): SarifResult["moot"] {
	const settled = list(suppressions).every((one) => !["underReview", "rejected"].includes(String(at(one, "status"))));
	if (list(suppressions).length > 0 && settled) return "suppressed";
	if (baselineState === "absent") return "absent";
	return NO_FINDING.has(kind) ? "passed" : undefined;
}

/** A rule can be given by its index in the rules of the driver or of an extension. */
function ruleIdOf(result: Fields, tool: unknown): string | undefined {
	const { ruleId, ruleIndex, rule } = result;
	const extension = at(at(rule, "toolComponent"), "index");
	const component = typeof extension === "number" ? item(at(tool, "extensions"), extension) : at(tool, "driver");
	const numbered = at(item(at(component, "rules"), ruleIndex ?? at(rule, "index")), "id");
	return [ruleId, at(rule, "id"), numbered].find((id) => typeof id === "string");
}

/** Limit on the text that arguments add, since a template can repeat a long argument a thousand times. */
const MOST_FILLED = 16 * 1024;

/** The message's own text, else the rule's text with the arguments filled in, else what the rule is about. */
function messageOf(message: unknown, rule: unknown): string {
	const own = at(message, "text") ?? at(message, "markdown");
	if (typeof own === "string" && own !== "") return own;
	const named = at(at(at(rule, "messageStrings"), String(at(message, "id"))), "text");
	const text = named ?? at(at(rule, "shortDescription"), "text");
	if (typeof text !== "string") return "";
	const given = list(at(message, "arguments"));
	let room = MOST_FILLED;
	return text.replace(/\{(\d+)\}/g, (hole, index) => {
		const value = given[Number(index)] ?? hole;
		const filled = (typeof value === "object" ? hole : String(value)).slice(0, room);
		room -= filled.length;
		return filled;
	});
}

/** An artifact can be given by its index in the run's list. */
function placesOf(named: unknown, { artifacts, originalUriBaseIds: bases }: Fields): string[] {
	const artifact = at(named, "uri") === undefined ? at(item(artifacts, at(named, "index")), "location") : named;
	const uri = at(artifact, "uri");
	if (typeof uri !== "string") return [];
	if (ADDRESS.test(uri)) return [uri];
	const { address, folder } = baseOf(at(artifact, "uriBaseId"), bases);
	// The absolute path on the scanning machine may not exist here.
	const here = decoded(`${folder}${uri}`);
	return address === "" ? [here] : [`${address}${folder}${uri}`, here];
}

function decoded(place: string): string {
	try {
		return decodeURIComponent(place);
	} catch {
		return place;
	}
}

const ADDRESS = /^[a-z][a-z\d+.-]+:/i;
/** A longer chain of bases is a cycle. */
const DEEPEST_BASE = 20;

/** A base can be relative to another base. An empty base, or one on another machine, counts as the root. */
function baseOf(id: unknown, bases: unknown): { address: string; folder: string } {
	let folder = "";
	let next = id;
	for (let depth = 0; depth < DEEPEST_BASE; depth++) {
		const base = isObject(bases) && typeof next === "string" && Object.hasOwn(bases, next) ? bases[next] : undefined;
		const uri = at(base, "uri");
		const ending = typeof uri === "string" && uri !== "" ? uri.replace(/\/?$/, "/") : "";
		if (ADDRESS.test(ending)) return { address: /^file:/i.test(ending) ? ending : "", folder };
		if (base === undefined) return { address: "", folder };
		folder = `${ending}${folder}`;
		next = at(base, "uriBaseId");
	}
	return { address: "", folder: "" };
}

function list(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function item(from: unknown, index: unknown): unknown {
	return typeof index === "number" ? list(from)[index] : undefined;
}

function at(value: unknown, key: string): unknown {
	return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
