const MAX_TEXT = 400;

/** Of a name or detail whose length a peer controls: it is kept for long, or must fit into one line of a log. */
export function clip(text: string): string {
	return isLong(text) ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
}

export function isLong(text: string): boolean {
	return text.length > MAX_TEXT;
}
