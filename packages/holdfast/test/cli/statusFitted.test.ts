import "../../../../scripts/withoutColour.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitLine } from "../../src/cli/hosts/statusCommand.ts";

type Statuses = Parameters<typeof fitLine>[0];

const named = (name: string, kind: string) =>
	({
		name,
		pid: process.pid,
		health: {
			generation: 1,
			state: "ready",
			rollout: "stable",
			restartCount: 0,
			inFlight: 0,
			waiting: 0,
			lastFault: null,
			connection: { kind },
		},
	}) as unknown as Statuses[number];

test("a server that is not connected and has no process is shown without a generation", () => {
	const [, failed = "", ready = ""] = fitLine([named("away", "failed"), named("here", "ready")], 24).split("\n");
	assert.match(failed, /^away +\d+ +none +none +failed /);
	assert.match(ready, /^here +\d+ +none +1 +ready /);
});

test("a window that cannot show all servers shows those that are not ready, and how many more there are", () => {
	const statuses = Array.from({ length: 40 }, (_, place) => named(`s${place}`, place === 37 ? "failed" : "ready"));
	const lines = fitLine(statuses, 24).split("\n");
	assert.equal(lines.length, 23);
	assert.match(lines[1] ?? "", /^s37 .* failed /);
	assert.match(lines[2] ?? "", /^s0 /);
	assert.equal(lines.at(-1), "and 19 more, all ready");
	assert.match(
		fitLine(
			statuses.map(({ name }) => named(name, "failed")),
			24,
		),
		/\nand 19 more, 19 of them not ready$/,
	);
	assert.equal(fitLine(statuses, 42).split("\n").length, 41);
});
