import { createHash } from "node:crypto";
import type { Backend, ToolSummary } from "../contract/results.ts";
import { readDocs, shortenDescription } from "./docs.ts";
import { type NamedTool, nameTools } from "./naming.ts";
import type { CatalogTool, NamespaceTools } from "./tool.ts";
import { formatToolId, isNewer, parseToolId } from "./toolId.ts";

type NamespaceEntry = {
	readonly tools: readonly CatalogTool[];
	readonly description: string;
	readonly instructions: string | undefined;
	readonly problems: readonly string[];
};

/** All known tools, by id and in id order. It changes only by replacing a whole namespace. */
export class Catalog {
	readonly #namespaces = new Map<string, NamespaceEntry>();
	readonly #listeners = new Set<() => void>();
	#byId = new Map<string, CatalogTool>();
	#byNamespace = new Map<string, CatalogTool[]>();
	#byDeclared = new Map<string, CatalogTool>();
	#versioned = new Map<string, CatalogTool[]>();
	#ordered: readonly CatalogTool[] = [];
	#version = computeFingerprint([]);

	/** A fingerprint of the listing: equal listings have equal versions, even after a change was undone. */
	get version(): string {
		return this.#version;
	}

	get tools(): readonly CatalogTool[] {
		return this.#ordered;
	}

	get namespaces(): readonly string[] {
		return [...this.#namespaces.keys()].sort();
	}

	/** Replaces all tools of a namespace; returns whether the listing changed. */
	set(offer: NamespaceTools): boolean {
		const { tools, problems } = nameTools(offer.namespace, offer.definitions);
		const entries = tools.map((tool) => createEntry(tool, offer.namespace, offer.backendOf(tool.definition)));
		const { description = "", instructions } = offer;
		this.#namespaces.set(offer.namespace, { tools: entries, description, instructions, problems });
		return this.#rebuild();
	}

	remove(namespace: string): boolean {
		return this.#namespaces.delete(namespace) && this.#rebuild();
	}

	get(id: string): CatalogTool | undefined {
		return this.#byId.get(id);
	}

	/** The tool that a server declares under this name; the first by id if it declares several versions. */
	declared(namespace: string, name: string): CatalogTool | undefined {
		return this.#byDeclared.get(declaredKey(namespace, name));
	}

	/** Every tool an id may mean: the id itself, the newest version of it, or each namespace's tool of that bare name. */
	resolve(id: string): readonly CatalogTool[] {
		const exact = this.#byId.get(id);
		if (exact !== undefined) return [exact];
		const parts = parseToolId(id);
		if (parts === undefined || parts.version !== undefined) return [];
		const named = this.#ordered.filter(
			(tool) => tool.name === parts.name && (parts.namespace === undefined || tool.namespace === parts.namespace),
		);
		const newest = new Map<string, CatalogTool>();
		for (const tool of named) {
			const rival = newest.get(tool.namespace);
			if (rival === undefined || isNewer(tool.version, rival.version)) newest.set(tool.namespace, tool);
		}
		return [...newest.values()];
	}

	/** All versions of this tool that its server offers now, including the one without a version. */
	versionsOf({ namespace, name }: CatalogTool): readonly CatalogTool[] {
		const plain = formatToolId(namespace, name);
		const unversioned = this.#byId.get(plain);
		return [...(unversioned === undefined ? [] : [unversioned]), ...(this.#versioned.get(plain) ?? [])];
	}

	toolsOf(namespace: string): readonly CatalogTool[] {
		return this.#byNamespace.get(namespace) ?? [];
	}

	descriptionOf(namespace: string): string {
		return this.#namespaces.get(namespace)?.description ?? "";
	}

	instructionsOf(namespace: string): string | undefined {
		return this.#namespaces.get(namespace)?.instructions;
	}

	/** Messages about tools that had to be renamed or left out. */
	problemsOf(namespace: string): readonly string[] {
		return this.#namespaces.get(namespace)?.problems ?? [];
	}

	onChange(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#rebuild(): boolean {
		const ordered = [...this.#namespaces.values()]
			.flatMap((entry) => entry.tools)
			.sort((a, b) => compareText(a.id, b.id));
		this.#ordered = ordered;
		this.#byId = new Map(ordered.map((tool) => [tool.id, tool]));
		this.#byNamespace = Map.groupBy(ordered, ({ namespace }) => namespace);
		// Of several versions the first by id, which comes last here, stays.
		this.#byDeclared = new Map(
			ordered.toReversed().map((tool) => [declaredKey(tool.namespace, tool.definition.name), tool]),
		);
		this.#versioned = Map.groupBy(
			ordered.filter(({ version }) => version !== undefined),
			({ namespace, name }) => formatToolId(namespace, name),
		);
		const version = computeFingerprint(ordered.flatMap((tool) => [tool.id, tool.fingerprint]));
		if (version === this.#version) return false;
		this.#version = version;
		for (const listener of this.#listeners) listener();
		return true;
	}
}

/** No namespace has a colon. */
function declaredKey(namespace: string, name: string): string {
	return `${namespace}:${name}`;
}

/** A named tool as the catalogue offers it. */
export function createEntry(
	{ definition, id, name, version, renamed }: NamedTool,
	namespace: string,
	backend: Backend,
): CatalogTool {
	return {
		id,
		namespace,
		name,
		...(version !== undefined && { version }),
		definition,
		backend,
		tags: tagsOf(definition.tags, backend.kind, namespace),
		shortDescription: shortenDescription(definition),
		...(renamed !== undefined && { renamed }),
		docs: readDocs(definition),
		fingerprint: computeFingerprint([JSON.stringify(definition)]),
	};
}

export function summarizeTool(tool: CatalogTool): ToolSummary {
	return {
		id: tool.id,
		name: tool.name,
		namespace: tool.namespace,
		...(tool.shortDescription !== "" && { shortDescription: tool.shortDescription }),
		tags: tool.tags,
	};
}

/** A tool that may not run, without the words that its server gave it. */
export function summarizeRefused({ id, name, namespace, backend }: CatalogTool, reason: string): ToolSummary {
	const shortDescription = `[not runnable: ${reason}]`;
	return { id, name, namespace, shortDescription, tags: tagsOf(undefined, backend.kind, namespace) };
}

/** Order by code unit: the same on every machine and locale. */
export function compareText(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

/** Equal only for equal parts in equal order. */
export function computeFingerprint(parts: readonly string[]): string {
	const hash = createHash("sha256");
	for (const part of parts) hash.update(part).update("\0");
	return hash.digest("base64url").slice(0, 16);
}

function tagsOf(declared: unknown, kind: string, namespace: string): string[] {
	const own = Array.isArray(declared) ? declared.filter((tag) => typeof tag === "string") : [];
	const tags = own.map((tag) =>
		tag
			.toLowerCase()
			.replace(/\s+/g, "-")
			.replace(/[^a-z0-9\-_.]/g, "")
			.slice(0, 64),
	);
	return [
		...new Set([...tags.filter((tag) => tag !== ""), `backend.${kind}`, `server.${namespace.toLowerCase()}`]),
	].slice(0, 20);
}
