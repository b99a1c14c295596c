/** Whether a method belongs to the plain dialect, where the method is the tool: MCP's own names hold a slash. */
export function isPlainMethod(method: string): boolean {
	return !method.includes("/") && method !== "initialize" && method !== "ping";
}
