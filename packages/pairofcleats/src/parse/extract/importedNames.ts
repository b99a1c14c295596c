/** What the names of an import mean, such as `["sh", "child_process.execSync"]`. */
export type Meaning = readonly [name: string, full: string];

const PYTHON_FROM = /^from\s+([\w.]+)\s+import\s+\(?([^()]*)\)?/;
const ECMASCRIPT = /^import\s+(?!type\b)([^"']+?)\s+from\s*["']([^"']+)["']/;
const GO = /^(\w+)\s+["`]([^"`]+)["`]$/;
const RENAMED = /^import\s+([\w.]+\s+as\s+[^\n]+|[^\n]+,\s*[\w.]+\s+as\s+[^\n]+)$/;

/** The names that an import of Python, JavaScript, TypeScript or Go gives to what it imports. */
export function importedNames(statement: string): Meaning[] {
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
export function requiredNames(before: string, module: string): Meaning[] {
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
