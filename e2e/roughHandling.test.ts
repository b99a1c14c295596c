// What people and machines do to commands: pipes that close, homes that are none, signals in the middle of the work.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { ROOT } from "./docs/pages.ts";
import { newPlace } from "./place.ts";
import { until } from "./until.ts";

const place = newPlace();
after(place.remove);
const PATH = `${join(ROOT, "node_modules/.bin")}:${process.env.PATH ?? ""}`;

const PARAMS = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"rough","version":"1"}}';

/** The signal that ends it, once it has said this. */
type Stop = { readonly signal: NodeJS.Signals; readonly after: RegExp };
type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

async function run(line: string, env: NodeJS.ProcessEnv = {}, stop?: Stop, cwd = place.repository): Promise<Ended> {
	const child = spawn("sh", ["-c", `exec ${line}`], {
		cwd,
		env: { ...place.environment, PATH, MCP_READY_FILE: "", ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const said = { out: "", err: "" };
	const heard = new Promise<void>((resolve) => {
		for (const [name, stream] of [["out", child.stdout] as const, ["err", child.stderr] as const])
			stream.on("data", (chunk: Buffer) => {
				said[name] += chunk.toString();
				if (stop?.after.test(said[name])) resolve();
			});
	});
	if (stop !== undefined) {
		await heard;
		child.kill(stop.signal);
	}
	const [code] = await once(child, "close");
	return { code, ...said };
}

for (const line of [
	"holdfast --help",
	"holdfast install cursor --print",
	"holdfast doctor --port 0",
	"metatools config docs",
	"metatools --help",
	"synesthetic --demo",
	"pairofcleats completion bash",
]) {
	test(`${line} | true says nothing of the reader that went`, { timeout: 120_000 }, async () => {
		const { err } = await run(`sh -c '${line} | true'`);
		assert.doesNotMatch(err, /EPIPE|^ +at /m);
	});
}

for (const line of [
	"holdfast status",
	"holdfast install cursor --print",
	"metatools config docs",
	"metatools --help",
	"synesthetic --help",
	"pairofcleats --help",
]) {
	test(`${line} > /dev/full fails, and says why`, { timeout: 120_000, skip: !existsSync("/dev/full") }, async () => {
		const { code, err } = await run(`${line} > /dev/full`);
		const [speaker] = line.split(" ");
		assert.match(
			err,
			new RegExp(`^${speaker}: the answer cannot be written: no space left on device \\(ENOSPC\\)$`, "m"),
		);
		assert.equal(code, 1);
	});
}

// Each of these writes a line to stderr before it answers, or its server does.
const LOGGING: Readonly<Record<string, string>> = {
	"holdfast host --no-control -- synesthetic --direct": place.repository,
	"holdfast serve --no-index": place.environment.HOME ?? "",
	"metatools serve --config gateway.json": place.folder,
	synesthetic: place.repository,
};
writeFileSync(join(place.folder, "gateway.json"), '{ "mcpServers": { "one": { "command": "true", "arg": [] } } }');
for (const [line, cwd] of Object.entries(LOGGING)) {
	for (const stderr of ["/dev/full", "a closed pipe"] as const) {
		const skip = stderr === "/dev/full" && !existsSync(stderr);
		test(`${line} answers and ends as always while its stderr is ${stderr}`, { timeout: 120_000, skip }, async () => {
			const child = spawn("sh", ["-c", `exec ${line}${stderr === "/dev/full" ? " 2>/dev/full" : ""}`], {
				cwd,
				env: { ...place.environment, PATH },
				stdio: ["pipe", "pipe", "pipe"],
			});
			child.stderr.destroy();
			const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
			const closed = once(child, "close");
			for (const id of [1, 2]) {
				child.stdin.write(
					`{"jsonrpc":"2.0","id":${id},"method":"${id === 1 ? "initialize" : "ping"}","params":${PARAMS}}\n`,
				);
				const { value } = await answers.next();
				assert.equal(JSON.parse(value ?? "{}").id, id);
			}
			child.stdin.end();
			assert.deepEqual(await closed, [0, null]);
		});
	}
}

for (const line of [
	"holdfast up --frobnicate",
	"metatools serve --frobnicate",
	"pairofcleats search x --frobnicate",
	"synesthetic --frobnicate",
]) {
	test(`${line} is wrong usage, in a line that names the flag`, { timeout: 120_000 }, async () => {
		const { code, out, err } = await run(line);
		assert.deepEqual([code, out], [2, ""]);
		assert.match(err, /^[^\n]*--frobnicate[^\n]*\n(?:Try [^\n]*\n)?$/);
	});
}

test("where the home is no folder, each command says so in a line and leaves nothing", {
	timeout: 120_000,
}, async () => {
	const home = join(place.folder, "no-home");
	writeFileSync(home, "");
	const env = { HOME: home, XDG_CACHE_HOME: "" };
	for (const line of [
		"holdfast install cursor",
		"holdfast uninstall cursor",
		"holdfast wrap cursor",
		"holdfast skill link",
		"pairofcleats index build",
	]) {
		const { code, err } = await run(line, env);
		assert.equal(code, 1, line);
		// The engine's messages go to clients far away too, and name the variable instead of the path.
		assert.match(err, /^[^\n]*(?:no-home|PAIROFCLEATS_CACHE_ROOT)[^\n]*\n$/, line);
		assert.match(err, /not a directory|a file, where a folder is needed/, line);
	}
});

const SERVING: Readonly<Record<string, RegExp>> = {
	"holdfast up --port 0 --no-index": /Ctrl-C stops/,
	"metatools serve --transport streamable --port 0": /serving MCP/,
	"pairofcleats api --port 0": /http:/,
	"synesthetic --validate --watch README.md": /watching/,
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
	for (const [line, ready] of Object.entries(SERVING)) {
		test(`${line} ends at ${signal}, with all it started`, { timeout: 120_000 }, async () => {
			const { err, code } = await run(line, {}, { signal, after: ready });
			assert.doesNotMatch(err, /^ +at /m);
			assert.notEqual(code, null, "a signal ended it, not the command itself");
			await until(() => place.living().length === 0, "nothing of it lives");
		});
	}
}

// Whatever ends npx, its child only sees that its parent has gone.
const WITHOUT_NPX: Readonly<Record<string, NodeJS.Signals>> = {
	"holdfast up --port 0 --no-index": "SIGKILL",
	"metatools serve --transport streamable --port 0": "SIGTERM",
	"pairofcleats api --port 0": "SIGKILL",
};
for (const [line, signal] of Object.entries(WITHOUT_NPX)) {
	test(`npx, which tells nobody of its ${signal}, leaves nothing of ${line}`, { timeout: 120_000 }, async () => {
		await run(`npx --no -- ${line}`, {}, { signal, after: SERVING[line] ?? /never/ }, ROOT);
		await until(() => place.living().length === 0, "nothing of it lives");
	});
}
