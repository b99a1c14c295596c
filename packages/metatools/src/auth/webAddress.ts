import { readText } from "./section.ts";

/** Accepts https anywhere, and http only on this machine. */
export function webAddress(value: unknown, place: string): string {
	const text = readText(value, place);
	if (!URL.canParse(text)) throw new Error(`${place}: expected an address, got ${JSON.stringify(text)}`);
	const { protocol, hostname } = new URL(text);
	const local = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
	if (protocol === "https:" || (protocol === "http:" && local)) return text;
	throw new Error(`${place}: expected https, got ${JSON.stringify(text)}`);
}
