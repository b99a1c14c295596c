import type { FlatTree } from "../../tree/flatTree.ts";
import { readNodeText, shortenText, splitAtCommas, stripQuotes } from "../../tree/nodeText.ts";
import { type CompiledSpec, hasFirstWord } from "../spec/compileSpec.ts";
import { type FactSink, MAX_NAME } from "./factSink.ts";

/** One statement may import a page of names. */
const MAX_IMPORT = 4_000;
const DEEPEST_IMPORT = 16;

export function readImport(tree: FlatTree, compiled: CompiledSpec, node: number, sink: FactSink): void {
	const rule = compiled.imports
		.get(tree.type[node] ?? 0)
		?.find(({ word }) => word === "" || hasFirstWord(tree, node, word));
	const named = rule?.pick ? rule.pick(tree, node) : rule ? node : -1;
	if (named < 0) return;
	if (compiled.spec.forms) {
		for (const name of listFormNames(readNodeText(tree, named))) if (name.length <= MAX_NAME) sink.add("imports", name);
		return;
	}
	for (const [name, full] of listImportedNames(readNodeText(tree, node).slice(0, MAX_IMPORT)))
		sink.add("meanings", `${name}=${full}`);
	const text = shortenText(readNodeText(tree, named), MAX_IMPORT);
	for (const name of importNames(text)) sink.add("imports", name);
}

/** `use a::{b, c}` names `a::b` and `a::c`; `import x as y` names `x`, and Perl's `qw(A B)` both. */
function importNames(text: string): string[] {
	const bare = text
		.replace(
			/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:global\s+)?(?:import|use|using|from|package|require(?:_once)?|include(?:_once)?|@import|open|alias)\b\s*(?:static\s+|type\s+|function\s+|const\s+|namespace\s+|enum\s+|module\s+(?=\w))?/,
			"",
		)
		.replace(/^url(?=\()/, "")
		.replace(/\s\/\*.*?(?:\*\/|$)/g, "")
		.replace(/;\s*$/, "");
	const words = /^qw\s*[^\w\s](.*)\W$/.exec(bare)?.[1];
	if (words !== undefined) return words.split(" ").filter((name) => name !== "" && name.length <= MAX_NAME);
	if (/^["'`<(]/.test(bare)) return [stripQuotes(bare.replace(/^[(<]|[)>]$/g, ""))];
	return splitBraces(bare)
		.map((name) =>
			name
				.replace(/\s+as\s+.*$|\s*=>.*$/, "")
				.replace(/^\w+\s*=\s*/, "")
				.trim(),
		)
		.filter((name) => name !== "" && name.length <= MAX_NAME);
}

/** `a::{b, c::{d, self}}` → `a::b`, `a::c::d`, `a::c`; without braces, the names between commas. */
function splitBraces(text: string, depth = 0): string[] {
	return splitAtCommas(text).flatMap((part) => {
		const open = part.indexOf("{");
		if (open < 0 || depth > DEEPEST_IMPORT) return [part];
		const before = part.slice(0, open).trim();
		// Reads a truncated list as far as it goes.
		const inside = part.slice(open + 1).replace(/\}\s*$/, "");
		return splitBraces(inside, depth + 1).map((name) =>
			name.trim() === "self" ? before.replace(/[:.\\]+$/, "") : `${before}${name.trim()}`,
		);
	});
}

/** For a longer namespace, its first names are enough. */
const LONGEST = 16_000;
/** Deeper forms are read as part of their parent. Nobody nests imports that deep. */
const DEEPEST = 32;

type Form = string | readonly Form[];

/**
 * The names that a nested form imports: `(:require [a.b :as c] d)` names `a.b` and `d`, `(:import (a B C))` names `a.B`
 * and `a.C`.
 */
export function listFormNames(text: string): string[] {
	const [form = []] = formsOf(text.slice(0, LONGEST).replace(/;.*/g, ""));
	return typeof form === "string" ? [] : form.slice(1).flatMap(namesOf);
}

function namesOf(form: Form): readonly string[] {
	if (typeof form === "string") return /^[a-z_*]/i.test(form) ? [form] : [];
	const [head, ...rest] = form;
	// The head is no namespace, but for example the platform of the forms after it.
	if (typeof head !== "string" || !/^[a-z_*]/i.test(head)) return form.flatMap(namesOf);
	const options = rest.findIndex((one) => typeof one === "string" && one.startsWith(":"));
	const members = (options < 0 ? rest : rest.slice(0, options)).flatMap(namesOf);
	return members.length === 0 ? [head] : members.map((member) => `${head}.${member}`);
}

function formsOf(text: string): readonly Form[] {
	const top: Form[] = [];
	const open = [top];
	for (const [token] of text.matchAll(/[()[\]{}]|"[^"]*"|[^\s()[\]{}"',]+/g)) {
		if (/^[([{]/.test(token)) {
			const around = open.at(-1) ?? top;
			const inner: Form[] = open.length < DEEPEST ? [] : around;
			if (inner !== around) around.push(inner);
			open.push(inner);
		} else if (!/^[)\]}]/.test(token)) open.at(-1)?.push(token);
		else if (open.length > 1) open.pop();
	}
	return top;
}

/** What the names of an import mean, such as `["sh", "child_process.execSync"]`. */
type Meaning = readonly [name: string, full: string];

const PYTHON_FROM = /^from\s+([\w.]+)\s+import\s+\(?([^()]*)\)?/;
const ECMASCRIPT = /^import\s+(?!type\b)([^"']+?)\s+from\s*["']([^"']+)["']/;
const GO = /^(\w+)\s+["`]([^"`]+)["`]$/;
const RENAMED = /^import\s+([\w.]+\s+as\s+[^\n]+|[^\n]+,\s*[\w.]+\s+as\s+[^\n]+)$/;

/** The names that an import of Python, JavaScript, TypeScript or Go gives to what it imports. */
function listImportedNames(statement: string): Meaning[] {
	const text = statement.replace(/#[^\n]*|\/\/[^\n]*/g, "").replace(/\s*;$/, "");
	const python = PYTHON_FROM.exec(text);
	if (python) return listed(python[2] ?? "", `${python[1]}.`);
	const script = ECMASCRIPT.exec(statement);
	if (script) return fromModule(script[1] ?? "", script[2] ?? "");
	const go = GO.exec(statement);
	if (go) return [[go[1] ?? "", (go[2] ?? "").replace(/^.*\//, "")]];
	const renamed = RENAMED.exec(text);
	return renamed ? listed(renamed[1] ?? "", "") : [];
}

/** The names that `const { exec: run } = require("child_process")` gives; `before` is the text before the call. */
export function listRequiredNames(before: string, module: string): Meaning[] {
	const names = /(?:const|let|var)\s+([\w$]+|\{[^{}]*\})\s*=\s*$/.exec(before)?.[1];
	return names === undefined ? [] : fromModule(names.replace(/([\w$]+)\s*:/g, "$1 as "), module);
}

/** `cp`, `* as cp` or `{ exec as run }`, of a module. */
function fromModule(names: string, module: string): Meaning[] {
	const full = module.replace(/^node:/, "").replace(/\/promises$/, "");
	const braces = /\{([^{}]*)\}/.exec(names);
	const whole = /^(?:\*\s*as\s+)?([\w$]+)/.exec(names)?.[1];
	return [
		...(whole === undefined ? [] : [[whole, full] as const]),
		...(braces ? listed(braces[1] ?? "", `${full}.`) : []),
	];
}

/** `a, b as c`. */
function listed(names: string, prefix: string): Meaning[] {
	return names.split(",").flatMap((part) => {
		const [, own = "", renamed = own] = /^\s*([\w$.]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part) ?? [];
		return own === "" || (prefix === "" && renamed === own) ? [] : [[renamed, `${prefix}${own}`] as const];
	});
}
