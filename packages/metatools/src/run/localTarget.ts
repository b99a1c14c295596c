import { resolvePointer } from "libmcp";

/** What a local reference points at in a schema; anything elsewhere is not fetched. */
export function localTarget(root: unknown, reference: string): unknown {
	if (reference !== "#" && !reference.startsWith("#/")) return undefined;
	return resolvePointer(root, reference.slice(1).replaceAll(/(?:%[\dA-F]{2})+/gi, unescaped));
}

/** A percent sign that escapes nothing stands for itself. */
function unescaped(letters: string): string {
	try {
		return decodeURIComponent(letters);
	} catch {
		return letters;
	}
}
