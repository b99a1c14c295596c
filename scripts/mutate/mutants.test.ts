import assert from "node:assert/strict";
import { test } from "node:test";
import { listMutants } from "./mutants.ts";

const SOURCE = `type Limit = { readonly most: number };
export function isOver(count: number, { most }: Limit): boolean {
	if (!Number.isFinite(count)) throw new Error("count");
	return count > most;
}
`;

test("each mutant of a source changes one place of it, and types are left alone", () => {
	const mutants = listMutants(SOURCE);
	assert.deepEqual(
		mutants.map(({ line, label }) => `${line}: ${label}`),
		[
			"3: !Number.isFinite(count) → true",
			"3: !Number.isFinite(count) → false",
			"3: ! → (nothing)",
			"4: return count > most; → return;",
			"4: > → >=",
		],
	);
	for (const { start, end, label } of mutants) assert.ok(label.startsWith(SOURCE.slice(start, end)), label);
});
