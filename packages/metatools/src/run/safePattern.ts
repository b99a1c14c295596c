const MAX_TESTED_LENGTH = 2_000;
const NEVER_FAILS = { test: () => true };

/**
 * A regular expression from somebody's schema that cannot hang us. One with a repeated group that itself repeats or
 * alternates may take exponential time; it is not checked here, the tool's own server still checks it.
 */
export function safePattern(pattern: string, flags: string): { test(text: string): boolean } {
	if (mayExplode(pattern)) return NEVER_FAILS;
	const expression = new RegExp(pattern, flags);
	return { test: (text) => text.length > MAX_TESTED_LENGTH || expression.test(text) };
}

function mayExplode(pattern: string): boolean {
	const groups: boolean[] = [];
	let unbounded = 0;
	for (let at = 0; at < pattern.length; at++) {
		const char = pattern[at];
		if (char === "\\") {
			if (/[1-9k]/.test(pattern[at + 1] ?? "")) return true;
			at++;
		} else if (char === "[") {
			at = endOfClass(pattern, at);
		} else if (char === "(") {
			groups.push(false);
		} else if (char === ")") {
			const repeats = groups.pop() ?? false;
			if (repeats && isRepeat(pattern, at + 1)) return true;
			if (repeats && groups.length > 0) groups[groups.length - 1] = true;
		} else if (char === "|" || isRepeat(pattern, at)) {
			if (char !== "|") unbounded++;
			if (groups.length > 0) groups[groups.length - 1] = true;
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

function isRepeat(pattern: string, at: number): boolean {
	return /^(?:[*+]|\{\d+,\d*\})/.test(pattern.slice(at, at + 12));
}
