import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate as soon } from "node:timers/promises";
import { inTurn } from "../../../src/upstream/login/turn.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-turn-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("turns follow one another, whatever becomes of them", async () => {
	const file = join(folder, "one.turn");
	let open = 0;
	const turn = (fails: boolean) =>
		inTurn(file, async () => {
			assert.equal(++open, 1);
			await soon();
			open--;
			if (fails) throw new Error("no luck");
			return "done";
		});
	const ends = await Promise.allSettled([turn(false), turn(true), turn(false)]);
	assert.deepEqual(
		ends.map((end) => (end.status === "fulfilled" ? end.value : end.reason.message)),
		["done", "no luck", "done"],
	);
	assert(!existsSync(file));
});

test("a turn that nobody ended holds nobody up, nor does a folder that cannot be written to", async () => {
	const file = join(folder, "left.turn");
	for (const minutes of [-1, 60]) {
		writeFileSync(file, "");
		const made = new Date(Date.now() + minutes * 60_000);
		utimesSync(file, made, made);
		assert.equal(await inTurn(file, async () => minutes), minutes);
		assert(!existsSync(file));
	}
	assert.equal(await inTurn(join(folder, "none", "at.turn"), async () => 5), 5);
});

test("a turn that took too long does not end the one that began since", async () => {
	const file = join(folder, "long.turn");
	await inTurn(file, async () => writeFileSync(file, "another's"));
	assert(existsSync(file));
});
