import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Language, Parser, type TreeCursor } from "web-tree-sitter";
import { type CursorCalls, type FlatTree, flatten } from "./flatTree.ts";
import { GRAMMARS } from "./grammars.ts";

/** A loaded grammar: its node types and fields by id, and the parser. */
export type Grammar = {
	/** Node type names by id; `named[id]` tells `if` the statement from `if` the keyword. */
	readonly types: readonly string[];
	readonly named: readonly boolean[];
	readonly fields: readonly (string | null)[];
	/** `undefined` when the text is beyond what a grammar is asked to read; the caller falls back to lines. */
	readonly parse: (text: string) => FlatTree | undefined;
};

/** Beyond these a file is generated or hostile, and lines serve it as well. */
const MAX_TEXT = 1_500_000;
const MAX_NODES = 2_000_000;
const MAX_DEPTH = 2_000;
/**
 * The parser reports in every hundred steps. Real files of a dozen languages take at most 0.0125 reports per character;
 * five times that is allowed, counted and not timed, so that the outcome is the same on every machine.
 */
const REPORTS_PER_CHARACTER = 0.06;
const FREE_REPORTS = 500;
/** Text made to be unreadable can make single steps slow; this is ten times what a real file of its size takes. */
const MILLISECONDS_PER_CHARACTER = 0.003;
const FREE_MILLISECONDS = 1_000;

const require = createRequire(import.meta.url);
let runtime: Promise<CursorCalls | undefined> | undefined;
const loaded = new Map<string, Promise<Grammar>>();

/** Loads a grammar once per thread. */
export function loadGrammar(name: string): Promise<Grammar> {
	let grammar = loaded.get(name);
	if (!grammar) {
		grammar = load(name);
		loaded.set(name, grammar);
	}
	return grammar;
}

async function load(name: string): Promise<Grammar> {
	runtime ??= startRuntime();
	const cursor = await runtime;
	const source = GRAMMARS[name];
	if (!source) throw new Error(`no grammar named ${name}: expected one of ${Object.keys(GRAMMARS).join(", ")}`);
	const language = await Language.load(join(dirname(require.resolve(`${source.package}/package.json`)), source.file));
	let parser = new Parser().setLanguage(language);
	return {
		types: language.types,
		named: language.types.map((_, id) => language.nodeTypeIsNamed(id)),
		fields: language.fields,
		parse: (text) => {
			try {
				return parseText(parser, cursor, text);
			} catch {
				// A grammar's scanner gave up on an assertion of its own; what the parser holds now is not to be trusted.
				parser = new Parser().setLanguage(language);
				return undefined;
			}
		},
	};
}

/**
 * The runtime fills the module object it is given with its raw calls. Walking with those is as cheap as not walking at
 * all; through the cursor class, which copies its state in and out on every step, it doubles the cost of parsing. That
 * is the way left when somebody else in this process started the runtime first: `undefined`.
 */
async function startRuntime(): Promise<CursorCalls | undefined> {
	const module: Record<string, unknown> = {};
	await Parser.init(module);
	const calls: Partial<Record<keyof CursorCalls, (tree: number) => number>> = {};
	for (const [name, call] of Object.entries(RAW_CALLS)) {
		const found = module[`_ts_tree_cursor_${call}_wasm`];
		if (!isCursorCall(found)) return undefined;
		calls[name as keyof CursorCalls] = found;
	}
	return calls as CursorCalls;
}

const RAW_CALLS: Readonly<Record<keyof CursorCalls, string>> = {
	firstChild: "goto_first_child",
	nextSibling: "goto_next_sibling",
	toParent: "goto_parent",
	typeId: "current_node_type_id",
	fieldId: "current_field_id",
	startIndex: "start_index",
	endIndex: "end_index",
	release: "delete",
};

/** The same calls by the public class. */
function classCalls(cursor: TreeCursor): CursorCalls {
	return {
		firstChild: () => Number(cursor.gotoFirstChild()),
		nextSibling: () => Number(cursor.gotoNextSibling()),
		toParent: () => Number(cursor.gotoParent()),
		typeId: () => cursor.nodeTypeId,
		fieldId: () => cursor.currentFieldId,
		startIndex: () => cursor.startIndex,
		endIndex: () => cursor.endIndex,
		release: () => cursor.delete(),
	};
}

function isCursorCall(value: unknown): value is (tree: number) => number {
	return typeof value === "function";
}

function parseText(parser: Parser, raw: CursorCalls | undefined, text: string): FlatTree | undefined {
	if (text.length > MAX_TEXT) return undefined;
	let reports = FREE_REPORTS + text.length * REPORTS_PER_CHARACTER;
	const deadline = threadMilliseconds() + FREE_MILLISECONDS + text.length * MILLISECONDS_PER_CHARACTER;
	const tree = parser.parse(text, null, { progressCallback: () => --reports < 0 || threadMilliseconds() > deadline });
	if (!tree) {
		parser.reset();
		return undefined;
	}
	const address = addressOf(tree);
	// Leaves the new cursor's state in the transfer buffer, where the raw calls expect it; they free it too, because
	// only that buffer knows where the cursor's stack has moved to.
	const walker = tree.walk();
	const cursor = raw ?? classCalls(walker);
	try {
		return flatten(text, address, cursor, MAX_NODES, MAX_DEPTH);
	} finally {
		cursor.release(address);
		tree.delete();
	}
}

/** Time this thread has worked, not waited; older releases of Node can only tell the whole process's. */
function threadMilliseconds(): number {
	const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
	return (user + system) / 1_000;
}

/** Trees keep their address in the runtime's memory under index 0. */
function addressOf(tree: object): number {
	const address: unknown = Reflect.get(tree, 0);
	if (typeof address !== "number") throw new Error("web-tree-sitter keeps no tree address: expected release 0.25.10");
	return address;
}
