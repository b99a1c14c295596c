import { readFileSync, statSync } from "node:fs";
import { failureText, inBlockingTurn, replaceFile } from "libmcp/command";
import type { CatalogTool } from "../catalog/tool.ts";
import { formatToolId, parseToolId } from "../catalog/toolId.ts";
import { isObject } from "../contract/json.ts";
import { type Approval, type ApprovedPart, approvalOf, approvedDefinition, changedParts } from "./approval.ts";

/** Limit per namespace: a server that keeps changing its tools must not fill the disk. */
const MOST_TOOLS = 10_000;
const MOST_DEFINITION_CHARS = 8_000_000;
const LOOK_MS = 500;
const SAVE_MS = 50;
const SAVE_AGAIN_MS = 5_000;

/** How a tool compares with its approval; an unapproved version is compared with the last approved one of that tool. */
export type Standing =
	| { readonly kind: "approved" | "new" }
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

	constructor(file: string, onProblem: (problem: string) => void = () => {}) {
		this.#file = file;
		this.#onProblem = onProblem;
	}

	get(toolId: string): Approval | undefined {
		this.#look();
		return this.#known.get(toolId);
	}

	standing(tool: CatalogTool, now: Approval = approvalOf(tool)): Standing {
		const own = this.get(tool.id);
		const since = own === undefined ? this.#latest.get(formatToolId(tool.namespace, tool.name)) : tool.id;
		const approved = since === undefined ? undefined : this.#known.get(since);
		if (since === undefined || approved === undefined) return { kind: "new" };
		const parts = changedParts(approved, now);
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
			const definition = approvedDefinition(tool);
			const chars = JSON.stringify(definition).length;
			const fits = (this.#kept.get(tool.namespace)?.chars ?? 0) + chars <= MOST_DEFINITION_CHARS;
			const approval = { ...approvalOf(tool), ...(fits && { definition }) };
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
			if (!this.#isFailing) this.#problem("cannot write", thrown);
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
			if (edition === this.#seen) return;
			this.#known = new Map([...parseApprovals(readFileSync(this.#file, "utf8")), ...this.#unsaved]);
			this.#seen = edition;
			this.#kept = new Map();
			this.#latest = new Map();
			for (const [id, { definition }] of this.#known) {
				count(this.#kept, id, definition === undefined ? 0 : JSON.stringify(definition).length);
				this.#latest.set(withoutVersion(id), id);
			}
		} catch (thrown) {
			if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT"))
				this.#problem("cannot read", thrown);
		}
	}

	#problem(what: string, thrown: unknown): void {
		const why = failureText(thrown);
		this.#onProblem(`quarantine: ${what} ${why.startsWith(this.#file) ? why : `${this.#file}: ${why}`}`);
	}
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

function parseApprovals(text: string): Map<string, Approval> {
	const value: unknown = JSON.parse(text);
	const known = new Map<string, Approval>();
	for (const [id, entry] of Object.entries(isObject(value) ? value : {})) {
		if (!isObject(entry)) continue;
		const { description, schema, annotations, documentation, labels, definition } = entry;
		if (typeof description === "string" && typeof schema === "string" && typeof annotations === "string") {
			known.set(id, {
				description,
				schema,
				annotations,
				...(typeof documentation === "string" && { documentation }),
				...(typeof labels === "string" && { labels }),
				...(isObject(definition) && { definition }),
			});
		}
	}
	return known;
}
