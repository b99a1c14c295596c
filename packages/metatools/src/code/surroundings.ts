/** Said to code that reaches for more. */
export const SURROUNDINGS =
	"besides the language itself there are tools, console, progress and setTimeout: no modules, files or network";

/** Whether a name is one that programs elsewhere find without declaring it. */
export function isFoundElsewhere(name: string): boolean {
	return name in globalThis || ELSEWHERE.has(name);
}

const ELSEWHERE: ReadonlySet<string> = new Set([
	...["require", "module", "exports", "__dirname", "__filename", "fs", "path", "axios", "Deno", "Bun"],
	...["window", "document", "localStorage", "XMLHttpRequest", "callTool", "call_tool", "mcp", "client"],
]);
