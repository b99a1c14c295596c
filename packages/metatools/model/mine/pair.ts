import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What somebody asks for, and the tool that does it. */
export type Pair = {
	readonly kind: "task" | "text";
	/** Tools of one catalogue are told apart from one another in training. */
	readonly catalogue: string;
	readonly query: string;
	readonly tool: Tool;
};

export type Tool = {
	readonly name: string;
	readonly description: string;
	/** Names of the parameters, each with what is said of it. */
	readonly parameters: readonly (readonly [name: string, description: string])[];
};

/** Reads all pairs from one checkout. */
export type Reader = (checkout: string) => Iterable<Pair>;

export function readText(...path: readonly string[]): string {
	const file = join(...path);
	return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** The lines of a file that are JSON objects. */
export function readRecords(...path: readonly string[]): readonly Record<string, unknown>[] {
	return readText(...path)
		.split("\n")
		.filter((line) => line.startsWith("{"))
		.map((line) => JSON.parse(line));
}

/** The files below a folder whose names match, sorted, so that every run reads them in the same order. */
export function filesIn(folder: string, name: RegExp): readonly string[] {
	if (!existsSync(folder)) return [];
	const found: string[] = [];
	for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) found.push(...filesIn(path, name));
		else if (name.test(path)) found.push(path);
	}
	return found;
}

export function toText(value: unknown): string {
	return typeof value === "string" ? value.replaceAll(/<[^>]{1,200}>/g, " ").trim() : "";
}

export function toObject(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function toList(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The first sentence of a text and the rest. */
export function splitHeadline(text: string): readonly [headline: string, rest: string] {
	const headline = /^.*?[.!?](?=\s|$)|^.*$/s.exec(text.trim().split("\n")[0] ?? "")?.[0] ?? "";
	return [headline, text.trim().slice(headline.length).trim()];
}

function byName(a: Dirent, b: Dirent): number {
	return a.name < b.name ? -1 : 1;
}
