import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../e2e/verifies.ts";
import { until } from "../until.ts";
import { aliveOf, isAlive, readRoles, TREE_SCRIPT } from "./livingTree.ts";

const HOST = fileURLToPath(new URL("./fixtures/host.ts", import.meta.url));
const posixOnly = process.platform === "win32" ? "POSIX signals" : false;

function startHost(...args: string[]): ChildProcess {
	return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", HOST, ...args], {
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

test("a host whose guardian was killed has another before it is killed itself", { skip: posixOnly }, async () => {
	const host = startHost(TREE_SCRIPT, "leader", "stubborn");
	const roles = await readRoles(output(host));
	const first = guardianOf(host.pid ?? 0);
	assert.ok(first !== undefined);
	await new Promise((resolve) => setTimeout(resolve, 700));
	process.kill(first, "SIGKILL");
	const second = (): number | undefined => guardianOf(host.pid ?? 0);
	await until(() => ![undefined, first].includes(second()), "the next guardian");
	host.kill("SIGKILL");
	await until(() => aliveOf(roles).length === 0, "the next guardian's work");
});

test("a test that fails, and so ends its process early, leaves nothing behind", { skip: posixOnly }, async () => {
	const host = startHost("--throw", TREE_SCRIPT, "leader", "stubborn");
	const roles = await readRoles(output(host));
	host.stdin?.end("now\n");
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
