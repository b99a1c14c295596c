import { isObject, type JsonObject, showValue } from "../contract/json.ts";

/** Readers for the free parts of the configuration; each failure names the place, what was expected and what came. */
export function readText(value: unknown, place: string, quoted: (value: unknown) => string = showValue): string {
	if (typeof value === "string" && value !== "") return value;
	throw new Error(`${place}: expected text, got ${quoted(value)}`);
}

export function readTexts(value: unknown, place: string): readonly string[] {
	if (value === undefined) return [];
	if (!Array.isArray(value)) throw new Error(`${place}: expected a list of texts, got ${showValue(value)}`);
	return value.map((item: unknown, index) => readText(item, `${place}.${index}`));
}

export function readNumber(value: unknown, place: string): number {
	if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
	throw new Error(`${place}: expected a number above zero, got ${showValue(value)}`);
}

export function readObject(value: unknown, place: string, quoted: (value: unknown) => string = showValue): JsonObject {
	if (value === undefined) return {};
	if (isObject(value)) return value;
	throw new Error(`${place}: expected an object, got ${quoted(value)}`);
}

/** Rejects unknown members: a typing error in an access rule must not go unnoticed. */
export function refuseOthers(section: JsonObject, known: readonly string[], place: string): void {
	const other = Object.keys(section).find((name) => !known.includes(name));
	if (other !== undefined) throw new Error(`${place}.${other}: expected one of ${known.join(", ")}`);
}

/** Host names as the guard compares them. One that no request can have would shut everybody out. */
export function readHosts(value: unknown, place: string): readonly string[] {
	return readTexts(value, place).map((text, index) => {
		const name = /^(?:[^\s/\\:@?#*]+|\[[\da-f:.]+\])$/i.test(text) ? URL.parse(`http://${text}`)?.hostname : undefined;
		if (name !== undefined && name !== "") return name;
		throw new Error(
			`${place}.${index}: expected a host name without scheme, port or path, such as tools.example, got ${showValue(text)}`,
		);
	});
}

/** Web origins as browsers send them. */
export function readOrigins(value: unknown, place: string): readonly string[] {
	return readTexts(value, place).map((text, index) => {
		const origin = originOf(text);
		if (origin !== undefined) return origin;
		throw new Error(
			`${place}.${index}: expected scheme and host without a path, such as https://app.example, got ${showValue(text)}`,
		);
	});
}

function originOf(text: string): string | undefined {
	// What pages without a server send, such as those of files.
	if (text === "null") return text;
	if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/\\?#@*]+\/?$/i.test(text)) return undefined;
	const address = URL.parse(text);
	// Schemes of applications, such as `vscode-webview://`, have no origin of their own here.
	return address?.origin === "null" ? `${address.protocol}//${address.host}` : address?.origin;
}

/** Accepts https anywhere, and http only on this machine. */
export function readWebAddress(value: unknown, place: string): string {
	const text = readText(value, place);
	if (!URL.canParse(text)) throw new Error(`${place}: expected an address, got ${JSON.stringify(text)}`);
	const { protocol, hostname } = new URL(text);
	const local = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
	if (protocol === "https:" || (protocol === "http:" && local)) return text;
	throw new Error(`${place}: expected https, got ${JSON.stringify(text)}`);
}
