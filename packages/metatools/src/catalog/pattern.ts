/** A matcher for names where `*` stands for any run of characters and everything else for itself. */
export function patternMatcher(pattern: string): (name: string) => boolean {
	const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
	const expression = new RegExp(`^${parts.join(".*")}$`, "s");
	return (name) => expression.test(name);
}
