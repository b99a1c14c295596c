import { isIP } from "node:net";

/** Whether a text can name a machine at all: `999.1.1.1` and a whole URL cannot, `0` and `127.1` stand for addresses. */
export function isHostName(text: string): boolean {
	return (
		isIP(text) !== 0 ||
		/^(?:[\w-]+\.)*[\w-]*[a-z][\w-]*\.?$/i.test(text) ||
		/^(?:\d+|127(?:\.\d{1,3}){1,2})$/.test(text)
	);
}
