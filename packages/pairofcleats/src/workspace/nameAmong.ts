import { sep } from "node:path";

/** A folder's name, with as many of those above it as tell it from the others: no more of this machine's paths is told. */
export function nameAmong(root: string, all: readonly string[]): string {
	const parts = root.split(sep);
	const others = all.filter((other) => other !== root).map((other) => other.split(sep));
	for (let count = 1; count < parts.length; count++) {
		const name = parts.slice(-count).join("/");
		if (!others.some((other) => other.slice(-count).join("/") === name)) return name;
	}
	return root;
}
