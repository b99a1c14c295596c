import { suggestion } from "../command/nearest.ts";
import { isRecord, nameOf } from "./protocol.ts";
import { protocolError } from "./rpcErrors.ts";

/** Finds what a client asks for by name. No two may share one, and of a wrong name it is told which was probably meant. */
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

/** The `arguments` of a request; there need not be any. */
export function argumentsOf(params: unknown): Record<string, unknown> {
	const { arguments: args = {} } = isRecord(params) ? params : {};
	if (isRecord(args)) return args;
	throw protocolError("INVALID_PARAMS", `arguments: expected an object, got ${nameOf(args)}`);
}
