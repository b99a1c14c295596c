const MAX_TESTED_LENGTH = 2_000;
const NEVER_FAILS = { test: () => true };

/**
 * Makes a regular expression from a foreign schema safe to run. One with a repeated group that itself repeats or alternates
 * may take exponential time; it is skipped here, and left to the tool's own server.
 */
export function safePattern(pattern: string, flags: string): { test(text: string): boolean } {
	if (mayExplode(pattern)) return NEVER_FAILS;
	const expression = new RegExp(pattern, flags);
	return { test: (text) => text.length > MAX_TESTED_LENGTH || expression.test(text) };
}

function mayExplode(pattern: string): boolean {
	// For each open group: whether what is inside can match in more than one way.
	const groups: boolean[] = [];
	let unbounded = 0;
	const varies = () => {
		if (groups.length > 0) groups[groups.length - 1] = true;
	};
	for (let at = 0; at < pattern.length; at++) {
		const char = pattern[at];
		if (char === "\\") {
			if (/[1-9k]/.test(pattern[at + 1] ?? "")) return true;
			at++;
		} else if (char === "[") {
			at = endOfClass(pattern, at);
		} else if (char === "(") {
			groups.push(false);
			// `(?:`, `(?=`, `(?<name>` and the like are part of the bracket.
			at += /^\(\?(?:[:=!]|<[=!]|<\w+>)/.exec(pattern.slice(at))?.[0].slice(1).length ?? 0;
		} else if (char === ")") {
			const inner = groups.pop() ?? false;
			if (inner && /^(?:[*+]|\{)/.test(pattern.slice(at + 1))) return true;
			if (inner) varies();
		} else if (char === "|" || char === "?") {
			varies();
		} else if (/^(?:[*+]|\{\d+,\d*\})/.test(pattern.slice(at, at + 12))) {
			unbounded++;
			varies();
		}
	}
	return unbounded > 3;
}

function endOfClass(pattern: string, start: number): number {
	for (let at = start + 1; at < pattern.length; at++) {
		if (pattern[at] === "\\") at++;
		else if (pattern[at] === "]") return at;
	}
	return pattern.length;
}
