// The unit and the Dockerfile say only what is true of the product; real tools judge them where there are any.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { HOLDFAST } from "./runningProduct.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const UNIT = join(ROOT, "deploy/holdfast@.service");
const DOCKERFILE = join(ROOT, "deploy/Dockerfile");
const GRACE_SECONDS = 5;

const unit = directives(readFileSync(UNIT, "utf8"));
const steps = instructions(readFileSync(DOCKERFILE, "utf8"));

test("the unit starts holdfast up with options that it has, on this machine only", () => {
	const [program, ...command] = (unit.get("Service.ExecStart") ?? "").split(" ");
	assert.equal(program, "/usr/bin/env");
	knownToUp(command);
	assert.equal(command[command.indexOf("--host") + 1], "127.0.0.1");
});

test("the unit gives calls in flight their time and then ends the whole group", () => {
	assert.equal(unit.get("Service.KillSignal"), "SIGTERM");
	assert.equal(unit.get("Service.KillMode"), "mixed");
	assert.ok(Number(unit.get("Service.TimeoutStopSec")) > GRACE_SECONDS);
	assert.equal(unit.get("Install.WantedBy"), "default.target");
});

test("systemd understands the unit", (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-unit-"));
	t.after(() => rmSync(folder, { recursive: true }));
	const instance = join(folder, "holdfast@tmp.service");
	cpSync(UNIT, instance);
	const { status, error, stderr } = spawnSync("systemd-analyze", ["verify", instance], { encoding: "utf8" });
	if (error !== undefined || /Failed to (?:initialize manager|lookup)/.test(stderr)) {
		t.skip("systemd-analyze cannot be used here");
		return;
	}
	assert.equal(stderr.includes("holdfast@tmp.service"), false, stderr);
	assert.equal(status, 0, stderr);
});

test("the image builds on a Node that the packages support, from files that exist, as no superuser", () => {
	const engine = /\d+/.exec(
		JSON.parse(readFileSync(join(ROOT, "packages/holdfast/package.json"), "utf8")).engines.node,
	);
	const bases = steps.filter(({ name }) => name === "FROM");
	assert.equal(bases.length, 2);
	for (const { text } of bases) assert.ok(Number(/^node:(\d+)/.exec(text)?.[1]) >= Number(engine?.[0]), text);
	for (const { text } of steps.filter(({ name, text }) => name === "COPY" && !text.startsWith("--from"))) {
		for (const source of text.split(" ").slice(0, -1)) assert.ok(existsSync(join(ROOT, source)), source);
	}
	assert.equal(steps.findLast(({ name }) => name === "USER")?.text, "node");
});

test("the image starts holdfast up with options that it has, on the port it exposes and asks", () => {
	const entry: string[] = JSON.parse(steps.find(({ name }) => name === "ENTRYPOINT")?.text ?? "[]");
	const command = entry.slice(entry.indexOf("holdfast"));
	knownToUp(command);
	const port = command[command.indexOf("--port") + 1] ?? "";
	assert.equal(steps.find(({ name }) => name === "EXPOSE")?.text, port);
	assert.ok(steps.find(({ name }) => name === "HEALTHCHECK")?.text.includes(`127.0.0.1:${port}/healthz`));
});

test("the image has what the lockfile names, its user can use all of /tmp, and a long first index leaves it healthy", () => {
	// What npm leaves in /tmp belongs to root, and would keep Node's own cache from that user.
	const last = steps.slice(steps.findLastIndex(({ name }) => name === "FROM"));
	assert.doesNotMatch(last.map(({ text }) => text).join("\n"), /npm/);
	const installed = steps.filter(({ name, text }) => name === "RUN" && /npm (?:ci|i|install)\b/.test(text));
	assert.deepEqual(
		installed.map(({ text }) => /npm (?:ci|i|install)\b[^&]*/.exec(text)?.[0].trim()),
		["npm ci", "npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund"],
	);
	assert.match(steps.find(({ name }) => name === "HEALTHCHECK")?.text ?? "", /--start-period=10m /);
});

test("without a token the image's command refuses to listen for the outside", () => {
	const home = mkdtempSync(join(tmpdir(), "holdfast-image-"));
	const { status, stderr } = spawnSync(
		process.execPath,
		[HOLDFAST, "up", "--host", "0.0.0.0", "--port", "0", "--bare"],
		{ encoding: "utf8", env: { PATH: process.env.PATH, HOME: home }, cwd: home, timeout: 120_000 },
	);
	rmSync(home, { recursive: true });
	assert.notEqual(status, 0);
	assert.match(stderr, /^holdfast up: .*0\.0\.0\.0/);
});

test("the image is built where there is an engine", { timeout: 900_000 }, (t) => {
	if (spawnSync("docker", ["info"], { timeout: 10_000 }).status !== 0) {
		t.skip("no container engine answers here");
		return;
	}
	execFileSync("docker", ["build", "-f", DOCKERFILE, "-t", "holdfast-check", ROOT], { stdio: "ignore" });
	const said = execFileSync("docker", ["run", "--rm", "--entrypoint", "holdfast", "holdfast-check", "--version"]);
	assert.match(String(said), /^holdfast \d/);
});

function knownToUp([program, subcommand, ...rest]: readonly string[]): void {
	assert.deepEqual([program, subcommand], ["holdfast", "up"]);
	const help = execFileSync(process.execPath, [HOLDFAST, "up", "--help"], { encoding: "utf8" });
	for (const option of rest.filter((word) => word.startsWith("--"))) assert.ok(help.includes(option), option);
}

/** `Section.Key` to value; a line that is neither is an error. */
function directives(text: string): Map<string, string> {
	const found = new Map<string, string>();
	let section = "";
	for (const line of text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
		const heading = /^\[(\w+)\]$/.exec(line)?.[1];
		const [, key, value] = /^(\w+)=(.+)$/.exec(line) ?? [];
		if (heading !== undefined) section = heading;
		else if (key !== undefined && value !== undefined) found.set(`${section}.${key}`, value);
		else throw new Error(`${UNIT}: expected a section or key=value, got ${line}`);
	}
	return found;
}

function instructions(text: string): { readonly name: string; readonly text: string }[] {
	return text
		.replaceAll("\\\n", " ")
		.split("\n")
		.filter((line) => line !== "" && !line.startsWith("#"))
		.map((line) => {
			const [, name = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
			assert.notEqual(name, "", `${DOCKERFILE}: expected an instruction, got ${line}`);
			return { name, text: rest };
		});
}
