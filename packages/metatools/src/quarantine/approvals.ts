import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { CatalogTool } from "../catalog/tool.ts";
import { parseToolId } from "../catalog/toolId.ts";
import { isObject, type JsonObject } from "../contract/json.ts";

/** What of a tool an approval stands for, each as a digest. */
const PARTS = ["description", "schema", "annotations", "documentation"] as const;
export type ApprovedPart = (typeof PARTS)[number];
export type Approval = Readonly<Record<Exclude<ApprovedPart, "documentation">, string>> & {
	/** Approvals of earlier days have none, and hold for whatever is there. */
	readonly documentation?: string;
	/** What was approved, for whoever wants to see what changed; approvals of earlier days have none. */
	readonly definition?: JsonObject;
};

/** What is kept of one namespace: a server that shows other tools all the time must not fill the disk. */
const MOST_TOOLS = 10_000;
const MOST_DEFINITION_CHARS = 8_000_000;
const LOOK_MS = 500;
const SAVE_MS = 50;

/** The tools somebody approved, as they were then; one file, shared with other processes of this user. */
export class Approvals {
	readonly #file: string;
	readonly #onProblem: (problem: string) => void;
	#known = new Map<string, Approval>();
	#kept = new Map<string, Kept>();
	readonly #unsaved = new Map<string, Approval>();
	#saving: NodeJS.Timeout | undefined;
	#lookedAt = Number.NEGATIVE_INFINITY;
	#modifiedAt = 0;

	constructor(file: string, onProblem: (problem: string) => void = () => {}) {
		this.#file = file;
		this.#onProblem = onProblem;
	}

	get(toolId: string): Approval | undefined {
		this.#look();
		return this.#known.get(toolId);
	}

	/** Whether another tool of this namespace can be approved without a person; who approves by name always can. */
	hasRoom(namespace: string): boolean {
		return (this.#kept.get(namespace)?.tools ?? 0) < MOST_TOOLS;
	}

	/** Approves these tools as they are now. Written a moment later, many at once, and at the latest when the process ends. */
	approve(tools: readonly CatalogTool[]): void {
		for (const tool of tools) {
			const definition = approvedDefinition(tool);
			const chars = JSON.stringify(definition).length;
			const fits = (this.#kept.get(tool.namespace)?.chars ?? 0) + chars <= MOST_DEFINITION_CHARS;
			const approval = { ...approvalOf(tool), ...(fits && { definition }) };
			if (!this.#known.has(tool.id)) count(this.#kept, tool.id, fits ? chars : 0);
			this.#known.set(tool.id, approval);
			this.#unsaved.set(tool.id, approval);
		}
		if (this.#saving !== undefined) return;
		this.#saving = setTimeout(() => this.save(), SAVE_MS);
		process.once("exit", this.save);
	}

	readonly save = (): void => {
		clearTimeout(this.#saving);
		this.#saving = undefined;
		process.off("exit", this.save);
		if (this.#unsaved.size === 0) return;
		this.#look(true);
		this.#write();
		this.#unsaved.clear();
	};

	/** Another process may have approved something: `metatools approve` beside a server that runs. */
	#look(now = false): void {
		const at = performance.now();
		if (!now && at - this.#lookedAt < LOOK_MS) return;
		this.#lookedAt = at;
		try {
			const modifiedAt = statSync(this.#file).mtimeMs;
			if (modifiedAt === this.#modifiedAt) return;
			this.#known = new Map([...parseApprovals(readFileSync(this.#file, "utf8")), ...this.#unsaved]);
			this.#modifiedAt = modifiedAt;
			this.#kept = new Map();
			for (const [id, { definition }] of this.#known)
				count(this.#kept, id, definition === undefined ? 0 : JSON.stringify(definition).length);
		} catch (thrown) {
			if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT"))
				this.#problem("cannot read", thrown);
		}
	}

	#write(): void {
		try {
			mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
			const beside = `${this.#file}.${process.pid}`;
			writeFileSync(beside, `${JSON.stringify(Object.fromEntries(this.#known), undefined, "\t")}\n`, { mode: 0o600 });
			renameSync(beside, this.#file);
			this.#modifiedAt = statSync(this.#file).mtimeMs;
		} catch (thrown) {
			this.#problem("cannot write", thrown);
		}
	}

	#problem(what: string, thrown: unknown): void {
		this.#onProblem(`quarantine: ${what} ${this.#file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
	}
}

type Kept = { readonly tools: number; readonly chars: number };

function count(kept: Map<string, Kept>, id: string, chars: number): void {
	const namespace = parseToolId(id)?.namespace ?? "";
	const { tools, chars: before } = kept.get(namespace) ?? { tools: 0, chars: 0 };
	kept.set(namespace, { tools: tools + 1, chars: before + chars });
}

export function approvalOf({ definition }: CatalogTool): Approval {
	const { description, title, inputSchema, outputSchema, annotations } = definition;
	return {
		description: digest([title, description]),
		schema: digest([inputSchema, outputSchema]),
		annotations: digest(annotations),
		documentation: digest(documentationOf(definition)),
	};
}

/** The members of a definition that an approval stands for. */
export function approvedDefinition({ definition }: CatalogTool): JsonObject {
	const { title, description, inputSchema, outputSchema, annotations } = definition;
	const documentation = documentationOf(definition);
	const { length } = Object.keys(documentation);
	return { title, description, inputSchema, outputSchema, annotations, ...(length > 0 && { documentation }) };
}

/** All else that describing a tool may show to a model: what it knows of notes and examples, and whatever is prose. */
function documentationOf(definition: JsonObject): JsonObject {
	const { name: _, title, description, inputSchema, outputSchema, annotations, _meta, ...others } = definition;
	const meta = isObject(_meta) ? Object.entries(_meta) : [];
	const told = meta.filter(([name, value]) => SHOWN.has(name) || hasProse(value));
	return { ...others, ...(told.length > 0 && { _meta: Object.fromEntries(told) }) };
}

const SHOWN = new Set(["summary", "notes", "examples", "externalRefs"]);

/** Versions, tags and switches have no words between them. */
function hasProse(value: unknown): boolean {
	return /\S(?:\s|\\[nrt])+\S/.test(String(JSON.stringify(value)));
}

/** Which parts are not as they were approved. */
export function changedParts(approved: Approval, now: Approval): readonly ApprovedPart[] {
	return PARTS.filter((part) => approved[part] !== undefined && approved[part] !== now[part]);
}

function parseApprovals(text: string): Map<string, Approval> {
	const value: unknown = JSON.parse(text);
	const known = new Map<string, Approval>();
	for (const [id, entry] of Object.entries(isObject(value) ? value : {})) {
		if (!isObject(entry)) continue;
		const { description, schema, annotations, documentation, definition } = entry;
		if (typeof description === "string" && typeof schema === "string" && typeof annotations === "string") {
			known.set(id, {
				description,
				schema,
				annotations,
				...(typeof documentation === "string" && { documentation }),
				...(isObject(definition) && { definition }),
			});
		}
	}
	return known;
}

/** The order of members says nothing, so it changes nothing. */
function digest(value: unknown): string {
	return createHash("sha256")
		.update(JSON.stringify(sorted(value)))
		.digest("base64url")
		.slice(0, 22);
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isObject(value)) return value ?? null;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, sorted(value[key])]),
	);
}
