import { isDeeper } from "../contract/depth.ts";

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
