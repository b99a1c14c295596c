const MAX_TEXT = 400;

/** Shortens a name or detail whose length a peer controls, so that it fits a log line and may be kept for long. */
export function clip(text: string): string {
	return isLong(text) ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
}

export function isLong(text: string): boolean {
	return text.length > MAX_TEXT;
}
