/** In longer expressions the fault is not located, because that requires compiling every prefix. */
const LONGEST_PLACED = 1_000;

/**
 * Describes what is wrong with a regular expression and where, as `Unterminated group, at character 3, "(b"`;
 * `undefined` if it is valid.
 */
export function describeExpressionFault(source: string, flags: string): string | undefined {
	const posix = POSIX_CLASS.exec(source)?.[1];
	if (posix !== undefined) return `${posix} is no class here, where \\p{L}, \\p{Lu}, \\d, \\s and \\w are`;
	const reason = faultOf(source, flags);
	if (reason === undefined || source.length > LONGEST_PLACED) return reason;
	const at = faultAt(source, flags);
	return `${reason}, at character ${at + 1}, ${JSON.stringify(source.slice(at, at + 20))}`;
}

/** Without the flag `u`, JavaScript reads `\\p{Lu}` as the letter p and a brace. */
export function completeFlags(source: string, flags: string): string {
	const isUnicode = /(?<!\\)(?:\\\\)*\\[pPu]\{/.test(source);
	return isUnicode && !flags.includes("u") ? `${flags}u` : flags;
}

/** A class of other engines, which JavaScript reads as the letters of its name. */
const POSIX_CLASS =
	/\[[^\]]*(\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\])/;

function faultOf(source: string, flags: string): string | undefined {
	try {
		new RegExp(source, flags);
		return undefined;
	} catch (thrown) {
		const message = thrown instanceof Error ? thrown.message : String(thrown);
		return message.slice(message.lastIndexOf(": ") + 2);
	}
}

/**
 * The index after which no prefix is valid, even with its brackets closed. If the closed whole is valid, the index of
 * its open bracket.
 */
function faultAt(source: string, flags: string): number {
	const closed = closedBeginnings(source);
	let length = source.length;
	while (length > 0 && faultOf(closed[length]?.text ?? "", flags) !== undefined) length -= 1;
	return length < source.length ? length : (closed[length]?.open ?? 0);
}

type Beginning = { readonly text: string; readonly open: number | undefined };

/** Every prefix with its class and groups closed, and the position of the first open bracket. */
function closedBeginnings(source: string): Beginning[] {
	const beginnings: Beginning[] = [];
	const groups: number[] = [];
	let inClass: number | undefined;
	let escaped = false;
	for (let at = 0; at <= source.length; at++) {
		const closers = (inClass === undefined ? "" : "]") + ")".repeat(groups.length);
		beginnings.push({ text: source.slice(0, at) + closers, open: inClass ?? groups[0] });
		const letter = source[at];
		if (escaped) escaped = false;
		else if (letter === "\\") escaped = true;
		else if (inClass !== undefined) inClass = letter === "]" ? undefined : inClass;
		else if (letter === "[") inClass = at;
		else if (letter === "(") groups.push(at);
		else if (letter === ")") groups.pop();
	}
	return beginnings;
}
