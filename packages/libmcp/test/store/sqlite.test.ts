import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../e2e/verifies.ts";
import { openSqlite } from "../../src/store/openSqlite.ts";
import { openStore } from "../../src/store/openStore.ts";
import { MIGRATIONS } from "../../src/store/schema.ts";
import type { Store, Write } from "../../src/store/store.ts";
import { StoreProblem } from "../../src/store/storeProblem.ts";
import { refused, storeSuite } from "./storeSuite.ts";

const folder = mkdtempSync(join(tmpdir(), "store-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => join(folder, `${++files}`, "store.sqlite");

storeSuite("sqlite:", (world) => openStore(`sqlite:${newFile()}`, world));

const event = (number: number, text = `event ${number}`): Write => ({
	kind: "add-event",
	row: { session: "s1", stream: 1, number, text },
});
const put = (store: Store, ...writes: Write[]): Promise<void> => store.write({ writes, durability: "async" });

async function numbersIn(file: string): Promise<readonly number[]> {
	const store = await openSqlite(file);
	const { events } = await store.kept("s1");
	await store.close();
	return events.map(({ number }) => number);
}

describe("a store in a file", () => {
	test("is there again when it is opened again, for its owner alone", {
		skip: process.platform === "win32",
	}, async () => {
		const file = newFile();
		const store = await openSqlite(file);
		await put(store, event(1), event(2));
		const modes = readdirSync(dirname(file)).map((name) => [name, statSync(join(dirname(file), name)).mode & 0o777]);
		deepEqual(modes, [
			["store.sqlite", 0o600],
			["store.sqlite-wal", 0o600],
		]);
		await store.close();
		deepEqual(await numbersIn(file), [1, 2]);
	});

	for (const durability of ["async", "sync"]) {
		const loses = `loses nothing that it has reported as written (${durability}), however often its process is killed`;
		verifies("store-acknowledged-row-kept", loses, async () => {
			const file = newFile();
			const child = fileURLToPath(new URL("writer.child.ts", import.meta.url));
			let reported = 0;
			for (let kill = 1; kill <= 12; kill++) {
				const writer = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", child, file, durability], {
					stdio: ["ignore", "pipe", "inherit"],
				});
				const closed = once(writer, "close");
				let said = "";
				// Killed after its first write, its second, …
				for await (const chunk of writer.stdout.setEncoding("utf8")) {
					said += chunk;
					if (said.split("\n").length > kill) writer.kill("SIGKILL");
				}
				await closed;
				reported = Number(said.trimEnd().split("\n").at(-1));
				const store = await openSqlite(file);
				const { events } = await store.kept("s1");
				const last = Number((await store.value("last", "number"))?.value);
				await store.close();
				ok(last >= reported, `${last} kept of ${reported}`);
				deepEqual(
					events.map(({ number }) => number),
					Array.from({ length: last }, (_, index) => index + 1),
				);
			}
			ok(reported >= 78);
		});
	}

	test("is refused while another process has it, in words that say so", async () => {
		const file = newFile();
		const store = await openSqlite(file);
		await put(store, event(1));
		const script = `import { openSqlite } from ${JSON.stringify(new URL("../../src/store/openSqlite.ts", import.meta.url).href)};
			await openSqlite(${JSON.stringify(file)}, { waitMs: 50 }).then(() => console.log("opened"), (error) => console.log(error.code + " " + error.message));`;
		const said = execFileSync(process.execPath, [
			"--disable-warning=ExperimentalWarning",
			"--input-type=module",
			"-e",
			script,
		]);
		match(String(said), /^IN_USE .*store\.sqlite: another process uses this store/);
		await put(store, event(2));
		await store.close();
		deepEqual(await numbersIn(file), [1, 2]);
	});

	verifies(
		"store-full-disk",
		"on a full disk refuses what it cannot keep, keeps the rest, and goes on when there is room",
		async () => {
			const { file, makeRoom, ...limit } = fullDisk();
			const store = await openSqlite(file, limit);
			const kept: number[] = [];
			let problem: unknown;
			for (let number = 1; problem === undefined && number < 500; number++) {
				try {
					await put(store, event(number, "x".repeat(16_000)), {
						kind: "set-value",
						row: { space: "last", key: "number", value: String(number) },
					});
					kept.push(number);
				} catch (error) {
					problem = error;
				}
			}
			ok(problem instanceof StoreProblem && problem.code === "UNAVAILABLE" && problem.isTemporary, String(problem));
			match(problem.message, /cannot be used now: .*full|I\/O/i);
			ok(kept.length >= 5);
			equal((await store.value("last", "number"))?.value, String(kept.at(-1)));
			await makeRoom(store, kept);
			await put(store, event(1_000));
			await store.close();
			equal((await numbersIn(file)).at(-1), 1_000);
		},
	);

	verifies(
		"store-damage-is-told",
		"damaged in any page is refused as damaged and left as it is, or has every row",
		async () => {
			const file = newFile();
			const store = await openSqlite(file);
			for (let number = 1; number <= 60; number++)
				await put(store, event(number, `event ${number} ${"y".repeat(3_000)}`));
			await store.close();
			const whole = readFileSync(file);
			const rowsOf = async (): Promise<string> => {
				const opened = await openSqlite(file);
				try {
					return JSON.stringify(await opened.kept("s1"));
				} finally {
					await opened.close();
				}
			};
			const expected = await rowsOf();
			const outcomes = { refused: 0, whole: 0 };
			for (let start = 0; start < whole.length; start += 4_096) {
				for (const damage of ["zeroed", "flipped"] as const) {
					const broken = Buffer.from(whole);
					if (damage === "zeroed") broken.fill(0, start, start + 4_096);
					else for (let at = start + 200; at < start + 4_096; at += 700) broken[at] = (broken[at] ?? 0) ^ 0x41;
					writeFileSync(file, broken);
					try {
						equal(await rowsOf(), expected, `page ${start / 4_096} ${damage}`);
						outcomes.whole++;
					} catch (error) {
						ok(error instanceof StoreProblem, String(error));
						match(error.code, /^(DAMAGED|NO_STORE)$/);
						ok(readFileSync(file).equals(broken), "the damaged file is kept");
						outcomes.refused++;
					}
				}
			}
			ok(outcomes.refused > 60, JSON.stringify(outcomes));
		},
	);

	test("that is no store of ours is refused and left as it is", async () => {
		const text = newFile();
		mkdirSync(dirname(text));
		writeFileSync(text, "some notes of somebody, long enough to be no empty file\n".repeat(20));
		await refused("DAMAGED", openSqlite(text));
		match(readFileSync(text, "utf8"), /^some notes/);
		const other = newFile();
		mkdirSync(dirname(other));
		const database = new DatabaseSync(other);
		database.exec("CREATE TABLE mine (a)");
		database.close();
		await refused("NO_STORE", openSqlite(other));
	});
});

describe("the schema of a store", () => {
	const next = [
		...MIGRATIONS,
		{ program: "7.0.0", sql: "CREATE TABLE extra (a); INSERT INTO extra SELECT count(*) FROM row" },
	];

	verifies("store-upgrade-in-place", "is brought up to date in place, with a copy of the file as it was", async () => {
		const file = newFile();
		const before = await openSqlite(file);
		await put(before, event(1));
		await before.close();
		const migrated = await openSqlite(file, { migrations: next });
		deepEqual((await migrated.kept("s1")).events.length, 1);
		await migrated.close();
		deepEqual(await numbersIn(`${file}.v1`), [1]);
		equal(statSync(`${file}.v1`).mode & 0o077, 0);
	});

	test("of a newer program is refused with the version it needs, and kept", async () => {
		const file = newFile();
		await (await openSqlite(file, { migrations: next })).close();
		const before = readFileSync(file);
		await rejects(openSqlite(file), (error) => {
			ok(error instanceof StoreProblem && error.code === "NEWER");
			match(error.message, /schema version 1 or older, got 2; it needs version 7\.0\.0 of holdfast/);
			return true;
		});
		ok(readFileSync(file).equals(before));
	});

	test("that fails on the way leaves the file as it was", async () => {
		const file = newFile();
		const before = await openSqlite(file);
		await put(before, event(1));
		await before.close();
		const broken = [...MIGRATIONS, { program: "7.0.0", sql: "CREATE TABLE extra (a); INSERT INTO nowhere VALUES (1)" }];
		await refused("UNAVAILABLE", openSqlite(file, { migrations: broken }));
		deepEqual(await numbersIn(file), [1]);
	});
});

/** A small disk of its own where root can make one, else a limit on the file. */
function fullDisk(): {
	readonly file: string;
	readonly maxBytes?: number;
	makeRoom(store: Store, kept: readonly number[]): Promise<void>;
} {
	const file = newFile();
	const disk = dirname(file);
	mkdirSync(disk);
	try {
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], { stdio: "ignore" });
	} catch {
		return {
			file,
			maxBytes: 512 * 1024,
			makeRoom: (store, kept) => put(store, { kind: "drop-events", session: "s1", numbers: kept.slice(0, -1) }),
		};
	}
	after(() => void execFileSync("umount", [disk]));
	return { file, makeRoom: async () => void execFileSync("mount", ["-o", "remount,size=16m", disk]) };
}
