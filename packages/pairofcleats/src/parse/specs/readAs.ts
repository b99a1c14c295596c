/** What the grammar of a language is shown in place of text it does not know; of the same length, so that all stays in its place. */
export type ReadAs = { readonly at: RegExp; readonly as: (written: string) => string };

/** A word or mark of the language. */
export function word(mark: string): ReadAs["as"] {
	return (written) => mark.padEnd(written.length);
}

/** One name behind the mark of a decorator, on the first line. */
export function decorator(written: string): string {
	const [first = "", ...others] = written.split("\n");
	return [`@${"_".repeat(first.length - 1)}`, ...others.map((line) => " ".repeat(line.length))].join("\n");
}

/** `class Name` of a longer head of a type. */
export function classHead(written: string): string {
	const [, words = "", name = ""] = /^((?:\w+[ \t]+)+)(\w+)/.exec(written) ?? [];
	return `${"class".padEnd(words.length)}${name}`.padEnd(written.length);
}

/** A body with nothing in it. */
export function body(written: string): string {
	return `{${written.slice(1, -1).replace(/[^\n]/g, " ")}}`;
}
