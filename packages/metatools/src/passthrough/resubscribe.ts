import type { Link } from "./link.ts";

/** Tells a server with a handshake which resources are watched now, given those it was told before. */
export function resubscribe(link: Link, now: ReadonlySet<string>, before: ReadonlySet<string> = new Set()): void {
	const say = (method: string, uris: ReadonlySet<string>, unless: ReadonlySet<string>): void => {
		for (const uri of uris) if (!unless.has(uri)) link.request(method, { uri }).catch(() => {});
	};
	say("resources/subscribe", now, before);
	say("resources/unsubscribe", before, now);
}
