/** A hint for code that takes a tool's value for the result that servers wrap it in. */
export const VALUE_ITSELF = "a call of a tool gives the value itself, with no content or structuredContent around it";

/** Whether an error came of reading the members of such a result where there are none. */
export function seeksResult(name: string, message: string, line = ""): boolean {
	return (
		name === "TypeError" && /^cannot read propert/i.test(message) && /\.(?:content|structuredContent)\b/.test(line)
	);
}
