import { readFileSync } from "node:fs";
import { failureText, inBlockingTurn, isAlive, replaceFile } from "libmcp/command";
import { createEntry } from "../catalog/catalog.ts";
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
	/** What this process wrote and is still stored, so that frequent listing does not cause frequent writing. */
	readonly #written = new Map<string, string>();

	constructor(file: string, onProblem: (problem: string) => void) {
		this.#file = file;
		this.#onProblem = onProblem;
	}

	/** Stores tools; the oldest ones make room. */
	hold(...tools: readonly CatalogTool[]): void {
		const news = tools.filter((tool) => this.#written.get(tool.id) !== editionOf(tool));
		const former = this.#former();
		if (news.length === 0 && former.length === 0) return;
		for (const tool of news) this.#written.set(tool.id, editionOf(tool));
		this.#replace(
			[...former, ...news.map(({ id }) => id)],
			news.map((tool) => {
				const { id, namespace, definition } = tool;
				return [id, { namespace, server: serverOf(tool), definition, pid: process.pid }];
			}),
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
			return [createEntry({ ...parts, id, definition: entry.definition }, parts.namespace, backend)];
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
				const replaced = new Set(ids);
				const others = Object.entries(this.#read()).filter(([id]) => !replaced.has(id));
				const kept = Object.fromEntries(newest([...others, ...entries]));
				replaceFile(this.#file, `${JSON.stringify(kept, undefined, "\t")}\n`, 0o600);
				for (const id of this.#written.keys()) if (!Object.hasOwn(kept, id)) this.#written.delete(id);
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
			// A file that is missing or damaged holds nothing back.
			return {};
		}
	}
}

/** As many of the last ones as there is room for. */
function newest<Entry>(entries: readonly Entry[]): readonly Entry[] {
	const last = entries.slice(-MOST_TOOLS);
	let room = MOST_CHARS;
	const tooOld = last.findLastIndex((entry) => {
		room -= JSON.stringify(entry).length;
		return room < 0;
	});
	return last.slice(tooOld + 1);
}

function serverOf({ backend }: CatalogTool): string {
	return backend.kind === "mcp" ? backend.mcp.serverName : "";
}

function editionOf(tool: CatalogTool): string {
	return `${serverOf(tool)} ${tool.fingerprint}`;
}

function isRunning(pid: unknown): boolean {
	return typeof pid === "number" && isAlive(pid);
}

function isDefinition(value: unknown): value is ToolDefinition {
	return isObject(value) && typeof value.name === "string";
}
