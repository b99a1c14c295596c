import assert from "node:assert/strict";
import { test } from "node:test";
import { killRounds } from "./killRounds.ts";

test("a build killed at any moment leaves an index that opens, validates and is completed by the next update", {
	timeout: 240_000,
}, async () => {
	let seed = 7;
	const random = (): number => {
		seed = (seed * 16_807) % 2_147_483_647;
		return seed / 2_147_483_647;
	};
	const { killed } = await killRounds(8, random);
	assert.ok(killed >= 2, `only ${killed} builds were caught alive`);
});
