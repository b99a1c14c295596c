import type { Dispatcher } from "../protocol/dispatcher.ts";
import { describeKind, isRecord } from "../protocol/protocol.ts";
import { protocolError } from "../protocol/rpcErrors.ts";

/** Suggests values for an argument, best first, from the text typed so far and the other arguments. */
export type Complete = (
	typed: string,
	settled: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

export type Completions<Name extends string> = { readonly [Argument in Name]?: Complete };

/** Something with completable arguments: a prompt, identified by name, or a resource template, by URI. */
export type Completable = {
	readonly reference: string;
	readonly complete: Completions<string>;
};

// The protocol's limit.
const MOST_VALUES = 100;

/** Answers `completion/complete`; an argument without completions gets an empty list. */
export function completionDispatcher(completables: readonly Completable[], otherwise: Dispatcher): Dispatcher {
	const byReference = new Map(completables.map((completable) => [completable.reference, completable.complete]));
	return async (method, params, context) => {
		if (method !== "completion/complete") return otherwise(method, params, context);
		const { ref, argument, context: known } = isRecord(params) ? params : {};
		const { name, value } = isRecord(argument) ? argument : {};
		if (typeof name !== "string") throw expected("argument.name", "a string", name);
		if (typeof value !== "string") throw expected("argument.value", "a string", value);
		const completions = byReference.get(referenceIn(ref)) ?? {};
		const complete = Object.hasOwn(completions, name) ? completions[name] : undefined;
		const values = (await complete?.(value, settledIn(known))) ?? [];
		const hasMore = values.length > MOST_VALUES;
		return { completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore } };
	};
}

export function promptReference(name: string): string {
	return `ref/prompt ${name}`;
}

export function resourceReference(uriTemplate: string): string {
	return `ref/resource ${uriTemplate}`;
}

function referenceIn(ref: unknown): string {
	const { type, name, uri } = isRecord(ref) ? ref : {};
	if (type === "ref/prompt" && typeof name === "string") return promptReference(name);
	if (type === "ref/resource" && typeof uri === "string") return resourceReference(uri);
	throw expected("ref", "a prompt by its name or a template of resources by its uri", ref);
}

function settledIn(known: unknown): Record<string, string> {
	const given = isRecord(known) && isRecord(known.arguments) ? known.arguments : {};
	return Object.fromEntries(
		Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
	);
}

function expected(field: string, what: string, got: unknown): Error {
	return protocolError("INVALID_PARAMS", `${field}: expected ${what}, got ${describeKind(got)}`);
}
