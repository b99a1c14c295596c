/** A name and what owns it: `Session.send`, `Site#read`, `queue->next`; no part of a path. */
const QUALIFIED = /(?<![\w$./\\-])[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*[!?]?)+/g;
/** A name is indexed with the classes and modules round it, which a text rarely gives all of and often more than. */
const MOST_PARTS = 3;

/** The names that a text gives together with their owners; of a long one also its ends, as a package may come first. */
export function qualifiedNames(text: string): string[] {
	const names: string[] = [];
	for (const [run] of text.matchAll(QUALIFIED)) {
		const parts = run.split(/\.|::|#|->/);
		for (let from = Math.max(0, parts.length - MOST_PARTS); from < parts.length - 1; from++) {
			names.push(parts.slice(from).join("."));
		}
	}
	return names;
}
