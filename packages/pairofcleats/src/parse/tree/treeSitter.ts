import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Language, Parser, type Tree } from "web-tree-sitter";
import { compileBaseline } from "./baselineCode.ts";
import { type FlatTree, flatten, type Grammar, LIMITS, MAX_TEXT } from "./flatTree.ts";
import { GRAMMARS } from "./grammars.ts";
import { flattenMemory, type GrammarTables, readGrammarTables, type TreeMemory } from "./treeMemory.ts";

type Global = { value: number };
type Imports = { readonly env?: { readonly __stack_pointer?: Global } };

/** TypeScript declares WebAssembly only in the DOM library; these are the members used here. */
declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => object;
};

/** More than parsing can use before it overflows the thread's own stack, which is guarded. */
const STACK_BYTES = 8 * 1024 * 1024;

/**
 * The shadow stack of the parser's WebAssembly runtime. The default one has 64 KiB and no guard, with the runtime's
 * static data below it: 20 KB of deeply nested text would overwrite that data, and no file could be parsed after that.
 */
class ParserStack {
	#pointer: Global | undefined;
	#top = 0;

	/** Emscripten's hook for custom instantiation; the imports it passes include the stack pointer. */
	instantiateWith(code: string): (imports: Imports, done: (instance: object, module: object) => void) => void {
		return (imports, done) => {
			this.#pointer = imports.env?.__stack_pointer;
			const module = new WebAssembly.Module(readFileSync(code));
			done(new WebAssembly.Instance(module, imports), module);
		};
	}

	/** Switches to a larger stack. Call this once the runtime has started and while it is idle. */
	enlarge(allocate: unknown): void {
		const at: unknown = this.#pointer && typeof allocate === "function" ? allocate(STACK_BYTES) : undefined;
		// The stack grows downwards.
		if (typeof at === "number" && at > 0) this.#top = at + STACK_BYTES;
		this.rewind();
	}

	/** Resets the stack after a parse was aborted by an exception, which leaves its frames behind. */
	rewind(): void {
		if (this.#pointer && this.#top > 0) this.#pointer.value = this.#top;
	}
}

/**
 * The parser reports progress every hundred steps. Real files of a dozen languages take at most 0.0125 reports per
 * character. Five times that is allowed, by count and not by time, so that the result is the same on every machine.
 */
const REPORTS_PER_CHARACTER = 0.06;
const FREE_REPORTS = 500;
/** Hostile text can make single steps slow; this limit is ten times what a real file of its size takes. */
const MILLISECONDS_PER_CHARACTER = 0.003;
const FREE_MILLISECONDS = 1_000;
/** The clock is read only every sixteen reports, since reading it costs as much as a report. */
const REPORTS_PER_LOOK = 16;
/** The release whose structs `flattenMemory` reads; tests compare it with the public cursor in every grammar. */
const READABLE_RELEASE = "0.25.10";

const { resolve } = createRequire(import.meta.url);
const stack = new ParserStack();
let runtime: Promise<Memory> | undefined;

/** The runtime's current memory, which moves when it grows. `undefined` if it cannot be read. */
type Memory = () => TreeMemory | undefined;

/** Loads a tree-sitter grammar compiled to WebAssembly; the runtime is started once per thread. */
export async function loadTreeSitterGrammar(name: string): Promise<Grammar> {
	runtime ??= startRuntime();
	const memory = await runtime;
	const source = GRAMMARS[name];
	if (!source) throw new Error(`no grammar named ${name}: expected one of ${Object.keys(GRAMMARS).join(", ")}`);
	const bytes = readFileSync(join(dirname(resolve(`${source.package}/package.json`)), source.file));
	if (source.large) compileBaseline(bytes);
	const language = await Language.load(bytes);
	let parser: Parser | undefined;
	const read = treeReader(memory, (text) => {
		parser ??= new Parser().setLanguage(language);
		return parseTree(parser, text);
	});
	return {
		types: language.types,
		named: language.types.map((_, id) => language.nodeTypeIsNamed(id)),
		fields: language.fields,
		parse: (text) => {
			try {
				return text.length > MAX_TEXT ? undefined : read(text);
			} catch {
				// A failed assertion in the grammar's scanner, or text nested deeper than the stack, leaves a state that cannot
				// be trusted.
				parser = undefined;
				stack.rewind();
				return undefined;
			}
		},
	};
}

/** The runtime fills in the module object passed here, unless other code in this process initialised it first. */
async function startRuntime(): Promise<Memory> {
	const code = resolve("web-tree-sitter/tree-sitter.wasm");
	const instantiateWasm = stack.instantiateWith(code);
	// A failing grammar would print to stderr; the index status reports the file instead.
	const module: Record<string, unknown> = { instantiateWasm, printErr: () => undefined };
	await Parser.init(module);
	stack.enlarge(module._malloc);
	const { version } = JSON.parse(readFileSync(join(dirname(code), "package.json"), "utf8"));
	if (version !== READABLE_RELEASE) return () => undefined;
	return () => {
		const { HEAPU8: bytes, HEAPU16: halves, HEAPU32: words } = module;
		const known = bytes instanceof Uint8Array && halves instanceof Uint16Array && words instanceof Uint32Array;
		return known ? { bytes, halves, words } : undefined;
	};
}

/** Reads trees from the runtime's memory where that is possible: the cursor copies its state on every step. */
function treeReader(memory: Memory, parse: (text: string) => Tree | undefined): (text: string) => FlatTree | undefined {
	let tables: GrammarTables | undefined;
	return (text) =>
		withTree(parse(text), (tree) => {
			const now = memory();
			if (!now) return byCursor(text, tree);
			tables ??= readGrammarTables(now, addressOf(tree));
			return flattenMemory(text, addressOf(tree), now, tables, LIMITS);
		});
}

function byCursor(text: string, tree: Tree): FlatTree | undefined {
	const cursor = tree.walk();
	try {
		return flatten(text, cursor, LIMITS);
	} finally {
		cursor.delete();
	}
}

function withTree<Value>(tree: Tree | undefined, body: (tree: Tree) => Value): Value | undefined {
	try {
		return tree && body(tree);
	} finally {
		tree?.delete();
	}
}

function parseTree(parser: Parser, text: string): Tree | undefined {
	let reports = Math.ceil(FREE_REPORTS + text.length * REPORTS_PER_CHARACTER);
	const deadline = threadMilliseconds() + FREE_MILLISECONDS + text.length * MILLISECONDS_PER_CHARACTER;
	const isLate = (): boolean => reports % REPORTS_PER_LOOK === 0 && threadMilliseconds() > deadline;
	const tree = parser.parse(text, null, { progressCallback: () => --reports < 0 || isLate() });
	if (tree) return tree;
	parser.reset();
	return undefined;
}

/** CPU time of this thread, which excludes waiting; older Node releases only report the whole process. */
function threadMilliseconds(): number {
	const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
	return (user + system) / 1_000;
}

/** web-tree-sitter keeps a tree's address under index 0. */
function addressOf(tree: object): number {
	const address: unknown = Reflect.get(tree, 0);
	if (typeof address !== "number")
		throw new Error(`web-tree-sitter keeps no tree address: expected release ${READABLE_RELEASE}`);
	return address;
}
