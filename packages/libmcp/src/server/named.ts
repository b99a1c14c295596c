import { suggestion } from "../command/nearest.ts";
import { isRecord, nameOf } from "./protocol.ts";
import { protocolError } from "./rpcErrors.ts";

/** Looks items up by name. Names must be unique; the error for an unknown one suggests the closest. */
export function named<Item extends { readonly listed: { readonly name: string } }>(
	kind: "tool" | "prompt",
	items: readonly Item[],
): (name: unknown) => Item {
	const names = items.map(({ listed }) => listed.name);
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice !== undefined)
		throw new TypeError(`${kind}s: expected names that differ, got ${JSON.stringify(twice)} twice`);
	const byName = new Map(items.map((item) => [item.listed.name, item]));
	return (name) => {
		const item = typeof name === "string" ? byName.get(name) : undefined;
		if (item !== undefined) return item;
		const came = typeof name === "string" ? JSON.stringify(name.slice(0, 128)) : nameOf(name);
		const hint = typeof name === "string" ? suggestion(name.slice(0, 128), names) : "";
		throw protocolError("INVALID_PARAMS", `name: expected a ${kind} of this server, got ${came}${hint}`);
	};
}

/** The `arguments` of a request; empty when absent. */
export function argumentsOf(params: unknown): Record<string, unknown> {
	const { arguments: args = {} } = isRecord(params) ? params : {};
	if (isRecord(args)) return args;
	throw protocolError("INVALID_PARAMS", `arguments: expected an object, got ${nameOf(args)}`);
}
