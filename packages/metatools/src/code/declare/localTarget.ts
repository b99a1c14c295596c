import { isObject } from "../../contract/json.ts";

/** What a local reference points at; anything elsewhere is not fetched. */
export function localTarget(root: unknown, reference: string): unknown {
	if (reference === "#") return root;
	if (!reference.startsWith("#/")) return undefined;
	let at: unknown = root;
	for (const part of reference.slice(2).split("/")) {
		const key = unescaped(part);
		if (Array.isArray(at)) at = at[Number(key)];
		else if (isObject(at) && Object.hasOwn(at, key)) at = at[key];
		else return undefined;
	}
	return at;
}

/** A part of a JSON Pointer in a fragment; a percent sign that escapes nothing stands for itself. */
function unescaped(part: string): string {
	const pointer = part.replaceAll(/%[0-7][0-9A-Fa-f]/g, (code) => decodeURIComponent(code));
	return pointer.replaceAll("~1", "/").replaceAll("~0", "~");
}
