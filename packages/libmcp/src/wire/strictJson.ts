import { type Buffer, isUtf8 } from "node:buffer";
import { INVALID_FRAME, type InvalidReason } from "./envelope.ts";
import {
	CLOSE_BRACE,
	CLOSE_BRACKET,
	COLON,
	MAX_DEPTH,
	OPEN_BRACE,
	OPEN_BRACKET,
	QUOTE,
	skipSpace,
	skipString,
} from "./jsonSkip.ts";
import { readString } from "./members.ts";

export type StrictJson =
	| { readonly ok: true; readonly value: unknown }
	| {
			readonly ok: false;
			readonly reason: Extract<InvalidReason, "not_utf8" | "not_json" | "too_deep" | "duplicate_member">;
			readonly detail: string;
	  };

/** Parses JSON when we are the endpoint: refuses a repeated member at any depth, and deep nesting. */
export function parseStrictJson(bytes: Buffer, parse: (json: string) => unknown = JSON.parse): StrictJson {
	if (!isUtf8(bytes)) return refuse("not_utf8");
	let value: unknown;
	try {
		value = parse(bytes.toString());
	} catch {
		return refuse("not_json");
	}
	return findFlaw(bytes) ?? { ok: true, value };
}

/** Walks bytes that JSON.parse has accepted, so only names, strings and brackets matter. */
function findFlaw(bytes: Buffer): StrictJson | undefined {
	// One entry per open container: the member names of an object so far, or undefined for an array.
	const open: (Set<string> | undefined)[] = [];
	for (let i = 0; i < bytes.length; i++) {
		switch (bytes[i]) {
			case OPEN_BRACE:
			case OPEN_BRACKET:
				if (open.length >= MAX_DEPTH) return refuse("too_deep");
				open.push(bytes[i] === OPEN_BRACE ? new Set() : undefined);
				break;
			case CLOSE_BRACE:
			case CLOSE_BRACKET:
				open.pop();
				break;
			case QUOTE: {
				const end = skipString(bytes, i + 1);
				const name = bytes[skipSpace(bytes, end)] === COLON ? readString(bytes, i, end) : undefined;
				const names = open.at(-1);
				if (name !== undefined && names?.has(name))
					return refuse("duplicate_member", JSON.stringify(name.slice(0, 64)));
				if (name !== undefined) names?.add(name);
				i = end - 1;
			}
		}
	}
	return undefined;
}

function refuse(reason: Extract<StrictJson, { ok: false }>["reason"], about = ""): StrictJson {
	return {
		ok: false,
		reason,
		detail: about === "" ? INVALID_FRAME[reason].says : `${INVALID_FRAME[reason].says}: ${about}`,
	};
}
