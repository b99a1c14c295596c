import { isDeeper } from "../contract/json.ts";

/** A message from guest code to its host. The sender may be hostile, so only what is checked here is trusted. */
export type GuestMessage = { readonly kind: GuestKind; readonly text: string };

const guestKinds = [
	"call",
	"stdout",
	"stderr",
	"progress",
	"lost",
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

/** Undefined for JSON that is too long, too deep or malformed, so that no later code recurses into it. */
export function parseBounded(text: string, maxLength: number, maxDepth: number): { value: unknown } | undefined {
	if (text.length > maxLength || isDeeper(text, maxDepth)) return undefined;
	try {
		return { value: JSON.parse(text) };
	} catch {
		// What is no JSON is no message.
		return undefined;
	}
}
