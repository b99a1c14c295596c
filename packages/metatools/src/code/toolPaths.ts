import { ToolError } from "../contract/errors.ts";
import type { CodeTools } from "./engine.ts";

type Listed = ReturnType<CodeTools["list"]>;

/**
 * Finds the tool that `tools.<namespace>.<name>` means. The plain reading `namespace:name` wins; otherwise the path is
 * compared with every listed tool as it would be written with identifiers, so `tools.my_server.get_it` finds
 * `my-server:get.it`. A path that fits two tools is refused, never guessed.
 */
export class ToolPaths {
	readonly #list: () => Listed;
	#known: { ids: ReadonlySet<string>; byPath: ReadonlyMap<string, readonly string[]> } | undefined;

	constructor(list: () => Listed) {
		this.#list = list;
	}

	idOf(target: unknown): string {
		if (!Array.isArray(target) || target.length === 0 || !target.every((part) => typeof part === "string"))
			throw new ToolError("validation_input", "A tool is called as tools.<namespace>.<name>(args).");
		const id = plainId(target);
		this.#known ??= index(this.#list());
		if (this.#known.ids.has(id)) return id;
		const candidates = this.#known.byPath.get(identifierPath(target)) ?? [];
		if (candidates.length > 1)
			throw new ToolError(
				"tool_not_found",
				`tools.${target.join(".")} fits ${candidates.join(" and ")}; use tools.call with one of these ids.`,
			);
		return candidates[0] ?? id;
	}
}

function plainId(path: readonly string[]): string {
	const namespace = path.slice(0, -1).join(".");
	const name = path.at(-1) ?? "";
	return namespace === "" ? name : `${namespace}:${name}`;
}

function index(tools: Listed): { ids: Set<string>; byPath: Map<string, string[]> } {
	const byPath = new Map<string, string[]>();
	for (const { id, namespace, name } of tools) {
		for (const path of new Set(spellings(namespace, name))) byPath.set(path, [...(byPath.get(path) ?? []), id]);
	}
	return { ids: new Set(tools.map(({ id }) => id)), byPath };
}

/** A dot of the namespace may be written as a property or, like any other sign, as an underscore. */
function spellings(namespace: string | undefined, name: string): string[] {
	if (namespace === undefined) return [identifierPath([name])];
	return [identifierPath([namespace, name]), identifierPath([...namespace.split("."), name])];
}

function identifierPath(parts: readonly string[]): string {
	return parts.map((part) => part.replaceAll(/[^A-Za-z0-9_$]/g, "_")).join(".");
}
