import { ToolError } from "../../contract/errors.ts";
import type { CodeTools } from "../engine.ts";

type Listed = ReturnType<CodeTools["list"]>;

/**
 * Finds the tool that `tools.<namespace>.<name>` means. The plain reading `namespace:name` wins, then the name that its
 * server gave it; otherwise the path is compared with every listed tool as it would be written with identifiers, so
 * `tools.my_server.get_it` finds `my-server:get.it`. A path that fits two tools is refused, never guessed.
 */
export class ToolPaths {
	readonly #list: () => Listed;
	#known: Known | undefined;

	constructor(list: () => Listed) {
		this.#list = list;
	}

	idOf(target: unknown): string {
		if (!Array.isArray(target) || target.length === 0 || !target.every((part) => typeof part === "string"))
			throw new ToolError("validation_input", "A tool is called as tools.<namespace>.<name>(args).");
		const id = plainId(target);
		this.#known ??= index(this.#list());
		const { ids, byDeclared, byPath } = this.#known;
		if (ids.has(id)) return id;
		const candidates = byDeclared.get(declaredPath(target)) ?? byPath.get(identifierPath(target)) ?? [];
		if (candidates.length > 1)
			throw new ToolError(
				"tool_not_found",
				`tools.${target.join(".")} fits ${candidates.join(" and ")}; use tools.call with one of these ids.`,
			);
		return candidates[0] ?? id;
	}
}

type Known = {
	readonly ids: ReadonlySet<string>;
	readonly byDeclared: ReadonlyMap<string, readonly string[]>;
	readonly byPath: ReadonlyMap<string, readonly string[]>;
};

function plainId(path: readonly string[]): string {
	const namespace = path.slice(0, -1).join(".");
	const name = path.at(-1) ?? "";
	return namespace === "" ? name : `${namespace}:${name}`;
}

function index(tools: Listed): Known {
	const byDeclared = new Map<string, string[]>();
	const byPath = new Map<string, string[]>();
	const byId = new Map(tools.map((tool) => [idOf(tool), tool]));
	const enter = (map: Map<string, string[]>, paths: readonly string[], id: string): void => {
		for (const path of new Set(paths)) {
			const entered = map.get(path);
			if (entered === undefined) map.set(path, [id]);
			else entered.push(id);
		}
	};
	for (const [id, { namespace, name, declaredName }] of byId) {
		if (declaredName !== undefined) enter(byDeclared, written(namespace, [declaredName]).map(declaredPath), id);
		const names = [[name], name.split(".")];
		enter(byPath, names.flatMap((parts) => written(namespace, parts)).map(identifierPath), id);
	}
	return { ids: new Set(byId.keys()), byDeclared, byPath };
}

/** Without a version, so that of several the newest is called. */
function idOf({ namespace, name }: Listed[number]): string {
	return plainId(namespace === undefined ? [name] : [namespace, name]);
}

/** A dot may be written as a property or, like any other sign, as an underscore. */
function written(namespace: string | undefined, name: readonly string[]): (readonly string[])[] {
	return namespace === undefined
		? [name]
		: [
				[namespace, ...name],
				[...namespace.split("."), ...name],
			];
}

/** The namespace as identifiers, but the name to the letter. */
function declaredPath(parts: readonly string[]): string {
	return `${identifierPath(parts.slice(0, -1))}:${parts.at(-1)}`;
}

function identifierPath(parts: readonly string[]): string {
	return parts.map((part) => part.replaceAll(/[^A-Za-z0-9_$]/g, "_")).join(".");
}
