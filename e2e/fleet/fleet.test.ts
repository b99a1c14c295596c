// Many gateways behind one address, as real processes on a real PostgreSQL. The long run is e2e/chaos/killedFleet.soak.ts.
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { after, before } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../until.ts";
import { verifies } from "../verifies.ts";
import { FleetClient } from "./fleetClient.ts";
import { type RunningFleet, type RunningNode, startFleet } from "./fleetNodes.ts";

let fleet: RunningFleet;

before(async () => {
	fleet = await startFleet(3);
});
after(() => fleet.close());

const timed = { timeout: 240_000 };
const nodeAt = (index: number): RunningNode => {
	const node = fleet.nodes[index];
	if (node === undefined) throw new Error(`no node ${index}`);
	return node;
};
const effectsOf = (call: string): number => fleet.effects().filter((id) => id === call).length;

verifies(
	["fleet-any-node"],
	"a session that is opened at one node works through every node",
	async () => {
		const client = await FleetClient.open(nodeAt(0).address, "/mcp/effects");
		for (const [index, { address }] of fleet.nodes.entries()) {
			equal(await client.call(address, "read", `any-${index}`), `read any-${index}`);
			equal(await client.call(address, "write", `any-${index}`), `write any-${index}`);
			equal(effectsOf(`any-${index}`), 1);
		}
		match(await client.ask(nodeAt(1).address, "tools/list"), /"keyed"/);
		await client.end(nodeAt(2).address);
		equal(await client.status(nodeAt(0).address), 404);
		const about = await (await fetch(`${nodeAt(0).address}/api/fleet`)).json();
		deepEqual(
			Object(about).nodes.map(({ config }: { config: string }) => config),
			Array(3).fill(Object(about).nodes[0].config),
		);
	},
	timed,
);

verifies(
	["fleet-node-killed", "fleet-one-answer"],
	"the sessions of a node that is killed go on at another, and each call in flight gets its one answer there",
	async (t) => {
		const client = await FleetClient.open(nodeAt(0).address, "/mcp/effects");
		const [safe, undeclared] = await Promise.all([
			client.begin(nodeAt(0).address, "keyed", "killed-keyed", 1_500),
			client.begin(nodeAt(0).address, "write", "killed-write", 1_500),
		]);
		const killedAt = performance.now();
		await nodeAt(0).end("SIGKILL");
		equal(await client.call(nodeAt(1).address, "read", "after"), "read after");
		t.diagnostic(`first answer ${Math.round(performance.now() - killedAt)} ms after the node was killed`);
		match(await client.resume(nodeAt(2).address, safe), /keyed killed-keyed/);
		match(await client.resume(nodeAt(1).address, undeclared), /ambiguous_outcome|outcome_unknown|may or may not/);
		deepEqual([effectsOf("killed-keyed"), effectsOf("killed-write")], [1, 1]);
		await nodeAt(0).start();
		equal(await client.call(nodeAt(0).address, "read", "again"), "read again");
	},
	timed,
);

verifies(
	["fleet-handover"],
	"a node that is told to stop hands its sessions over at once",
	async (t) => {
		const client = await FleetClient.open(nodeAt(1).address, "/mcp/effects");
		const ended = nodeAt(1).end("SIGTERM");
		await ended;
		const began = performance.now();
		equal(await client.call(nodeAt(2).address, "write", "handed"), "write handed");
		t.diagnostic(`first answer ${Math.round(performance.now() - began)} ms after the node had stopped`);
		equal(effectsOf("handed"), 1);
		await nodeAt(1).start();
		equal(await client.call(nodeAt(1).address, "read", "back"), "read back");
	},
	timed,
);

verifies(
	["fleet-stale-node"],
	"a node that was frozen and thawed writes nothing of the sessions that others took over, and joins again",
	async () => {
		const client = await FleetClient.open(nodeAt(2).address, "/mcp/effects");
		const begun = await client.begin(nodeAt(2).address, "write", "frozen", 100);
		nodeAt(2).signal("SIGSTOP");
		await delay(4_000);
		// Nobody knows what became of a write that a frozen node has got, so this asks for what does no harm.
		equal(await client.status(nodeAt(0).address), 200);
		equal(await client.call(nodeAt(0).address, "write", "meanwhile"), "write meanwhile");
		const rows = async () =>
			(await fleet.database.query("select id, owner, epoch from holdfast.session order by id")).rows;
		const taken = await rows();
		await delay(6_000);
		nodeAt(2).signal("SIGCONT");
		await until(() => /was declared dead/.test(nodeAt(2).log()), "the node learns that it was declared dead");
		await delay(1_500);
		deepEqual(await rows(), taken);
		match(
			await client.resume(nodeAt(0).address, begun),
			/ambiguous_outcome|outcome_unknown|may or may not|write frozen/,
		);
		// It serves the session through its new owner.
		equal(await client.call(nodeAt(2).address, "write", "thawed"), "write thawed");
		deepEqual([effectsOf("frozen"), effectsOf("meanwhile"), effectsOf("thawed")], [1, 1, 1]);
	},
	timed,
);

verifies(
	["fleet-database-away"],
	"while PostgreSQL is away nodes refuse with a reason what they cannot keep, and go on when it is back",
	async () => {
		const client = await FleetClient.open(nodeAt(0).address, "/mcp/effects");
		await fleet.database.kill();
		const refused = await client.openResponse(nodeAt(1).address, "/mcp/effects");
		equal(refused.status, 503);
		ok(Number(refused.headers.get("retry-after")) > 0);
		match(await refused.text(), /stored|kept/);
		await fleet.database.restart();
		await until(
			async () => (await client.call(nodeAt(1).address, "read", "later").catch(() => "")) === "read later",
			"the session goes on",
		);
		equal(await client.call(nodeAt(2).address, "write", "kept"), "write kept");
		equal(effectsOf("kept"), 1);
	},
	timed,
);
