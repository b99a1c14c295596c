// PostgreSQL's text holds neither U+0000 nor half of a surrogate pair, and what clients send may hold either. Apart from
// the rest because what is written and what is read must agree.

/** Marks a text that stands there as JSON. */
const MARK = "\u0001";

export function encodeText(text: string): string {
	return text.startsWith(MARK) || text.includes("\0") || !text.isWellFormed()
		? MARK + JSON.stringify(JSON.stringify(text)).slice(1, -1)
		: text;
}

export function decodeText(text: string): string {
	return text.startsWith(MARK) ? (JSON.parse(JSON.parse(`"${text.slice(MARK.length)}"`)) as string) : text;
}

/** A copy of plain data in which every text is encoded. */
export function encodeTexts<Data>(data: Data): Data {
	if (typeof data === "string") return encodeText(data) as Data;
	if (Array.isArray(data)) return data.map(encodeTexts) as Data;
	if (typeof data !== "object" || data === null) return data;
	return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encodeTexts(value)])) as Data;
}
