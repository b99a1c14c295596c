/** Whether a method is that of a plain request, which names the tool. MCP's own methods contain a slash. */
export function isPlainMethod(method: string): boolean {
	return !method.includes("/") && method !== "initialize" && method !== "ping";
}
