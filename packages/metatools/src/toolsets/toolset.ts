import { createHash } from "node:crypto";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { canMatchAfter, compilePattern, hasAllAfter, listAskedIds, listRuleIds } from "../catalog/toolId.ts";
import { ALLOW, type Gate, HIDE } from "../run/access.ts";

export type ToolsetConfig = {
	readonly description?: string;
	/** Tool ids; `*` stands for any run of characters. */
	readonly tools: readonly string[];
	readonly exclude?: readonly string[];
};

/** A named part of the catalogue, evaluated whenever it is needed. */
export type Toolset = {
	readonly id: string;
	readonly name: string;
	readonly description?: string;
	readonly tools: readonly string[];
	readonly exclude: readonly string[];
	holds(tool: CatalogTool): boolean;
	/** Whether it may hold a tool of a namespace whose tools are not known yet, or the one of this id. */
	mayHold(namespace: string, id?: string): boolean;
};

export function createToolsets(config: Readonly<Record<string, ToolsetConfig>>): readonly Toolset[] {
	return Object.entries(config).map(([name, chosen]) => new ChosenTools(name, chosen));
}

/** Holds only data: a configuration change is detected by deep comparison, so equal toolsets must compare equal. */
class ChosenTools implements Toolset {
	readonly id: string;
	readonly name: string;
	readonly description?: string;
	readonly tools: readonly string[];
	readonly exclude: readonly string[];
	readonly #wanted: readonly ((id: string) => boolean)[];
	readonly #unwanted: readonly ((id: string) => boolean)[];

	constructor(name: string, { description, tools, exclude = [] }: ToolsetConfig) {
		this.id = createToolsetId(name);
		this.name = name;
		if (description !== undefined) this.description = description;
		this.tools = tools;
		this.exclude = exclude;
		this.#wanted = tools.map(compilePattern);
		this.#unwanted = exclude.map(compilePattern);
	}

	holds(tool: CatalogTool): boolean {
		return this.#chooses(listRuleIds(tool));
	}

	mayHold(namespace: string, id?: string): boolean {
		if (id !== undefined) return this.#chooses(listAskedIds(id));
		const prefix = `${namespace}:`;
		return (
			this.tools.some((pattern) => canMatchAfter(prefix, pattern)) &&
			!this.exclude.some((pattern) => hasAllAfter(prefix, pattern))
		);
	}

	#chooses(ids: readonly string[]): boolean {
		return this.#wanted.some((match) => ids.some(match)) && !this.#unwanted.some((match) => ids.some(match));
	}
}

export function createToolsetId(name: string): string {
	return `toolset:${slugName(name)}`;
}

export function findToolset(toolsets: readonly Toolset[], idOrName: string): Toolset | undefined {
	return toolsets.find((set) => set.id === idOrName || set.name === idOrName);
}

export function listToolsOf(catalog: Catalog, toolset: Toolset): readonly CatalogTool[] {
	return catalog.tools.filter((tool) => toolset.holds(tool));
}

/** Confines a viewer to its toolset: what is outside does not exist for it. */
export function createToolsetGate(toolsets: () => readonly Toolset[]): Gate {
	return {
		check(tool, viewer) {
			if (viewer.toolset === undefined) return ALLOW;
			return findToolset(toolsets(), viewer.toolset)?.holds(tool) === true ? ALLOW : HIDE;
		},
		admits(namespace, viewer, id) {
			if (viewer.toolset === undefined) return true;
			return findToolset(toolsets(), viewer.toolset)?.mayHold(namespace, id) === true;
		},
	};
}

export function slugName(name: string): string {
	const plain = name
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-+|-+$/g, "");
	return plain !== "" ? plain : createHash("sha256").update(name).digest("hex").slice(0, 8);
}
