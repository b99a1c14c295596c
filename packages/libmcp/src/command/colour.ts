const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

/** The text in a style, if the stream takes colour. */
export function painted(style: keyof typeof CODES, text: string, stream: NodeJS.WriteStream = process.stdout): string {
	return takesColour(stream) ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
}

/** A capable terminal takes colour, and with FORCE_COLOR any stream; NO_COLOR, unless empty, turns it off everywhere. */
export function takesColour({ isTTY }: NodeJS.WriteStream): boolean {
	const { NO_COLOR = "", FORCE_COLOR = "0", TERM } = process.env;
	return NO_COLOR === "" && (FORCE_COLOR !== "0" || (isTTY === true && TERM !== "dumb"));
}
