import { readFileSync, statSync } from "node:fs";
import { errorCode, failureText, inBlockingTurn, replaceFile } from "libmcp/command";
import type { CatalogTool } from "../catalog/tool.ts";
import { formatToolId, parseToolId } from "../catalog/toolId.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import { type Approval, type ApprovedPart, digestTool, findChangedParts, selectApproved } from "./approval.ts";

/** Limit per namespace: a server that keeps changing its tools must not fill the disk. */
const MOST_TOOLS = 10_000;
const MOST_DEFINITION_CHARS = 8_000_000;
const LOOK_MS = 500;
const SAVE_MS = 50;
const SAVE_AGAIN_MS = 5_000;
const REMEDY = "restore or delete this file";

/** How a tool compares with its approval; an unapproved version is compared with the last approved one of that tool. */
export type Standing =
	| { readonly kind: "approved" | "new" }
	/** Nothing is known of the tool, and the file that may say more cannot be read. */
	| { readonly kind: "unknown"; readonly unreadable: string }
	| { readonly kind: "renumbered"; readonly since: string }
	| {
			readonly kind: "changed";
			readonly since: string;
			readonly parts: readonly ApprovedPart[];
			readonly approved: Approval;
	  };

/** Approved tools as they were at approval, in one file shared by this user's processes. */
export class Approvals {
	readonly #file: string;
	readonly #onProblem: (problem: string) => void;
	#known = new Map<string, Approval>();
	#kept = new Map<string, Kept>();
	/** The version approved last, by the tool's id without one. */
	#latest = new Map<string, string>();
	readonly #unsaved = new Map<string, Approval>();
	#saving: NodeJS.Timeout | undefined;
	/** Whether the last save failed, which is told once. */
	#isFailing = false;
	#lookedAt = Number.NEGATIVE_INFINITY;
	#seen = "";
	#unreadable: string | undefined;

	constructor(file: string, onProblem: (problem: string) => void = () => {}) {
		this.#file = file;
		this.#onProblem = onProblem;
	}

	/** The file and why it cannot be read; undefined if it can be, or is not there. */
	get unreadable(): string | undefined {
		this.#look();
		return this.#unreadable;
	}

	get(toolId: string): Approval | undefined {
		this.#look();
		return this.#known.get(toolId);
	}

	standing(tool: CatalogTool, now: Approval = digestTool(tool)): Standing {
		const own = this.get(tool.id);
		const since = own === undefined ? this.#latest.get(formatToolId(tool.namespace, tool.name)) : tool.id;
		const approved = since === undefined ? undefined : this.#known.get(since);
		if (since === undefined || approved === undefined)
			return this.#unreadable === undefined ? { kind: "new" } : { kind: "unknown", unreadable: this.#unreadable };
		const parts = findChangedParts(approved, now);
		if (parts.length > 0) return { kind: "changed", since, parts, approved };
		return own === undefined ? { kind: "renumbered", since } : { kind: "approved" };
	}

	/** Whether another tool of this namespace can be approved automatically; approval by name always works. */
	hasRoom(namespace: string): boolean {
		return (this.#kept.get(namespace)?.tools ?? 0) < MOST_TOOLS;
	}

	/** Approves these tools as they are now. Written in batches shortly after, at the latest when the process ends. */
	approve(tools: readonly CatalogTool[]): void {
		for (const tool of tools) {
			const definition = selectApproved(tool);
			const chars = JSON.stringify(definition).length;
			const fits = (this.#kept.get(tool.namespace)?.chars ?? 0) + chars <= MOST_DEFINITION_CHARS;
			const approval = { ...digestTool(tool), ...(fits && { definition }) };
			if (!this.#known.has(tool.id)) count(this.#kept, tool.id, fits ? chars : 0);
			this.#known.delete(tool.id);
			this.#known.set(tool.id, approval);
			this.#latest.set(formatToolId(tool.namespace, tool.name), tool.id);
			this.#unsaved.set(tool.id, approval);
		}
		if (this.#saving === undefined) this.#saveIn(SAVE_MS);
	}

	/** If writing fails, the approvals still apply in this process, and writing is tried again until it succeeds. */
	readonly save = (): void => {
		try {
			this.write();
			this.#isFailing = false;
		} catch (thrown) {
			if (!this.#isFailing) this.#onProblem(`quarantine: cannot write ${this.#told(thrown)}`);
			this.#isFailing = true;
			this.#saveIn(SAVE_AGAIN_MS).unref();
		}
	};

	/** Like `save`, but throws on failure. */
	write(): void {
		clearTimeout(this.#saving);
		this.#saving = undefined;
		process.off("exit", this.save);
		if (this.#unsaved.size === 0) return;
		inBlockingTurn(this.#file, () => {
			this.#look(true);
			if (this.#unreadable !== undefined)
				throw new Error(`${this.#unreadable}; it is not replaced, because it may say what was approved: ${REMEDY}`);
			replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(this.#known), undefined, "\t")}\n`, 0o600);
			this.#seen = editionOf(this.#file);
		});
		this.#unsaved.clear();
	}

	#saveIn(ms: number): NodeJS.Timeout {
		process.once("exit", this.save);
		this.#saving = setTimeout(this.save, ms);
		return this.#saving;
	}

	/** Reloads the file when another process (`metatools approve`) has changed it. */
	#look(now = false): void {
		const at = performance.now();
		if (!now && at - this.#lookedAt < LOOK_MS) return;
		this.#lookedAt = at;
		try {
			const edition = editionOf(this.#file);
			if (edition !== this.#seen) this.#load(parseApprovals(readFileSync(this.#file, "utf8")));
			this.#seen = edition;
			this.#unreadable = undefined;
		} catch (thrown) {
			const why = isMissing(thrown) ? undefined : this.#told(thrown);
			if (why !== undefined && why !== this.#unreadable)
				this.#onProblem(`quarantine: cannot read ${why}; no tool is approved at first sight meanwhile: ${REMEDY}`);
			this.#unreadable = why;
		}
	}

	#load(stored: ReadonlyMap<string, Approval>): void {
		this.#known = new Map([...stored, ...this.#unsaved]);
		this.#kept = new Map();
		this.#latest = new Map();
		for (const [id, { definition }] of this.#known) {
			count(this.#kept, id, definition === undefined ? 0 : JSON.stringify(definition).length);
			this.#latest.set(withoutVersion(id), id);
		}
	}

	/** What was thrown, after the name of the file. */
	#told(thrown: unknown): string {
		const why = failureText(thrown);
		return why.startsWith(this.#file) ? why : `${this.#file}: ${why}`;
	}
}

/** Only a file that is not there means that nothing was ever approved. */
function isMissing(thrown: unknown): boolean {
	const code = errorCode(thrown);
	return code === "ENOENT" || code === "ENOTDIR";
}

/** Two replacements at the same moment differ in the file they leave. */
function editionOf(file: string): string {
	const { mtimeMs, ino } = statSync(file);
	return `${mtimeMs} ${ino}`;
}

type Kept = { readonly tools: number; readonly chars: number };

function count(kept: Map<string, Kept>, id: string, chars: number): void {
	const namespace = parseToolId(id)?.namespace ?? "";
	const { tools, chars: before } = kept.get(namespace) ?? { tools: 0, chars: 0 };
	kept.set(namespace, { tools: tools + 1, chars: before + chars });
}

function withoutVersion(id: string): string {
	const { namespace = "", name = "" } = parseToolId(id) ?? {};
	return formatToolId(namespace, name);
}

/** Throws if it is damaged, in words that quote nothing from it: a tool's own words may stand there. */
function parseApprovals(text: string): Map<string, Approval> {
	const entries = Object.entries(objectFrom(text));
	return new Map(entries.map(([id, entry]) => [id, approvalFrom(entry)]));
}

function objectFrom(text: string): JsonObject {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new Error("it is damaged: not valid JSON");
	}
	if (!isObject(value)) throw new Error("it is damaged: not a JSON object");
	return value;
}

function approvalFrom(entry: unknown): Approval {
	const { description, schema, annotations, documentation, labels, definition } = isObject(entry) ? entry : {};
	if (typeof description !== "string" || typeof schema !== "string" || typeof annotations !== "string")
		throw new Error("it is damaged: an entry is no approval");
	return {
		description,
		schema,
		annotations,
		...(typeof documentation === "string" && { documentation }),
		...(typeof labels === "string" && { labels }),
		...(isObject(definition) && { definition }),
	};
}
