/** Estimates how many characters a JSON value takes, without serialising it. Not recursive, as values may nest deeply. */
export function charsIn(value: unknown): number {
	const open: unknown[] = [value];
	let chars = 0;
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next === "string") chars += next.length;
		else if (Array.isArray(next)) for (const item of next) open.push(item);
		else if (typeof next === "object" && next !== null)
			for (const [name, inner] of Object.entries(next)) {
				chars += name.length;
				open.push(inner);
			}
		chars += PER_VALUE;
	}
	return chars;
}

/** Per value, for brackets, commas and numbers. */
const PER_VALUE = 4;
