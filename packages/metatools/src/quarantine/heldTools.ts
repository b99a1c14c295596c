import { readFileSync } from "node:fs";
import { failureText, inBlockingTurn, replaceFile } from "libmcp/command";
import { entryOf } from "../catalog/catalog.ts";
import { nameTools } from "../catalog/naming.ts";
import type { CatalogTool, ToolDefinition } from "../catalog/tool.ts";
import { isObject, type JsonObject } from "../contract/json.ts";

const MOST_TOOLS = 200;
const MOST_CHARS = 4_000_000;

/**
 * Stores tools that wait for approval and that a server showed to one client only: `approve` connects as
 * another client and would not see them.
 */
export class HeldTools {
	readonly #file: string;
	readonly #onProblem: (problem: string) => void;
	/** The tools this process wrote last, so that frequent listing does not cause frequent writing. */
	readonly #written = new Map<string, string>();

	constructor(file: string, onProblem: (problem: string) => void) {
		this.#file = file;
		this.#onProblem = onProblem;
	}

	/** Stores a tool; the oldest ones make room. */
	hold({ id, namespace, backend, definition }: CatalogTool): void {
		const server = backend.kind === "mcp" ? backend.mcp.serverName : "";
		const json = JSON.stringify({ namespace, server, definition });
		if (this.#written.get(id) === json) return;
		if (this.#written.size >= MOST_TOOLS) this.#written.clear();
		this.#written.set(id, json);
		try {
			inBlockingTurn(this.#file, () => this.#add(id, JSON.parse(json)));
		} catch (thrown) {
			this.#onProblem(`quarantine: cannot write ${failureText(thrown)}`);
		}
	}

	/** The stored tools, as the server showed them. */
	tools(): readonly CatalogTool[] {
		return Object.values(this.#read()).flatMap((entry) => {
			if (!isObject(entry) || !isDefinition(entry.definition)) return [];
			const namespace = String(entry.namespace);
			const [named] = nameTools(namespace, [entry.definition]).tools;
			const backend = { kind: "mcp", mcp: { serverName: String(entry.server) } } as const;
			return named === undefined ? [] : [entryOf(named, namespace, backend)];
		});
	}

	#add(id: string, entry: JsonObject): void {
		const { [id]: _, ...held } = this.#read();
		const kept = [...Object.entries(held), [id, entry] as const].slice(-MOST_TOOLS);
		while (JSON.stringify(kept).length > MOST_CHARS) kept.shift();
		replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(kept), undefined, "\t")}\n`, 0o600);
	}

	#read(): Record<string, JsonObject[string]> {
		try {
			const value: unknown = JSON.parse(readFileSync(this.#file, "utf8"));
			return isObject(value) ? { ...value } : {};
		} catch {
			return {};
		}
	}
}

function isDefinition(value: unknown): value is ToolDefinition {
	return isObject(value) && typeof value.name === "string";
}
