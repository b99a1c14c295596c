import { AnswerSize, CUT_OFF } from "../answerSize.ts";
import { Identities } from "../json/identities.ts";
import { isExactNumber, type JsonKind, type JsonValue } from "../json/jsonValue.ts";
import { pointerStep } from "../json/pointer.ts";
import { Decisions, Known } from "./decisions.ts";
import type { SchemaResource } from "./schemaRegistry.ts";
import { Seen } from "./seen.ts";

/** Stands for a value that is known to meet all that is asked of it. Nothing that JSON can say is the same. */
export const SURE: JsonValue = Symbol("surely valid") as unknown as JsonValue;

/** One failed expectation. `schemaPath` says which keyword of which file asked for it. */
export type Violation = {
	readonly path: string;
	readonly msg: string;
	readonly keyword: string;
	readonly schemaPath: string;
	/** Of a choice of alternatives: what fails by the one most likely meant, its paths from this value on. */
	readonly within: readonly Violation[];
};

/** What a keyword has to say against a value. */
export type Finding = Pick<Violation, "msg" | "within">;

/** A place in the instance, as the way back to its root. */
export type Place = { readonly parent: Place | undefined; readonly key: string | number; readonly depth: number };

/** Whether a value meets a keyword; what that evaluated is noted in `seen` where somebody asks. */
export type Check<T> = (value: T, run: Run, at: Place | undefined, seen: Seen | undefined) => boolean;

/** A compiled keyword: the checks for values of a given kind, none if any such value will do. */
export type Keyword = (kind: JsonKind) => Checks;
export type Checks = readonly Check<JsonValue>[];

/** A compiled schema. `late` keywords look at what the others have evaluated. */
export type SchemaNode = {
	/** Undefined where entering it changes no dynamic reference. */
	readonly scope: SchemaResource | undefined;
	readonly location: string;
	readonly keywords: Keyword[];
	readonly late: Keyword[];
	readonly never: boolean;
	/** The checks for each kind of value, filled in when the first such value comes. */
	readonly plans: (Plan | undefined)[];
	/** The one check that applies all of it, so that a schema that is referred to twice is applied once. */
	readonly whole: Checks;
};

type Plan = { readonly first: Checks; readonly late: Checks };

type Scope = { readonly resource: SchemaResource; readonly outer: Scope | undefined };

/** One pass over one instance. It collects every violation; while it does not collect, it stops at the first. */
export class Run {
	readonly violations: Violation[] = [];
	readonly #size = new AnswerSize();
	#said: Set<string> | undefined;
	#identities: Identities | undefined;
	readonly known: Known;
	#told: Decisions<SchemaNode> | undefined;
	/** Whether it says of a choice that failed what fails by the alternative most likely meant. */
	readonly explaining: boolean;
	scope: Scope | undefined;
	collecting: boolean = true;

	constructor(known: Known = new Known(), explaining = true) {
		this.known = known;
		this.explaining = explaining;
	}

	/** Always false, so that a keyword can `return run.fail(…)`. */
	fail(at: Place | undefined, node: SchemaNode, keyword: string, describe: () => string | Finding): false {
		if (this.collecting) {
			const schemaPath = keyword === "" ? node.location : `${node.location}/${keyword}`;
			const path = pathOf(at);
			const said = describe();
			const { msg, within } = typeof said === "string" ? { msg: said, within: [] } : said;
			// Several ways through a schema may lead to the same keyword of it.
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

	/** Of which members and items all that is wrong was told: by the same schema once is enough. */
	get told(): Decisions<SchemaNode> {
		this.#told ??= new Decisions(0);
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
	value: JsonValue,
	run: Run,
	at: Place | undefined,
	seen: Seen | undefined,
): boolean {
	if (value === SURE) return true;
	const plan = planFor(node, kindNumber(value));
	if (plan === NO_CHECKS) return true;
	const outer = run.scope;
	if (node.scope !== undefined && outer?.resource !== node.scope) run.scope = { resource: node.scope, outer };
	const valid = plan.late.length === 0 ? every(plan.first, value, run, at, seen) : inTwo(plan, value, run, at, seen);
	run.scope = outer;
	return valid;
}

/** Evaluates a member or item. Most are valid, so each is first tried without collecting, which is faster. */
export function evaluateInside(
	node: SchemaNode,
	value: JsonValue,
	run: Run,
	at: Place | undefined,
	key: string | number,
): boolean {
	if (!run.collecting) return isMetBy(node, value, run);
	const depth = at === undefined ? 1 : at.depth + 1;
	if (depth <= MOST_TRIED && acceptsInside(node, value, run)) return true;
	const place = { parent: at, key, depth };
	const isNoted = typeof value === "object" && run.scope === undefined;
	return isNoted ? tellOnce(node, value, run, place) : evaluate(node, value, run, place, undefined);
}

/** Tries a schema on a member or item without reporting failures. */
export function acceptsInside(node: SchemaNode, value: JsonValue, run: Run): boolean {
	const { collecting } = run;
	run.collecting = false;
	const valid = isMetBy(node, value, run);
	run.collecting = collecting;
	return valid;
}

function isMetBy(node: SchemaNode, value: JsonValue, run: Run): boolean {
	const { known } = run;
	known.visits += 1;
	// What a dynamic reference leads to may differ from one place to the next, so nothing is noted where there are any.
	if (known.visits < FIRST_NOTED || run.scope !== undefined) return evaluate(node, value, run, undefined, undefined);
	return findOnce(node, value, run);
}

// Functions of their own: whoever makes a closure pays for it on every call, whether it comes to that or not.
function findOnce(node: SchemaNode, value: JsonValue, run: Run): boolean {
	return run.known.insides.decide(node, value, () => evaluate(node, value, run, undefined, undefined));
}

function tellOnce(node: SchemaNode, value: JsonValue, run: Run, at: Place): boolean {
	return run.told.decide(node, value, () => evaluate(node, value, run, at, undefined));
}

/** Whether every value of that kind is valid. */
export function allowsAll(node: SchemaNode, kind: JsonKind): boolean {
	return planFor(node, KINDS.indexOf(kind)) === NO_CHECKS;
}

/** The checks that apply a schema as part of another: its own, where they are few and need nothing else of it. */
export function checksOf(node: SchemaNode, kind: JsonKind): Checks {
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
// An invalid value is tried again at each level above it; deeper ones are not tried, so that the time stays linear.
const MOST_TRIED = 16;
// Most instances are done before a note of their parts would pay.
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
	// For a schema that refers to itself: until its checks are found, it must not seem to have none.
	node.plans[kind] = UNKNOWN;
	try {
		plan = { first: checks(node.keywords), late: checks(node.late) };
		if (plan.first.length + plan.late.length === 0) plan = NO_CHECKS;
		return plan;
	} finally {
		node.plans[kind] = plan;
	}
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
export function accepts(node: SchemaNode, value: JsonValue, run: Run, seen: Seen | undefined): boolean {
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
	for (let place = at; place !== undefined; place = place.parent) path = pointerStep(place.key) + path;
	return path;
}
