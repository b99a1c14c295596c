/** One message of a guest to its host. Whoever sent it may be hostile: only what is checked here is believed. */
export type GuestMessage = { readonly kind: GuestKind; readonly text: string };

const guestKinds = [
	"call",
	"stdout",
	"stderr",
	"progress",
	"done",
	"unsendable",
	"fail",
	"syntax",
	"stalled",
	"deadline",
	"cpu",
	"crashed",
] as const;
export type GuestKind = (typeof guestKinds)[number];

export function isGuestMessage(value: unknown): value is GuestMessage {
	if (typeof value !== "object" || value === null || !("kind" in value) || !("text" in value)) return false;
	return typeof value.text === "string" && guestKinds.some((kind) => kind === value.kind);
}

/** The host's answer to one call: `text` is JSON, of the value or of the failure. */
export type HostReply = { readonly id: number; readonly ok: boolean; readonly text: string };

/** JSON that is too long, too deep or broken is undefined: nobody downstream should recurse into it. */
export function parseBounded(text: string, maxLength: number, maxDepth: number): { value: unknown } | undefined {
	if (text.length > maxLength || isDeeper(text, maxDepth)) return undefined;
	try {
		return { value: JSON.parse(text) };
	} catch {
		return undefined;
	}
}

function isDeeper(text: string, maxDepth: number): boolean {
	let depth = 0;
	let inString = false;
	for (let at = 0; at < text.length; at += 1) {
		const unit = text.charCodeAt(at);
		if (inString) {
			if (unit === BACKSLASH) at += 1;
			else if (unit === QUOTE) inString = false;
		} else if (unit === QUOTE) inString = true;
		else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
			depth += 1;
			if (depth > maxDepth) return true;
		} else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth -= 1;
	}
	return false;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
