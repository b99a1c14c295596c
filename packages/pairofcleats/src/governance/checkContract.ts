import { isObject } from "../contract/isObject.ts";
import type { ContractSnapshot } from "./snapshot.ts";

const BUMPS = ["none", "patch", "minor", "major"] as const;
export type Bump = (typeof BUMPS)[number];

export type Change = {
	/** Location in the snapshot, as names joined by dots. */
	readonly path: string;
	readonly kind: "added" | "removed" | "changed";
	readonly bump: Bump;
};

export type Verdict = {
	readonly ok: boolean;
	readonly required: Bump;
	/** The lowest version that these changes allow. */
	readonly leastVersion: string;
	readonly changes: readonly Change[];
};

/** Checks that the contract's version was raised enough for its differences from the released contract. */
export function checkContract(released: ContractSnapshot, current: ContractSnapshot): Verdict {
	const { schemaVersion: was, ...before } = released;
	const { schemaVersion: is, ...after } = current;
	const changes = [...differences([], before, after)];
	const required = changes.reduce<Bump>((most, { bump }) => (rank(bump) > rank(most) ? bump : most), "none");
	const leastVersion = raise(was, required);
	return { ok: compareVersions(is, leastVersion) >= 0, required, leastVersion, changes };
}

function* differences(path: readonly string[], before: unknown, after: unknown): Generator<Change> {
	if (!isObject(before) || !isObject(after)) {
		if (JSON.stringify(before) !== JSON.stringify(after)) yield change(path, "changed", before, after);
		return;
	}
	for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
		const inner = [...path, key];
		if (!Object.hasOwn(before, key)) yield change(inner, "added", undefined, after[key]);
		else if (!Object.hasOwn(after, key)) yield change(inner, "removed", before[key], undefined);
		else yield* differences(inner, before[key], after[key]);
	}
}

function change(path: readonly string[], kind: Change["kind"], before: unknown, after: unknown): Change {
	const rule = RULES.find(({ where, kinds }) => kinds.includes(kind) && matches(where, path));
	// A difference that no rule covers counts as breaking.
	return { path: path.join("."), kind, bump: rule?.bump(after ?? before) ?? "major" };
}

type Rule = {
	/** `*` matches any one name, `**` any remaining names. */
	readonly where: string;
	readonly kinds: readonly Change["kind"][];
	bump(value: unknown): Bump;
};

const ALL = ["added", "removed", "changed"] as const;
const byNeed = (value: unknown): Bump => (isObject(value) && value.required === true ? "major" : "minor");

/** The non-breaking differences; the first matching rule decides. */
const RULES: readonly Rule[] = [
	{ where: "tools.*.wording.**", kinds: ALL, bump: () => "patch" },
	{ where: "errors.*.wording.**", kinds: ["changed"], bump: () => "patch" },
	{ where: "tools.*", kinds: ["added"], bump: () => "minor" },
	{ where: "tools.*.arguments.*", kinds: ["added"], bump: byNeed },
	{ where: "tools.*.result.*", kinds: ["added"], bump: byNeed },
	{ where: "envelope.meta.optional.*", kinds: ["added"], bump: () => "minor" },
	{ where: "http.envelope.meta.optional.*", kinds: ["added"], bump: () => "minor" },
	{ where: "http.paths.*", kinds: ["added"], bump: () => "minor" },
	{ where: "http.results.*", kinds: ["added"], bump: () => "minor" },
	// Releases before it did not record the defaults.
	{ where: "defaults", kinds: ["added"], bump: () => "none" },
	{ where: "http.events.*", kinds: ["added"], bump: () => "minor" },
];

function matches(where: string, path: readonly string[]): boolean {
	const names = where.split(".");
	const open = names.at(-1) === "**";
	const fixed = open ? names.slice(0, -1) : names;
	if (open ? path.length <= fixed.length : path.length !== fixed.length) return false;
	return fixed.every((name, index) => name === "*" || name === path[index]);
}

function rank(bump: Bump): number {
	return BUMPS.indexOf(bump);
}

function raise(version: string, bump: Bump): string {
	const [major, minor, patch] = partsOf(version);
	switch (bump) {
		case "none":
			return version;
		case "patch":
			return `${major}.${minor}.${patch + 1}`;
		case "minor":
			return `${major}.${minor + 1}.0`;
		case "major":
			return `${major + 1}.0.0`;
	}
}

function compareVersions(a: string, b: string): number {
	const left = partsOf(a);
	const right = partsOf(b);
	return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

function partsOf(version: string): readonly [number, number, number] {
	const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
	if (major === undefined) throw new Error(`schemaVersion: expected major.minor.patch, got ${JSON.stringify(version)}`);
	return [Number(major), Number(minor), Number(patch)];
}
