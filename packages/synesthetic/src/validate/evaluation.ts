import { Identities } from "../json/jsonEqual.ts";
import { isExactNumber, type JsonKind, type JsonValue } from "../json/jsonValue.ts";
import { writePointerStep } from "../json/pointer.ts";
import { AnswerSize, CUT_OFF } from "../results.ts";
import { Notes, OUTERMOST, Pages, type Scope, Seen } from "./notes.ts";
import type { SchemaResource } from "./schemaRegistry.ts";

/** Stands in for a part of the asset that the text module has proved valid, so that it need not be parsed. */
export const SURE: unique symbol = Symbol("surely valid");

/** A value to evaluate. Only `evaluate` meets `SURE`: keywords see JSON values whose parts they pass on to it. */
export type PartlyKnown = JsonValue | typeof SURE;

/** One failed expectation. `schemaPath` says which keyword of which file asked for it. */
export type Violation = {
	readonly path: string;
	readonly msg: string;
	readonly keyword: string;
	readonly schemaPath: string;
	/**
	 * For a failed `anyOf` or `oneOf`: the violations of the likeliest alternative, with paths relative to this value.
	 */
	readonly within: readonly Violation[];
};

/** Why a value fails a keyword. */
export type Finding = Pick<Violation, "msg" | "within">;

/** A place in the instance, linked to its parent; undefined is the root. */
export type Place = { readonly parent: Place | undefined; readonly key: string | number; readonly depth: number };

/** Whether a value meets a keyword. Records the members and items it evaluated in `seen`, if given. */
export type Check<T> = (value: T, run: Run, at: Place | undefined, seen: Seen | undefined) => boolean;

/** A compiled keyword. Returns its checks for values of one kind; empty if every such value passes. */
export type Keyword = (kind: JsonKind) => Checks;
export type Checks = readonly Check<JsonValue>[];

/** A compiled schema. `late` keywords run last, because they depend on what the others have evaluated. */
export type SchemaNode = {
	/** The resource to enter in the dynamic scope; undefined if it has no dynamic anchors. */
	readonly scope: SchemaResource | undefined;
	readonly location: string;
	readonly keywords: Keyword[];
	readonly late: Keyword[];
	readonly never: boolean;
	/** The checks for each kind of value, made when the first such value is evaluated. */
	readonly plans: (Plan | undefined)[];
	/** One check that applies the whole schema. All references share this object, so that two of them apply it once. */
	readonly whole: Checks;
};

type Plan = { readonly first: Checks; readonly late: Checks };

/** State shared by all passes over one instance. */
export class Known {
	/** How many times a schema was applied to a value. */
	visits: number = 0;
	#verdicts: Notes<SchemaNode> | undefined;
	#findings: Pages<readonly SchemaNode[], Finding> | undefined;

	/** Created on first use, since few instances need it. */
	get verdicts(): Notes<SchemaNode> {
		this.#verdicts ??= new Notes();
		return this.#verdicts;
	}

	/** Explanations of values that no alternative of an `anyOf` or `oneOf` accepts. */
	get findings(): Pages<readonly SchemaNode[], Finding> {
		this.#findings ??= new Pages();
		return this.#findings;
	}
}

/** One pass over one instance. While `collecting`, it records every violation; otherwise it stops at the first. */
export class Run {
	readonly violations: Violation[] = [];
	readonly #size = new AnswerSize();
	#said: Set<string> | undefined;
	#identities: Identities | undefined;
	readonly known: Known;
	#told: Notes<SchemaNode> | undefined;
	/** Whether to explain a failed `anyOf` or `oneOf` by the alternative most likely meant. */
	readonly explaining: boolean;
	scope: Scope;
	collecting: boolean = true;

	constructor(known: Known = new Known(), scope: Scope = OUTERMOST, explaining = true) {
		this.known = known;
		this.scope = scope;
		this.explaining = explaining;
	}

	/** Always false, so that a keyword can `return run.fail(…)`. */
	fail(at: Place | undefined, node: SchemaNode, keyword: string, describe: () => string | Finding): false {
		if (this.collecting) {
			const schemaPath = keyword === "" ? node.location : `${node.location}/${keyword}`;
			const path = pathOf(at);
			const said = describe();
			const { msg, within } = typeof said === "string" ? { msg: said, within: [] } : said;
			// Several references may lead to the same keyword, which is reported once.
			const violation = `${schemaPath.length} ${path.length} ${schemaPath}${path}${msg}`;
			this.#said ??= new Set();
			if (this.#said.has(violation)) return false;
			this.#said.add(violation);
			this.collecting = this.#size.fits(path, msg);
			this.violations.push(
				this.collecting
					? { path, msg, keyword, schemaPath, within }
					: { path: "", msg: CUT_OFF, keyword: "", schemaPath: node.location, within: [] },
			);
		}
		return false;
	}

	/** Values whose violations of a schema have been reported, so that they are not reported again. */
	get told(): Notes<SchemaNode> {
		this.#told ??= new Notes();
		return this.#told;
	}

	/** Created on first use, since few schemas need it. */
	get identities(): Identities {
		this.#identities ??= new Identities();
		return this.#identities;
	}
}

export function evaluate(
	node: SchemaNode,
	value: PartlyKnown,
	run: Run,
	at: Place | undefined,
	seen: Seen | undefined,
): boolean {
	if (value === SURE) return true;
	const plan = planFor(node, kindNumber(value));
	if (plan === NO_CHECKS) return true;
	const { known, scope } = run;
	if (node.scope !== undefined) run.scope = scope.enter(node.scope);
	known.visits += 1;
	const valid =
		known.visits > FIRST_NOTED
			? applyOnce(node, plan, value, run, at, seen)
			: plan.late.length === 0
				? every(plan.first, value, run, at, seen)
				: inTwo(plan, value, run, at, seen);
	run.scope = scope;
	return valid;
}

/** Evaluates a member or item. Most are valid, so each is first tried without collecting, which is faster. */
export function evaluatePart(
	node: SchemaNode,
	value: PartlyKnown,
	run: Run,
	at: Place | undefined,
	key: string | number,
): boolean {
	if (!run.collecting) return evaluate(node, value, run, undefined, undefined);
	const depth = at === undefined ? 1 : at.depth + 1;
	if (depth <= MOST_TRIED && isMetBy(node, value, run, undefined)) return true;
	return evaluate(node, value, run, { parent: at, key, depth }, undefined);
}

/** Whether every value of that kind is valid against the schema. */
export function isMetByAll(node: SchemaNode, kind: JsonKind): boolean {
	return planFor(node, KINDS.indexOf(kind)) === NO_CHECKS;
}

/** The checks for applying a schema inside another: its own if they are few and need no scope, else `whole`. */
export function listChecks(node: SchemaNode, kind: JsonKind): Checks {
	const plan = planFor(node, KINDS.indexOf(kind));
	const { first, late } = plan;
	if (plan !== UNKNOWN && late.length === 0 && node.scope === undefined && first.length <= MOST_INLINED) return first;
	return node.whole;
}

const KINDS: readonly JsonKind[] = ["string", "number", "boolean", "null", "array", "object"];
const NO_CHECKS: Plan = { first: [], late: [] };
const UNKNOWN: Plan = { first: [() => false], late: [] };
// Nested `allOf`s that repeat a schema would double their checks at every level.
const MOST_INLINED = 8;
// Each level above an invalid value tries that value again, so deeper levels skip the trial to keep the time linear.
const MOST_TRIED = 16;
// Most instances are so small that taking notes would cost more than it saves.
const FIRST_NOTED = 16_384;

/** The index of the value's kind in `KINDS`. */
function kindNumber(value: JsonValue): number {
	switch (typeof value) {
		case "string":
			return 0;
		case "number":
			return 1;
		case "boolean":
			return 2;
		default:
			return value === null ? 3 : Array.isArray(value) ? 4 : isExactNumber(value) ? 1 : 5;
	}
}

function planFor(node: SchemaNode, kind: number): Plan {
	return node.plans[kind] ?? makePlan(node, kind);
}

function makePlan(node: SchemaNode, kind: number): Plan {
	// A schema that several keywords lead to is applied once.
	const checks = (keywords: readonly Keyword[]): Checks => [
		...new Set(keywords.flatMap((keyword) => keyword(KINDS[kind] ?? "null"))),
	];
	let plan: Plan | undefined;
	// A schema may refer to itself: until its checks are known, it must not look as if it had none.
	node.plans[kind] = UNKNOWN;
	try {
		plan = { first: checks(node.keywords), late: checks(node.late) };
		if (plan.first.length + plan.late.length === 0) plan = NO_CHECKS;
		return plan;
	} finally {
		node.plans[kind] = plan;
	}
}

/** Applies a schema to a value, or reuses the result from before if the dynamic scope and `collecting` are the same. */
function applyOnce(
	node: SchemaNode,
	plan: Plan,
	value: JsonValue,
	run: Run,
	at: Place | undefined,
	seen: Seen | undefined,
): boolean {
	const notes = run.collecting ? run.told : run.known.verdicts;
	const page = notes.page(node, run.scope, value, at);
	const note = page?.get(value);
	if (note !== undefined && (seen === undefined || note.seen !== undefined)) {
		if (note.seen !== undefined) seen?.merge(note.seen);
		return note.valid;
	}
	const own = seen && new Seen();
	const valid = plan.late.length === 0 ? every(plan.first, value, run, at, own) : inTwo(plan, value, run, at, own);
	page?.set(value, { valid, seen: own });
	if (own !== undefined) seen?.merge(own);
	return valid;
}

function inTwo(
	{ first, late }: Plan,
	value: JsonValue,
	run: Run,
	at: Place | undefined,
	seen: Seen | undefined,
): boolean {
	const own = new Seen();
	const met = every(first, value, run, at, own);
	if (!met && !run.collecting) return false;
	const valid = every(late, value, run, at, own) && met;
	if (valid || run.collecting) seen?.merge(own);
	return valid;
}

/** Tries a schema without reporting failures; what it evaluated counts only if it passes. */
export function isMetBy(node: SchemaNode, value: PartlyKnown, run: Run, seen: Seen | undefined): boolean {
	const { collecting } = run;
	run.collecting = false;
	const own = seen === undefined ? undefined : new Seen();
	const valid = evaluate(node, value, run, undefined, own);
	run.collecting = collecting;
	if (valid && own !== undefined) seen?.merge(own);
	return valid;
}

function every(checks: Checks, value: JsonValue, run: Run, at: Place | undefined, seen: Seen | undefined): boolean {
	let valid = true;
	// By index: this is the innermost loop, and an iterator costs as much as most keywords before it is optimised away.
	for (let i = 0; i < checks.length; i += 1) {
		if (checks[i]?.(value, run, at, seen) === true) continue;
		if (!run.collecting) return false;
		valid = false;
	}
	return valid;
}

function pathOf(at: Place | undefined): string {
	let path = "";
	for (let place = at; place !== undefined; place = place.parent) path = writePointerStep(place.key) + path;
	return path;
}
