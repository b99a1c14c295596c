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
