import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { createCustodyMark, markEnvironment } from "../../src/process/processTable.ts";
import { aliveOf, isAlive, processesNaming, readRoles, TREE_SCRIPT } from "./livingTree.ts";

const HOST = fileURLToPath(new URL("./fixtures/host.ts", import.meta.url));
const GUARDIAN = fileURLToPath(new URL("../../src/process/guardianMain.ts", import.meta.url));
const posixOnly = process.platform === "win32" ? "POSIX signals" : false;

const linuxOnly = process.platform === "linux" ? false : "reads /proc";

const startHost = (...args: string[]): ChildProcess => start(HOST, ...args);

function start(program: string, ...args: string[]): ChildProcess {
	return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, ...args], {
		stdio: ["pipe", "pipe", "inherit"],
	});
}

function output(host: ChildProcess): NonNullable<ChildProcess["stdout"]> {
	assert.ok(host.stdout);
	return host.stdout;
}

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
	verifies(
		["000-p2-1-host-killed-no-orphans", "000-p2-1-no-orphans"],
		`nothing of a worker's tree survives a host ended by ${signal}`,
		async () => {
			const host = startHost(TREE_SCRIPT, "leader", "stubborn");
			const roles = await readRoles(output(host));
			host.kill(signal);
			await until(() => aliveOf(roles).length === 0, "the guardian");
		},
		{ skip: posixOnly },
	);
}

/** Says when it can be ended, and counts on after it was asked to end. */
const COUNTING = `
const { appendFileSync } = require("node:fs");
process.on("SIGTERM", () => setInterval(() => appendFileSync(process.argv[1], "."), 50));
setInterval(() => {}, 1_000);
console.log("ready");`;

verifies(
	"000-p2-1-host-killed-no-orphans",
	"the tree of a killed host has less than three seconds, however patient the host was",
	async (t) => {
		const folder = mkdtempSync(join(tmpdir(), "libmcp-guardian-"));
		t.after(() => rmSync(folder, { recursive: true, force: true }));
		const counted = join(folder, "counted");
		const host = startHost("--patient", "-e", COUNTING, counted);
		await once(output(host), "data");
		host.kill("SIGKILL");
		await until(() => processesNaming(counted).length === 0, "the guardian");
		// On a busy machine it counts more slowly, never faster.
		const count = readFileSync(counted, "utf8").length;
		assert.ok(count > 0 && count < 3_000 / 50, `it counted to ${count}`);
	},
	{ skip: linuxOnly },
);

test("a host whose guardian was killed, and the next at once, has another before it is killed itself", {
	skip: posixOnly,
}, async () => {
	const host = startHost(TREE_SCRIPT, "leader", "stubborn");
	const roles = await readRoles(output(host));
	for (const which of ["the second guardian", "the third guardian"]) {
		const killed = guardianOf(host.pid ?? 0);
		assert.ok(killed !== undefined);
		process.kill(killed, "SIGKILL");
		await until(() => ![undefined, killed].includes(guardianOf(host.pid ?? 0)), which);
	}
	host.kill("SIGKILL");
	await until(() => aliveOf(roles).length === 0, "the last guardian's work");
});

test("a test that fails, and so ends its process early, leaves nothing behind", { skip: posixOnly }, async () => {
	const host = startHost("--throw", TREE_SCRIPT, "leader", "stubborn");
	const roles = await readRoles(output(host));
	host.stdin?.end("now\n");
	await until(() => aliveOf(roles).length === 0, "the guardian");
});

for (const [which, manner] of [
	["its first worker", "--first"],
	["another worker", "--midst"],
] as const) {
	test(`a host killed in starting ${which} leaves nothing behind`, { skip: linuxOnly }, async (t) => {
		const nonce = `killed${manner}-${process.pid}`;
		t.after(() => {
			for (const pid of processesNaming(nonce)) process.kill(Number(pid), "SIGKILL");
		});
		const host = startHost(manner, TREE_SCRIPT, "leader", "stubborn", nonce);
		host.stdin?.end("now\n");
		await until(() => host.signalCode === "SIGKILL", "the host's end");
		await until(() => processesNaming(nonce).length === 0, "the guardian");
	});
}

test("a host that could not start its guardian has one with the next tree", { skip: linuxOnly }, async () => {
	const nonce = `unguarded-${process.pid}`;
	const host = startHost("--unguarded", TREE_SCRIPT, "leader", "stubborn", nonce);
	await readRoles(output(host));
	// The host, the idle one and the four of the tree.
	assert.equal(processesNaming(nonce).length, 6);
	host.kill("SIGKILL");
	await until(() => processesNaming(nonce).length === 0, "the guardian");
});

test("a host killed after its program was removed leaves nothing behind", { skip: linuxOnly }, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "libmcp-removed-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const source = fileURLToPath(new URL("../../src/", import.meta.url));
	cpSync(join(source, "process"), join(folder, "src/process"), { recursive: true });
	cpSync(join(source, "environment.ts"), join(folder, "src/environment.ts"));
	cpSync(join(source, "fault/thrown.ts"), join(folder, "src/fault/thrown.ts"));
	cpSync(HOST, join(folder, "test/process/fixtures/host.ts"));
	writeFileSync(join(folder, "package.json"), '{"type":"module"}');
	const host = start(join(folder, "test/process/fixtures/host.ts"), TREE_SCRIPT, "leader", "stubborn");
	const roles = await readRoles(output(host));
	rmSync(folder, { recursive: true });
	host.kill("SIGKILL");
	await until(() => aliveOf(roles).length === 0, "the guardian");
});

test("where there is no shell to wait for the host's end, Node waits for it", { skip: linuxOnly }, async () => {
	const mark = createCustodyMark();
	const env = markEnvironment(process.env, mark);
	const tree = spawn(process.execPath, [TREE_SCRIPT, "leader", "stubborn"], { env, detached: true });
	const roles = await readRoles(tree.stdout);
	const guardian = start(GUARDIAN, JSON.stringify({ mark, graceMs: 200 }));
	guardian.stdin?.write(`${JSON.stringify({ pid: roles.leader, mark, graceMs: 200 })}\n`);
	await new Promise((resolve) => setTimeout(resolve, 500));
	assert.equal(aliveOf(roles).length, 4);
	guardian.stdin?.end();
	await until(() => aliveOf(roles).length === 0, "the guardian");
});

test("the guardian of a host that ended its worker goes too, and does not hold the host open", {
	skip: posixOnly,
}, async () => {
	const host = startHost("--end", TREE_SCRIPT, "leader");
	const roles = await readRoles(output(host));
	const guardian = guardianOf(host.pid ?? 0);
	assert.ok(guardian !== undefined && isAlive(guardian));
	host.stdin?.end("now\n");
	const code = await new Promise((resolve) => host.once("exit", resolve));
	assert.equal(code, 0);
	assert.deepEqual(aliveOf(roles), []);
	await until(() => !isAlive(guardian), "the guardian to go");
});

function guardianOf(host: number): number | undefined {
	for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
		try {
			const stat = readFileSync(`/proc/${name}/stat`, "latin1");
			const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
			if (parent === host && readFileSync(`/proc/${name}/cmdline`, "latin1").includes("guardianMain"))
				return Number(name);
		} catch {
			// Gone between the list and the look.
		}
	}
	return undefined;
}
