import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay, setImmediate as soon } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { runInBlockingTurn, runInTurn } from "../../src/command/inTurn.ts";

const folder = mkdtempSync(join(tmpdir(), "in-turn-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("turns follow one another, whatever becomes of them", async () => {
	let open = 0;
	const turn = (fails: boolean) =>
		runInTurn(join(folder, "one", "file"), async () => {
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
	assert.deepEqual(readdirSync(join(folder, "one")), []);
});

test("processes that change a file at once lose nothing, also after one of them was killed in its turn", {
	timeout: 120_000,
}, async () => {
	const file = join(folder, "counted");
	writeFileSync(file, "0");
	writeFileSync(markOf(file, { pid: spawnSync("true").pid }), "");
	const source = JSON.stringify(new URL("../../src/command/inTurn.ts", import.meta.url).href);
	const code = `
		const { runInBlockingTurn } = await import(${source});
		const { readFileSync, writeFileSync } = await import("node:fs");
		const file = ${JSON.stringify(file)};
		const add = () => writeFileSync(file, String(Number(readFileSync(file, "utf8")) + 1));
		for (let turn = 0; turn < 50; turn++) runInBlockingTurn(file, add);
	`;
	const given = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", code];
	const codes = Array.from({ length: 4 }, async () => {
		const [exit] = await once(spawn(process.execPath, given, { stdio: ["ignore", "ignore", "inherit"] }), "exit");
		return exit;
	});
	assert.deepEqual(await Promise.all(codes), [0, 0, 0, 0]);
	assert.equal(readFileSync(file, "utf8"), "200");
});

test("a turn that nobody ended holds nobody up, nor does a folder that cannot be written to", async () => {
	const file = join(folder, "left");
	for (const minutes of [-1, 60]) {
		const mark = markOf(file, { host: "elsewhere" });
		writeFileSync(mark, "");
		const made = new Date(Date.now() + minutes * 60_000);
		utimesSync(mark, made, made);
		assert.equal(await runInTurn(file, () => minutes), minutes);
		assert(!existsSync(mark));
	}
	assert.equal(await runInTurn("/proc/self/none/file", () => 5), 5);
	writeFileSync(join(folder, "no-folder"), "");
	const inFile = join(folder, "no-folder", "file");
	assert.throws(() => runInBlockingTurn(inFile, () => writeFileSync(inFile, "")), { code: "ENOTDIR", path: inFile });
});

test("a turn under way is not taken for one left behind, however long it lasts", async () => {
	const file = join(folder, "long", "file");
	const ends: string[] = [];
	let next: Promise<unknown> = Promise.resolve();
	await runInTurn(file, async () => {
		const [mark = ""] = readdirSync(join(folder, "long")).map((name) => join(folder, "long", name));
		const hourAgo = new Date(Date.now() - 3_600_000);
		utimesSync(mark, hourAgo, hourAgo);
		await until(() => statSync(mark).mtimeMs > hourAgo.getTime(), "the mark is renewed");
		next = runInTurn(file, () => ends.push("next"));
		await delay(100);
		ends.push("long");
	});
	await next;
	assert.deepEqual(ends, ["long", "next"]);
});

test("whoever cannot await a turn gives up after a while, and says which file it was", () => {
	const file = join(folder, "busy");
	writeFileSync(markOf(file, { host: "elsewhere" }), "");
	assert.throws(() => runInBlockingTurn(file, () => {}), { message: `${file}: another process is changing it` });
});

function markOf(file: string, { host = hostname(), pid = process.pid }): string {
	return `${file}.turn.${host}.${pid}.one`;
}
