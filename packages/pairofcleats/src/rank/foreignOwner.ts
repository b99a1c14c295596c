import { makeFactRange } from "../segment/factTerms.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";

/**
 * Whether a qualified name belongs to another package, as `os.path.join` does: its owner is imported, and no file or
 * folder of the repository has the owner's name. A declaration here with the same last name is then unrelated.
 */
export function hasForeignOwner(name: string, snapshot: Snapshot, reader: IndexReader): boolean {
	const owners = name.toLowerCase().split(SEPARATOR).slice(0, -1);
	const first = owners[0];
	if (first === undefined || first === "") return false;
	const { called, imported } = namesOf(snapshot, reader);
	return !called.has(first) && (imported.has(first) || imported.has(owners.join()));
}

type Names = {
	/** Names of folders, and of files without their extensions. */
	readonly called: ReadonlySet<string>;
	/** Modules, by full name and by last part. */
	readonly imported: ReadonlySet<string>;
};

/** Safe to cache: a snapshot never changes. */
const NAMES = new WeakMap<Snapshot, Names>();

function namesOf(snapshot: Snapshot, reader: IndexReader): Names {
	const known = NAMES.get(snapshot);
	if (known) return known;
	const called = new Set<string>();
	for (const { path, alive } of snapshot.files) if (alive) for (const part of partsOf(path)) called.add(part);
	const imported = new Set<string>();
	const [from, to] = makeFactRange("import");
	for (const { id } of snapshot.segments) {
		for (const { term } of reader.terms(id, from, to)) {
			const module = term.slice(from.length).replace(/\.\*$/, "").toLowerCase().split(SEPARATOR);
			imported.add(module.join()).add(module.at(-1) ?? "");
		}
	}
	const names = { called, imported };
	NAMES.set(snapshot, names);
	return names;
}

/** Separators between a package, its modules and their members, in any language. */
const SEPARATOR = /::|->|[.#:/\\]/;

/** The folders of a path and the file's name without its extension. Dashes become underscores, as in an import. */
function partsOf(path: string): string[] {
	return path
		.toLowerCase()
		.replaceAll("-", "_")
		.split("/")
		.map((part) => part.replace(/\.[^.]*$/, ""));
}
