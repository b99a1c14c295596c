import type { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { type Effect, parseEffect } from "../../replay/effect.ts";
import { isPointer, resolvePointer } from "../../replay/jsonPointer.ts";
import { isRecord } from "../../server/protocol/protocol.ts";
import { parseStrictJson } from "../../wire/strictJson.ts";

/** Contracts that a user writes, by tool name, for a server that declares none. */
export type ContractDeclarations = { readonly tools: Readonly<Record<string, ToolContract>> };

/** What a contract file says about one tool. */
export type ToolContract = {
	readonly effect: Effect;
	readonly probe?: Probe;
	readonly deadlineMs?: number;
	readonly inactivityMs?: number;
};

/** How to find out whether a call took effect: another tool of the same server, asked after the restart. */
export type Probe = {
	readonly tool: string;
	/** The probe's arguments: each is a JSON Pointer into the arguments of the call in doubt. */
	readonly arguments: Readonly<Record<string, string>>;
	/** A JSON Pointer into the probe's result. */
	readonly answer: string;
	readonly done: readonly Scalar[];
	readonly safe: readonly Scalar[];
	/** A JSON Pointer into the probe's result: the tool result that the client gets if the call took effect. */
	readonly result?: string;
	/** How long to repeat an undecided probe before the call is reported as ambiguous. */
	readonly timeoutMs?: number;
	/** When true, later calls do not wait for the probe. */
	readonly independent?: boolean;
};

export type Scalar = string | number | boolean | null;

/** Throws a TypeError that names the file, the place in it, what was expected and what came. */
export function readContractFile(path: string): ContractDeclarations {
	let bytes: Buffer;
	try {
		bytes = readFileSync(path);
		// Its message says where the mistake is.
		JSON.parse(bytes.toString());
	} catch (error) {
		throw new TypeError(`${path}: expected a JSON file, got ${error instanceof Error ? error.message : "no file"}`);
	}
	// Of two contracts under one name, the last would silently count.
	const read = parseStrictJson(bytes);
	if (!read.ok) throw new TypeError(`${path}: ${read.detail}`);
	return parseContracts(read.value, path);
}

/** Rejects anything unknown: a contract with a misspelt promise must not be half applied. */
export function parseContracts(value: unknown, where = "contract"): ContractDeclarations {
	const file = record(value, where);
	onlyKeys(file, ["tools"], where);
	const tools: Record<string, ToolContract> = Object.create(null);
	for (const [name, entry] of Object.entries(record(file.tools, `${where}: tools`))) {
		tools[name] = parseTool(entry, `${where}: tools.${name}`);
	}
	return { tools };
}

function parseTool(value: unknown, where: string): ToolContract {
	const entry = record(value, where);
	onlyKeys(entry, ["recovery", "key", "journal", "probe", "deadlineMs", "inactivityMs"], where);
	if (isRecord(entry.recovery)) onlyKeys(entry.recovery, ["kind", "key"], `${where}.recovery`);
	if (isRecord(entry.journal)) onlyKeys(entry.journal, ["key"], `${where}.journal`);
	const effect = parseEffect(entry);
	if (effect === undefined) {
		throw new TypeError(
			`${where}: expected recovery replay_safe, deduplicated with a key pointer, probe_required or at_most_once ` +
				`(journal only with the first two), got ${JSON.stringify(entry.recovery)}`,
		);
	}
	if ((effect.recovery.kind === "probe_required") !== (entry.probe !== undefined)) {
		throw new TypeError(`${where}: a probe goes with recovery probe_required, and only with it`);
	}
	return {
		effect,
		...(entry.probe === undefined ? {} : { probe: parseProbe(entry.probe, `${where}.probe`) }),
		...milliseconds(entry, "deadlineMs", where),
		...milliseconds(entry, "inactivityMs", where),
	};
}

function parseProbe(value: unknown, where: string): Probe {
	const entry = record(value, where);
	onlyKeys(entry, ["tool", "arguments", "answer", "done", "safe", "result", "timeoutMs", "independent"], where);
	if (typeof entry.tool !== "string" || entry.tool === "") throw wrong(`${where}.tool`, "a tool name", entry.tool);
	const pointers: Record<string, string> = Object.create(null);
	for (const [name, pointer] of Object.entries(record(entry.arguments ?? {}, `${where}.arguments`))) {
		if (!isPointer(pointer)) throw wrong(`${where}.arguments.${name}`, "a JSON Pointer", pointer);
		pointers[name] = pointer;
	}
	if (!isPointer(entry.answer)) throw wrong(`${where}.answer`, "a JSON Pointer", entry.answer);
	if (entry.result !== undefined && !isPointer(entry.result)) {
		throw wrong(`${where}.result`, "a JSON Pointer", entry.result);
	}
	if (entry.independent !== undefined && typeof entry.independent !== "boolean") {
		throw wrong(`${where}.independent`, "true or false", entry.independent);
	}
	const done = scalars(entry.done, `${where}.done`);
	const safe = scalars(entry.safe, `${where}.safe`);
	const [both] = done.filter((one) => safe.includes(one)).map((one) => JSON.stringify(one));
	if (both !== undefined)
		throw new TypeError(`${where}: ${both} is in done and in safe, and can mean only one of them`);
	return {
		tool: entry.tool,
		arguments: pointers,
		answer: entry.answer,
		done,
		safe,
		...(entry.result === undefined ? {} : { result: entry.result }),
		...(entry.independent === undefined ? {} : { independent: entry.independent }),
		...milliseconds(entry, "timeoutMs", where),
	};
}

function scalars(value: unknown, where: string): readonly Scalar[] {
	if (!Array.isArray(value)) throw wrong(where, "a list of values", value);
	return value.map((one: unknown) => {
		if (one === null || typeof one === "string" || typeof one === "number" || typeof one === "boolean") return one;
		throw wrong(where, "strings, numbers, booleans or null", one);
	});
}

function milliseconds<K extends string>(
	entry: Record<string, unknown>,
	key: K,
	where: string,
): { readonly [P in K]?: number } {
	const value = resolvePointer(entry, `/${key}`);
	if (value === undefined) return {};
	if (typeof value === "number" && Number.isFinite(value) && value >= 0)
		return { [key]: value } as { [P in K]: number };
	throw wrong(`${where}.${key}`, "a number of milliseconds", value);
}

function record(value: unknown, where: string): Record<string, unknown> {
	if (isRecord(value)) return value;
	throw wrong(where, "an object", value);
}

function onlyKeys(entry: Record<string, unknown>, known: readonly string[], where: string): void {
	const stranger = Object.keys(entry).find((key) => !known.includes(key));
	if (stranger !== undefined) throw wrong(`${where}.${stranger}`, `one of ${known.join(", ")}`, stranger);
}

function wrong(where: string, expected: string, came: unknown): TypeError {
	return new TypeError(`${where}: expected ${expected}, got ${came === undefined ? "nothing" : JSON.stringify(came)}`);
}
