import { shown } from "../contract/json.ts";
import { readTexts } from "./section.ts";

/** Host names as the guard compares them. One that no request can have would shut everybody out. */
export function readHosts(value: unknown, place: string): readonly string[] {
	return readTexts(value, place).map((text, index) => {
		const name = /^(?:[^\s/\\:@?#*]+|\[[\da-f:.]+\])$/i.test(text) ? URL.parse(`http://${text}`)?.hostname : undefined;
		if (name !== undefined && name !== "") return name;
		throw new Error(
			`${place}.${index}: expected a host name without scheme, port or path, such as tools.example, got ${shown(text)}`,
		);
	});
}

/** Web origins as browsers send them. */
export function readOrigins(value: unknown, place: string): readonly string[] {
	return readTexts(value, place).map((text, index) => {
		const origin = originOf(text);
		if (origin !== undefined) return origin;
		throw new Error(
			`${place}.${index}: expected scheme and host without a path, such as https://app.example, got ${shown(text)}`,
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
