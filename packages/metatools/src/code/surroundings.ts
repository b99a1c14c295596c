/** A hint for code that tries to use modules, files or the network. */
export const SURROUNDINGS =
	"besides the language itself there are tools, console, progress and setTimeout: no modules, files or network";

/** Whether a name is a global in other environments, such as Node or a browser. */
export function isFoundElsewhere(name: string): boolean {
	return name in globalThis || ELSEWHERE.has(name);
}

const ELSEWHERE: ReadonlySet<string> = new Set([
	...["require", "module", "exports", "__dirname", "__filename", "fs", "path", "axios", "Deno", "Bun"],
	...["window", "document", "localStorage", "XMLHttpRequest", "callTool", "call_tool", "mcp", "client"],
]);
