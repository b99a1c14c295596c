import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { type Custody, type CustodyOptions, spawnCustody } from "../../src/process/spawnCustody.ts";
import { aliveOf, isAlive, processesNaming, type Roles, readRoles, TREE_SCRIPT } from "./livingTree.ts";

const STARVED = fileURLToPath(new URL("./fixtures/starved.ts", import.meta.url));
const posixOnly = process.platform === "win32" ? "POSIX process groups" : false;

async function growTree(traits: readonly string[], options: CustodyOptions = {}): Promise<[Custody, Roles]> {
	const custody = await spawnCustody(process.execPath, [TREE_SCRIPT, "leader", ...traits], options);
	assert.ok(custody.child.stdout);
	return [custody, await readRoles(custody.child.stdout)];
}

function groupOf(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
	return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
}

verifies(
	["000-p2-5-test-tree-abort", "000-p2-2-abort-signal", "000-p2-5-test-exit-event"],
	"aborting the signal ends parent and child and reports the parent's exit",
	async () => {
		const controller = new AbortController();
		const [custody, roles] = await growTree([], { signal: controller.signal });
		assert.deepEqual(aliveOf(roles), ["leader", "child", "grandchild", "stray"]);
		controller.abort();
		assert.deepEqual(await custody.exited, { code: null, signal: "SIGTERM" });
		await until(() => aliveOf(roles).length === 0, "the tree to end");
	},
);

verifies(
	["000-p2-3.2-term-first", "000-p2-3.1-signal-the-group"],
	"a tree that obeys SIGTERM is never sent SIGKILL, its children included",
	async () => {
		const [custody, roles] = await growTree([], { graceMs: 20_000 });
		const result = await custody.end();
		assert.equal(result.outcome, "terminated");
		assert.deepEqual(new Set(result.ended.map((ended) => ended.by)), new Set(["SIGTERM"]));
		assert.deepEqual(result.survivors, []);
		assert.deepEqual(aliveOf(roles), []);
		const group = result.ended.filter((ended) => ended.place === "group").map((ended) => ended.pid);
		assert.deepEqual(new Set(group), new Set([roles.child, roles.grandchild]));
	},
	{ skip: posixOnly },
);

verifies(
	["000-p2-3.2-kill-after-grace", "000-p2-3.3-left-the-group-swept", "000-p2-1-no-orphans"],
	"what ignores SIGTERM, in the group or in a session of its own, is killed when the grace ends",
	async () => {
		const [custody, roles] = await growTree(["stubborn"], { graceMs: 300 });
		const before = performance.now();
		const result = await custody.end();
		assert.ok(performance.now() - before >= 300, "the grace was not given");
		assert.equal(result.outcome, "killed");
		const by = new Map(result.ended.map((ended) => [ended.pid, `${ended.place} ${ended.by}`]));
		assert.equal(by.get(roles.leader), "leader SIGTERM");
		assert.equal(by.get(roles.grandchild), "group SIGKILL");
		assert.equal(by.get(roles.stray), "stray SIGKILL");
		assert.deepEqual(aliveOf(roles), []);
	},
	{ skip: posixOnly },
);

test("a stray with an empty environment is still found through its parent", { skip: posixOnly }, async () => {
	const [custody, roles] = await growTree(["bare", "stubborn"], { graceMs: 300 });
	await custody.end();
	assert.deepEqual(aliveOf(roles), []);
});

verifies(
	"000-p2-3.1-own-process-group",
	"a spawned child leads a process group of its own",
	async () => {
		const [custody, roles] = await growTree([]);
		assert.equal(groupOf(roles.leader), roles.leader);
		assert.equal(groupOf(roles.grandchild), roles.leader);
		assert.notEqual(groupOf(roles.stray), roles.leader);
		await custody.end();
	},
	{ skip: process.platform === "linux" ? false : "reads /proc" },
);

verifies("000-p2-5-test-silent-after-abort", "no output is delivered after the end has completed", async () => {
	const custody = await spawnCustody(process.execPath, [TREE_SCRIPT, "leader", "noisy", "stubborn"], { graceMs: 100 });
	let chunks = 0;
	custody.child.stdout?.on("data", () => chunks++);
	await until(() => chunks > 20, "the noise");
	await custody.end();
	const heard = chunks;
	await delay(150);
	assert.equal(chunks, heard);
});

verifies(
	"000-p2-1-no-orphans",
	"when the leader dies by itself, what it left behind is ended without being asked",
	async () => {
		const [custody, roles] = await growTree(["stubborn"], { graceMs: 200 });
		process.kill(roles.leader, "SIGKILL");
		assert.deepEqual(await custody.exited, { code: null, signal: "SIGKILL" });
		await until(() => aliveOf(roles).length === 0, "the orphans to end");
	},
);

for (const generations of [1, 4]) {
	verifies(
		"000-p2-1-no-orphans",
		`a daemon ${generations} generations below a leader that ends at once is ended, whenever the look falls`,
		async () => {
			const argument = `600.${process.pid}${generations}`;
			let line = `setsid sleep ${argument} & exit`;
			for (let n = 1; n < generations; n++) line = `setsid sh -c '${line.replaceAll("'", `'"'"'`)}' & exit`;
			for (let round = 0; round < 30; round++) {
				const custody = await spawnCustody("/bin/sh", ["-c", line], { graceMs: 2_000, stdio: "ignore" });
				await delay(round % 6);
				await custody.end();
			}
			await delay(50);
			assert.deepEqual(processesNaming(argument), []);
		},
		{ skip: process.platform === "linux" ? false : "reads /proc" },
	);
}

for (const [how, flags, said] of [
	["for a moment", [], { outcome: "killed", reported: 0, alive: [] }],
	["for long", ["--long"], { outcome: "failed", code: "kill_unavailable", reported: 1, alive: ["stray"] }],
] as const) {
	verifies(
		"000-p2-6-kill-failure-reported",
		`a host without a file descriptor left ${how} outlives its worker's death and tells of a tree that stays, and nothing outlives the host`,
		async () => {
			const line = 'ulimit -n 64; exec "$0" --disable-warning=ExperimentalWarning "$@"';
			const args = [STARVED, ...flags, TREE_SCRIPT, "leader", "stubborn"];
			const host = spawnSync("/bin/sh", ["-c", line, process.execPath, ...args], { encoding: "utf8" });
			const { stray, ...told } = JSON.parse(host.stdout);
			assert.deepEqual(told, said, host.stderr);
			const lines = host.stderr.match(/^libmcp: could not end process tree \d+: kill_unavailable: .+$/gm) ?? [];
			assert.equal(lines.length, said.reported, host.stderr);
			await until(() => !isAlive(stray), "the guardian");
		},
		{ skip: process.platform === "linux" ? false : "reads /proc" },
	);
}

verifies("000-p2-3.3-already-gone-ignored", "ending a process that is gone is no error", async () => {
	const custody = await spawnCustody(process.execPath, ["-e", ""]);
	assert.deepEqual(await custody.exited, { code: 0, signal: null });
	const result = await custody.end();
	assert.equal(result.outcome, "already_gone");
	assert.deepEqual(await custody.end(), result);
});

test("a tree spawned inside a tree is ended with it", { skip: posixOnly }, async () => {
	const inner = `
		const { spawnCustody } = await import(${JSON.stringify(new URL("../../src/process/spawnCustody.ts", import.meta.url).href)});
		const inside = await spawnCustody(process.execPath, [${JSON.stringify(TREE_SCRIPT)}, "leader", "stubborn"], { stdio: ["ignore", 1, 2] });
		process.on("SIGTERM", () => {});
		await inside.exited;`;
	const custody = await spawnCustody(process.execPath, ["--input-type=module", "-e", inner], { graceMs: 300 });
	assert.ok(custody.child.stdout);
	const roles = await readRoles(custody.child.stdout);
	await custody.end();
	assert.deepEqual(aliveOf(roles), []);
	assert.equal(isAlive(custody.pid), false);
});

test("a command that does not exist is refused with its name", async () => {
	const missing = { code: "ENOENT", message: "the command /nonexistent/server was not found" };
	await assert.rejects(spawnCustody("/nonexistent/server", []), missing);
});

test("a command line in place of a program is refused with what belongs among the arguments", async () => {
	for (const [command, program] of [
		["node --version", "node"],
		[`${process.execPath} --version`, process.execPath],
	] as const) {
		await assert.rejects(spawnCustody(command, []), {
			code: "ENOENT",
			message: `no program is named ${JSON.stringify(command)}; what follows ${program} belongs among its arguments`,
		});
	}
	const missing = { message: "the command /no such/folder/server was not found" };
	await assert.rejects(spawnCustody("/no such/folder/server", []), missing);
});

test("an aborted signal starts nothing", async () => {
	await assert.rejects(spawnCustody(process.execPath, ["-e", ""], { signal: AbortSignal.abort() }), {
		name: "AbortError",
	});
});

verifies("000-p2-6-grace-option", "the grace is two seconds unless told, and the only kill setting", async () => {
	const { DEFAULT_GRACE_MS } = await import("../../src/process/killResult.ts");
	assert.equal(DEFAULT_GRACE_MS, 2_000);
	const { killTree } = await import("libmcp");
	assert.equal(killTree.length, 1, "target, and options with a default");
	await assert.rejects(killTree({ pid: 4_194_303 }, { graceMs: -1 }), /graceMs: expected .* got -1/);
	await assert.rejects(killTree({ pid: 0 }), /pid: expected .* got 0/);
	const options: Required<Parameters<typeof killTree>[1]> = { graceMs: 5 };
	assert.deepEqual(Object.keys(options), ["graceMs"]);
});
