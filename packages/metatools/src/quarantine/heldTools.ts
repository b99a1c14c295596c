import { readFileSync } from "node:fs";
import { failureText, inBlockingTurn, isAlive, replaceFile } from "libmcp/command";
import { entryOf } from "../catalog/catalog.ts";
import type { CatalogTool, ToolDefinition } from "../catalog/tool.ts";
import { parseToolId } from "../catalog/toolId.ts";
import { isObject, type JsonObject } from "../contract/json.ts";

const MOST_TOOLS = 200;
const MOST_CHARS = 4_000_000;
/** The files in which this process has looked for what an earlier one with its number has left. */
const swept = new Set<string>();

/**
 * Stores tools that wait for approval and that `approve` would not see, because it connects as another client and starts
 * the configured command: a server showed them to one client only, or after it was connected.
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

	/** Stores tools; the oldest ones make room. */
	hold(...tools: readonly CatalogTool[]): void {
		const news = tools.flatMap(({ id, namespace, backend, definition }) => {
			const server = backend.kind === "mcp" ? backend.mcp.serverName : "";
			const json = JSON.stringify({ namespace, server, definition, pid: process.pid });
			return this.#written.get(id) === json ? [] : [[id, json] as const];
		});
		const former = this.#former();
		if (news.length === 0 && former.length === 0) return;
		if (this.#written.size >= MOST_TOOLS) this.#written.clear();
		for (const [id, json] of news) this.#written.set(id, json);
		this.#replace(
			[...former, ...news.map(([id]) => id)],
			news.map(([id, json]) => [id, JSON.parse(json)]),
		);
	}

	/** Forgets tools that this process stored. */
	release(...ids: readonly string[]): void {
		const ours = ids.filter((id) => this.#written.delete(id));
		if (ours.length > 0) this.#replace(ours, []);
	}

	/** The stored tools, as the server showed them, by the ids they had: one may owe its hash to tools that are not stored. */
	tools(): readonly CatalogTool[] {
		return Object.entries(this.#read()).flatMap(([id, entry]) => {
			const parts = parseToolId(id);
			if (parts?.namespace === undefined || !isObject(entry) || !isDefinition(entry.definition)) return [];
			const backend = { kind: "mcp", mcp: { serverName: String(entry.server) } } as const;
			return [entryOf({ ...parts, id, definition: entry.definition }, parts.namespace, backend)];
		});
	}

	/** The ids of the stored tools that a running process serves. */
	served(): ReadonlySet<string> {
		const entries = Object.entries(this.#read());
		return new Set(entries.flatMap(([id, entry]) => (isObject(entry) && isRunning(entry.pid) ? [id] : [])));
	}

	/** What an earlier process with our number, as in a container, has stored and nobody serves any more. */
	#former(): readonly string[] {
		if (swept.has(this.#file)) return [];
		swept.add(this.#file);
		const entries = Object.entries(this.#read());
		return entries.flatMap(([id, entry]) => (isObject(entry) && entry.pid === process.pid ? [id] : []));
	}

	#replace(ids: readonly string[], entries: readonly (readonly [id: string, entry: JsonObject])[]): void {
		try {
			inBlockingTurn(this.#file, () => {
				const others = Object.entries(this.#read()).filter(([id]) => !ids.includes(id));
				const kept = [...others, ...entries].slice(-MOST_TOOLS);
				while (JSON.stringify(kept).length > MOST_CHARS) kept.shift();
				replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(kept), undefined, "\t")}\n`, 0o600);
			});
		} catch (thrown) {
			this.#onProblem(`quarantine: cannot write ${failureText(thrown)}`);
		}
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

function isRunning(pid: unknown): boolean {
	return typeof pid === "number" && isAlive(pid);
}

function isDefinition(value: unknown): value is ToolDefinition {
	return isObject(value) && typeof value.name === "string";
}
