import assert from "node:assert/strict";
import { test } from "node:test";
import { killRounds } from "./killRounds.ts";

test("fifty builds killed at random moments each leave an index that opens, validates and is completed", async () => {
	const { killed } = await killRounds(50, Math.random);
	assert.ok(killed >= 15, `only ${killed} builds were caught alive`);
});
