import { listTrigramsOf } from "../segment/trigrams.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";

/** A few trigrams filter files almost as well as all of them. */
const MOST_TRIGRAMS = 12;

/** The live files, by number in the snapshot, that can contain a match. */
export function findTrigramFiles(snapshot: Snapshot, reader: IndexReader, requirement: Requirement): number[] {
	const files: number[] = [];
	for (const segment of snapshot.segments) {
		const may = satisfying(requirement, segment.id, segment.files.length, reader);
		for (const ordinal of segment.files.keys()) {
			if ((may === undefined || may[ordinal] === 1) && !segment.dead.has(ordinal))
				files.push(segment.fileBase + ordinal);
		}
	}
	return files;
}

/** 1 for each file of a segment that meets the requirement; `undefined` if nothing is required. */
function satisfying(
	requirement: Requirement,
	segment: number,
	count: number,
	reader: IndexReader,
): Uint8Array | undefined {
	if (isUndemanding(requirement)) return undefined;
	const files = new Uint8Array(count).fill(1);
	for (const trigram of spreadOut([...requirement.trigrams])) {
		const has = new Uint8Array(count);
		for (const file of reader.trigram(segment, trigram) ?? []) has[file] = 1;
		keepBoth(files, has);
	}
	for (const alternatives of requirement.anyOf) {
		const any = new Uint8Array(count);
		for (const alternative of alternatives) {
			const one = satisfying(alternative, segment, count, reader);
			for (let file = 0; file < count; file++) if (one === undefined || one[file] === 1) any[file] = 1;
		}
		keepBoth(files, any);
	}
	return files;
}

function spreadOut(trigrams: readonly number[]): number[] {
	if (trigrams.length <= MOST_TRIGRAMS) return [...trigrams];
	const step = trigrams.length / MOST_TRIGRAMS;
	return Array.from({ length: MOST_TRIGRAMS }, (_, index) => trigrams[Math.floor(index * step)] ?? 0);
}

function keepBoth(files: Uint8Array, other: Uint8Array): void {
	for (let file = 0; file < files.length; file++) files[file] = (files[file] ?? 0) & (other[file] ?? 0);
}

/** What a text must contain for a pattern to match: all of these trigrams, and one of each set of alternatives. */
export type Requirement = {
	readonly trigrams: ReadonlySet<number>;
	readonly anyOf: readonly (readonly Requirement[])[];
};

const NONE: Requirement = { trigrams: new Set(), anyOf: [] };
/** Patterns nested deeper than this are not filtered by trigrams. */
const MOST_DEPTH = 20;

/** The literals that every match of a pattern contains. Can require too little, never too much. */
export function readRegexRequirement(source: string, flags: string): Requirement {
	// With `iu`, some non-ASCII letters match ASCII ones, which trigrams do not account for.
	if (flags.includes("u") && flags.includes("i")) return NONE;
	const reader = new PatternReader(source);
	try {
		const requirement = reader.alternatives(0);
		return reader.atEnd ? requirement : NONE;
	} catch (error) {
		if (error instanceof RangeError) return NONE;
		throw error;
	}
}

export function readLiteralRequirement(text: string): Requirement {
	return { trigrams: listTrigramsOf(text), anyOf: [] };
}

export function isUndemanding(requirement: Requirement): boolean {
	return requirement.trigrams.size === 0 && requirement.anyOf.length === 0;
}

type Atom =
	| { readonly kind: "char"; readonly char: string }
	| { readonly kind: "group"; readonly requirement: Requirement }
	| { readonly kind: "gap" }
	| { readonly kind: "nothing" };

class PatternReader {
	readonly #source: string;
	#at = 0;

	constructor(source: string) {
		this.#source = source;
	}

	get atEnd(): boolean {
		return this.#at >= this.#source.length;
	}

	alternatives(depth: number): Requirement {
		if (depth > MOST_DEPTH) throw new RangeError("pattern is nested too deeply");
		const branches = [this.#sequence(depth)];
		while (this.#source[this.#at] === "|") {
			this.#at += 1;
			branches.push(this.#sequence(depth));
		}
		const [only] = branches;
		if (branches.length === 1 && only) return only;
		return branches.some(isUndemanding) ? NONE : { trigrams: new Set(), anyOf: [branches] };
	}

	#sequence(depth: number): Requirement {
		const trigrams = new Set<number>();
		const anyOf: (readonly Requirement[])[] = [];
		let run = "";
		const endRun = (): void => {
			for (const trigram of listTrigramsOf(run)) trigrams.add(trigram);
			run = "";
		};
		while (!this.atEnd && this.#source[this.#at] !== "|" && this.#source[this.#at] !== ")") {
			const atom = this.#atom(depth);
			const { least, most } = this.#quantifier();
			if (atom.kind === "nothing") continue;
			if (atom.kind === "char" && least >= 1) {
				run += atom.char.repeat(Math.min(least, 3));
				if (most !== least) {
					endRun();
					// After a repeated character, the next literal still follows its last occurrence.
					run = atom.char;
				}
				continue;
			}
			endRun();
			if (atom.kind === "group" && least >= 1) {
				for (const trigram of atom.requirement.trigrams) trigrams.add(trigram);
				anyOf.push(...atom.requirement.anyOf);
			}
		}
		endRun();
		return { trigrams, anyOf };
	}

	#atom(depth: number): Atom {
		const char = this.#source[this.#at++] ?? "";
		switch (char) {
			case "^":
			case "$":
				return { kind: "nothing" };
			case ".":
				return { kind: "gap" };
			case "[":
				return this.#skipClass();
			case "(":
				return this.#group(depth);
			case "\\":
				return this.#escape();
			default:
				// A quantifier after half of a surrogate pair applies to the pair.
				return /[\ud800-\udfff]/.test(char) ? { kind: "gap" } : { kind: "char", char };
		}
	}

	#skipClass(): Atom {
		while (!this.atEnd && this.#source[this.#at] !== "]") this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
		this.#at += 1;
		return { kind: "gap" };
	}

	#group(depth: number): Atom {
		const opening = /^\?(?::|<?[=!]|<[^>]*>|[a-z-]*:)/.exec(this.#source.slice(this.#at))?.[0] ?? "";
		this.#at += opening.length;
		const requirement = this.alternatives(depth + 1);
		if (this.#source[this.#at++] !== ")") throw new RangeError("group does not end");
		// The text inside a look-around is not part of the match.
		return /^\?<?[=!]/.test(opening) || /^\?[a-z-]+:/.test(opening) ? { kind: "gap" } : { kind: "group", requirement };
	}

	#escape(): Atom {
		const char = this.#source[this.#at++] ?? "";
		if (/[bB]/.test(char)) return { kind: "nothing" };
		if (/[xuckpP]/.test(char)) throw new RangeError("escape is not read");
		// The digits after a first one may be part of an octal code or of a reference.
		if (/\d/.test(char)) while (/\d/.test(this.#source[this.#at] ?? "")) this.#at += 1;
		if (/[a-zA-Z0-9]/.test(char)) return { kind: "gap" };
		return { kind: "char", char };
	}

	#quantifier(): { least: number; most: number } {
		const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at));
		if (!match) return { least: 1, most: 1 };
		this.#at += match[0].length;
		if (match[1] === "*") return { least: 0, most: Number.POSITIVE_INFINITY };
		if (match[1] === "+") return { least: 1, most: Number.POSITIVE_INFINITY };
		if (match[1] === "?") return { least: 0, most: 1 };
		const least = Number(match[2]);
		return { least, most: match[3] === "" ? least : match[4] === "" ? Number.POSITIVE_INFINITY : Number(match[4]) };
	}
}
