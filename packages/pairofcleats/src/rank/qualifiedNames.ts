/** A name with its owner: `Session.send`, `Site#read`, `queue->next`, `App\Mailer`. Not inside a path. */
const QUALIFIED = /(?<![\w$./\\-])[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*[!?]?|\\[A-Z]\w*)+/g;
/** The index has a name with its enclosing classes and modules. A text often gives fewer of them, or adds a package. */
const MOST_PARTS = 3;

/**
 * The names that a text gives with their owners. A long one is also cut from the front, as it may begin with a package.
 */
export function qualifiedNames(text: string): string[] {
	const names: string[] = [];
	for (const [run] of text.matchAll(QUALIFIED)) {
		const parts = run.split(/\.|::|#|->|\\/);
		for (let from = Math.max(0, parts.length - MOST_PARTS); from < parts.length - 1; from++) {
			names.push(parts.slice(from).join("."));
		}
	}
	return names;
}
