/** A matcher for names where `*` stands for any run of characters and everything else for itself. */
export function patternMatcher(pattern: string): (name: string) => boolean {
	const [head = "", ...others] = pattern.split("*");
	const tail = others.pop();
	// Finds each part at its first occurrence, in linear time; a regular expression would backtrack on long names.
	return (name) => {
		if (tail === undefined) return name === head;
		if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
		const end = name.length - tail.length;
		let at = head.length;
		for (const part of others) {
			const found = name.indexOf(part, at);
			if (found < 0 || found + part.length > end) return false;
			at = found + part.length;
		}
		return true;
	};
}

/** Whether the pattern matches some name that begins with the prefix. */
export function matchesSomeAfter(prefix: string, pattern: string): boolean {
	const [head = "", ...others] = pattern.split("*");
	return head.startsWith(prefix) || (others.length > 0 && prefix.startsWith(head));
}

/** Whether the pattern matches every name that begins with the prefix. */
export function matchesAllAfter(prefix: string, pattern: string): boolean {
	return pattern.endsWith("*") && patternMatcher(pattern)(prefix);
}
