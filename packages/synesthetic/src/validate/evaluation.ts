import { AnswerSize, CUT_OFF } from "../answerSize.ts";
import { Identities } from "../json/identities.ts";
import type { JsonValue } from "../json/jsonValue.ts";
import { pointerStep } from "../json/pointer.ts";
import type { SchemaResource } from "./schemaRegistry.ts";

/** One failed expectation. `schemaPath` says which keyword of which file asked for it. */
export type Violation = {
	readonly path: string;
	readonly msg: string;
	readonly keyword: string;
	readonly schemaPath: string;
};

/** A place in the instance, as the way back to its root. */
export type Place = { readonly parent: Place | undefined; readonly key: string | number };

/** A compiled keyword: whether the value meets it; what it evaluated is noted in `seen` where somebody asks. */
export type Keyword = (value: JsonValue, run: Run, at: Place | undefined, seen: Seen | undefined) => boolean;

/** A compiled schema. `late` keywords look at what the others have evaluated. */
export type SchemaNode = {
	readonly resource: SchemaResource;
	readonly location: string;
	readonly keywords: Keyword[];
	readonly late: Keyword[];
	readonly never: boolean;
};

type Scope = { readonly resource: SchemaResource; readonly outer: Scope | undefined };

/** Which members and items of one value were evaluated so far; `true` stands for all of them. */
export class Seen {
	properties: Set<string> | true = new Set();
	items: number | true = 0;
	readonly scattered: Set<number> = new Set();

	property(key: string): void {
		if (this.properties !== true) this.properties.add(key);
	}

	has(key: string): boolean {
		return this.properties === true || this.properties.has(key);
	}

	hasItem(index: number): boolean {
		return this.items === true || index < this.items || this.scattered.has(index);
	}

	merge(other: Seen): void {
		if (other.properties === true) this.properties = true;
		else for (const key of other.properties) this.property(key);
		if (other.items === true) this.items = true;
		else if (this.items !== true) this.items = Math.max(this.items, other.items);
		for (const index of other.scattered) this.scattered.add(index);
	}
}

/** One pass over one instance: stops at the first failure, unless it collects them all. */
export class Run {
	readonly violations: Violation[] = [];
	readonly #size = new AnswerSize();
	#identities: Identities | undefined;
	scope: Scope | undefined;
	collecting: boolean;

	constructor(collecting: boolean) {
		this.collecting = collecting;
	}

	/** Always false, so that a keyword can `return run.fail(…)`. */
	fail(at: Place | undefined, node: SchemaNode, keyword: string, describe: () => string): false {
		if (this.collecting) {
			const schemaPath = keyword === "" ? node.location : `${node.location}/${keyword}`;
			const path = pathOf(at);
			const msg = describe();
			this.collecting = this.#size.fits(path, msg);
			this.violations.push(
				this.collecting
					? { path, msg, keyword, schemaPath }
					: { path: "", msg: CUT_OFF, keyword: "", schemaPath: node.location },
			);
		}
		return false;
	}

	/** Created on first use, since few schemas need it. */
	get identities(): Identities {
		this.#identities ??= new Identities();
		return this.#identities;
	}

	/** The place one step down; not tracked unless violations are collected. */
	down(at: Place | undefined, key: string | number): Place | undefined {
		return this.collecting ? { parent: at, key } : undefined;
	}
}

export function evaluate(
	node: SchemaNode,
	value: JsonValue,
	run: Run,
	at: Place | undefined,
	seen: Seen | undefined,
): boolean {
	if (node.never) return run.fail(at, node, "", () => "no value is allowed here");
	const outer = run.scope;
	if (outer?.resource !== node.resource) run.scope = { resource: node.resource, outer };
	const valid = node.late.length === 0 ? every(node.keywords, value, run, at, seen) : inTwo(node, value, run, at, seen);
	run.scope = outer;
	return valid;
}

function inTwo(node: SchemaNode, value: JsonValue, run: Run, at: Place | undefined, seen: Seen | undefined): boolean {
	const own = new Seen();
	// Members of a failed subschema count as unevaluated; naming them too would only bury the real failure.
	const valid = every(node.keywords, value, run, at, own) && every(node.late, value, run, at, own);
	if (valid) seen?.merge(own);
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

function every(
	keywords: readonly Keyword[],
	value: JsonValue,
	run: Run,
	at: Place | undefined,
	seen: Seen | undefined,
): boolean {
	let valid = true;
	// By index: this is the innermost loop, and an iterator costs as much as most keywords before it is optimised away.
	for (let i = 0; i < keywords.length; i += 1) {
		if (keywords[i]?.(value, run, at, seen) === true) continue;
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
