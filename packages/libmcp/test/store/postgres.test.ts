import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PostgresCluster } from "../../../../e2e/postgresCluster.ts";
import { openStore } from "../../src/store/openStore.ts";
import { openPostgres } from "../../src/store/postgres/openPostgres.ts";
import type { Store, Write } from "../../src/store/store.ts";
import { REAL_WORLD, type World } from "../../src/world/world.ts";
import { refused, storeSuite } from "./storeSuite.ts";

let cluster: PostgresCluster;
let schemas = 0;

before(async () => {
	cluster = await PostgresCluster.start();
});
after(() => cluster.close());

const freshUrl = (): string => `${cluster.url}?schema=s${++schemas}`;
const set = (key: string, value: string): Write => ({ kind: "set-value", row: { space: "v", key, value } });

storeSuite("a store in PostgreSQL", (world: World) => openPostgres(freshUrl(), { world }));

describe("a store in PostgreSQL", () => {
	test("is shared: one node reads and hears what another writes, and takes from the same counter", async () => {
		const url = freshUrl();
		const [one, other] = await Promise.all([openStore(url), openStore(url)]);
		const heard: string[] = [];
		await other.watch("news", (message) => heard.push(message));
		const large = "é".repeat(20_000);
		for (const message of [large, "small"])
			await one.write({ writes: [{ kind: "publish", topic: "news", message }], durability: "async" });
		await one.write({ writes: [set("k", "1")], durability: "async" });
		equal((await other.value("v", "k"))?.value, "1");
		const allowance = { most: 10, windowMs: 3_600_000 };
		const taken = await Promise.all([one, other, one, other].map((store) => store.take("c", 4, allowance)));
		deepEqual(taken.toSorted(), [0, 2, 4, 4]);
		await waitFor(() => heard.length === 2);
		deepEqual(heard, [large, "small"]);
		await Promise.all([one.close(), other.close()]);
	});

	test("keeps any text, also what PostgreSQL's own cannot hold", async () => {
		const store = await openStore(freshUrl());
		const texts = ["a\0b", "\ud800 alone", "\u0001marked", '\u0001"quoted\\', "plain ✓"];
		for (const [index, text] of texts.entries())
			await store.write({ writes: [set(`${index} ${text}`, text)], durability: "async" });
		deepEqual(
			(await store.values("v")).map(({ value }) => value),
			texts,
		);
		equal((await store.value("v", `0 ${texts[0]}`))?.value, "a\0b");
		await store.close();
	});

	test("loses nothing it has taken, and does nothing twice, when the server is killed again and again", async () => {
		const url = freshUrl();
		// A busy machine may take long to recover.
		const store = await openPostgres(url, { patienceMs: 120_000 });
		const kept: number[] = [];
		let number = 0;
		let isDone: boolean = false;
		const writing = Promise.all(
			Array.from({ length: 8 }, async () => {
				while (!isDone) {
					const mine = ++number;
					const write: Write = { kind: "add-event", row: { session: "s", stream: 0, number: mine, text: "" } };
					// A batch that were applied twice would be refused.
					await store.write({ writes: [write], durability: mine % 3 === 0 ? "sync" : "async" });
					kept.push(mine);
					await new Promise((resolve) => setTimeout(resolve, 2));
				}
			}),
		);
		for (let kill = 0; kill < 5; kill++) {
			await new Promise((resolve) => setTimeout(resolve, 300));
			await cluster.kill();
			await cluster.restart();
		}
		isDone = true;
		await writing;
		const { events } = await store.kept("s");
		deepEqual(
			events.map((event) => event.number),
			kept.toSorted((a, b) => a - b),
		);
		await store.close();
	});

	test("has the fence of an owner refused after a failover as before it", async () => {
		const primary = await PostgresCluster.start();
		const standby = await primary.startStandby({ synchronous: true });
		try {
			const store = await openStore(primary.url);
			const old = await store.acquire("node", "a", 1);
			await new Promise((resolve) => setTimeout(resolve, 20));
			const next = await store.acquire("node", "b", 60_000);
			await store.write({ writes: [set("k", "synced")], durability: "sync" });
			await primary.kill();
			await standby.promote();
			const after = await openStore(standby.url);
			equal((await after.value("v", "k"))?.value, "synced");
			await refused(
				"FENCE_LOST",
				after.write({ writes: [set("k", "old")], durability: "async", ...(old && { fence: old }) }),
			);
			await after.write({ writes: [set("k", "new")], durability: "async", ...(next && { fence: next }) });
			await after.close();
			await store.close();
		} finally {
			await standby.close();
			await primary.close();
		}
	});

	test("says that it cannot be reached, and goes on when it can", { timeout: 60_000 }, async () => {
		const store = await openStore(freshUrl());
		await store.write({ writes: [set("k", "1")], durability: "sync" });
		await cluster.kill();
		await refused("UNAVAILABLE", store.write({ writes: [set("k", "2")], durability: "async" }));
		await refused("UNAVAILABLE", store.value("v", "k"));
		let missed = 0;
		await cluster.restart();
		await store.watch(
			"news",
			() => {},
			() => missed++,
		);
		await store.write({ writes: [set("k", "3")], durability: "sync" });
		equal((await store.value("v", "k"))?.value, "3");
		await cluster.kill();
		await cluster.restart();
		await waitFor(() => missed > 0);
		await store.close();
	});

	test("is made by nodes that start at once, and refuses what a newer program made", async () => {
		const url = freshUrl();
		const stores = await Promise.all([1, 2, 3].map(() => openStore(url)));
		await Promise.all(stores.map((store: Store) => store.close()));
		await cluster.query(`update s${schemas}.about set value = '9' where name = 'version'`);
		await cluster.query(`update s${schemas}.about set value = '7.0.0' where name = 'program'`);
		await rejects(openStore(url), /version 9, this program knows 1; holdfast 7\.0\.0 or newer is needed/);
	});

	test("is refused by a URL that names none, without its password", async () => {
		for (const [url, text] of [
			["postgres://u:secret@127.0.0.1:1/db", /^postgres:\/\/127\.0\.0\.1:1\/db: .*ECONNREFUSED/],
			[
				"postgres://u:secret@127.0.0.1/db?schema=A%22",
				/^store: expected a schema of small letters, digits and _, got "A\\""/,
			],
			["postgres:u:secret", /^store: expected postgres:\/\/ with a host|got no URL/],
		] as const)
			await rejects(openStore(url, REAL_WORLD), (error: Error) => {
				match(error.message, text);
				equal(error.message.includes("secret"), false);
				return true;
			});
	});
});

async function waitFor(holds: () => boolean): Promise<void> {
	while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
