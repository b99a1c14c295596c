/** Whether a JSON text has integers beyond 2^53, such as the ids of some services, which parsing would round. */
export function losesDigits(json: string): boolean {
	if (!LONG_NUMBER.test(json)) return false;
	for (const [token] of json.matchAll(STRING_OR_NUMBER))
		if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) return true;
	return false;
}

const LONG_NUMBER = /\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;
