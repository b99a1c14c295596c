import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "../../../../e2e/temporaryFolder.ts";
import { until } from "../../../../e2e/until.ts";
import { askHost } from "../../src/control/controlClient.ts";
import type { ControlAnswer } from "../../src/control/controlProtocol.ts";
import { serveControl } from "../../src/control/controlServer.ts";

/** Above the highest id that Linux gives a process. */
const NOBODY = 4_194_304;

test("what dead hosts left is removed by whoever looks, and by several at once", async (t) => {
	const base = temporaryFolder(t);
	const folder = join(base, "holdfast");
	mkdirSync(folder, { mode: 0o700 });
	for (let n = 0; n < 2_000; n++) writeFileSync(join(folder, `dead.${NOBODY + n}.sock`), "");
	writeFileSync(join(folder, `capsule-${NOBODY}-0a1b`), "");
	writeFileSync(join(folder, `capsule-${process.pid}-0a1b`), "");
	writeFileSync(join(folder, `living.${process.pid}.sock`), "");
	const look = `
		const { listRunningHosts } = await import(${JSON.stringify(new URL("../../src/control/controlClient.ts", import.meta.url).href)});
		process.stdout.write("ready ");
		await new Promise((resolve) => process.stdin.once("data", resolve));
		process.stdin.unref();
		console.log(listRunningHosts().map(({ name }) => name).join());`;
	const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", look];
	const env = { ...process.env, XDG_RUNTIME_DIR: base };
	const lookers = Array.from({ length: 3 }, () => spawn(process.execPath, args, { env }));
	await Promise.all(lookers.map(({ stdout }) => once(stdout, "data")));
	for (const { stdin } of lookers) stdin.end("now");
	assert.deepEqual(await Promise.all(lookers.map(({ stdout }) => text(stdout))), ["living\n", "living\n", "living\n"]);
	assert.deepEqual(readdirSync(folder).sort(), [`capsule-${process.pid}-0a1b`, `living.${process.pid}.sock`]);
});

test("a host that replaces its own program is asked as soon as the new one listens", async (t) => {
	const folder = temporaryFolder(t);
	const path = join(folder, "moving.1.sock");
	const listen = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => console.log("here"))`;
	const before = spawn(process.execPath, ["-e", listen]);
	await once(before.stdout, "data");
	before.kill("SIGKILL");
	await once(before, "exit");
	const asked = askHost(path, { op: "status" });
	await assert.rejects(once(connect(path), "connect"), { code: "ECONNREFUSED" });
	rmSync(path);
	const after = createServer((socket) => socket.end('{"ok":true,"value":"back"}\n'));
	t.after(() => after.close());
	after.listen(path);
	assert.deepEqual(await asked, { ok: true, value: "back" });
});

test("what a host of another version answers is refused unless it is an answer", async (t) => {
	const folder = temporaryFolder(t);
	const path = join(folder, "other.1.sock");
	const answers = ['{"ok":false,"fault":{"code":"new"}}', '{"done":true}', "7", '{"ok":true}'];
	const server = createServer((socket) => socket.end(`${answers.shift()}\n`)).listen(path);
	t.after(() => server.close());
	await once(server, "listening");
	for (let n = 0; n < 3; n++) await assert.rejects(askHost(path, { op: "status" }), /no answer known here/);
	assert.deepEqual(await askHost(path, { op: "status" }), { ok: true, value: undefined });
});

test("a host whose control socket would have too long a path says so, and what to set", async (t) => {
	const base = mkdtempSync(join(tmpdir(), `libmcp-${"long".repeat(30)}-`));
	t.after(() => rmSync(base, { recursive: true, force: true }));
	const serve = `
		const { serveControl } = await import(${JSON.stringify(new URL("../../src/control/controlServer.ts", import.meta.url).href)});
		await serveControl("lantern", async () => ({ ok: true, value: null })).catch(({ message }) => console.log(message));`;
	const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", serve];
	const child = spawn(process.execPath, args, { env: { ...process.env, XDG_RUNTIME_DIR: base } });
	const path = join(base, "holdfast", `lantern.${child.pid}.sock`);
	assert.equal(
		await text(child.stdout),
		`${path}: expected a path of at most ${process.platform === "darwin" ? 103 : 107} bytes, got ${path.length}; set XDG_RUNTIME_DIR to a shorter folder\n`,
	);
});

test("a host at work on a long answer gives signs of life, which the asker reads past", async (t) => {
	const work = Promise.withResolvers<ControlAnswer>();
	useRuntimeFolder(t);
	const { path, close } = await serveControl("slow", () => work.promise, { signMs: 20 });
	t.after(close);
	const socket = connect(path, () => socket.write('{"op":"rollout"}\n'));
	const asked = askHost(path, { op: "rollout" });
	for (let sign = 0; sign < 3; sign++) assert.match(String(await once(socket, "data")), /^\n+$/);
	work.resolve({ ok: true, value: "rolled out" });
	assert.deepEqual(await asked, { ok: true, value: "rolled out" });
});

test("a control socket that was removed with its folder is there again at the next look", async (t) => {
	const base = useRuntimeFolder(t);
	const { path, close } = await serveControl("kept", async () => ({ ok: true, value: "here" }), { lookMs: 20 });
	for (let removal = 0; removal < 2; removal++) {
		rmSync(base, { recursive: true });
		await until(() => existsSync(path), "the socket is back");
		assert.deepEqual(await askHost(path, { op: "status" }), { ok: true, value: "here" });
	}
	close();
	assert.deepEqual(readdirSync(join(base, "holdfast")), []);
});

function useRuntimeFolder(t: TestContext): string {
	const base = mkdtempSync(join(tmpdir(), "libmcp-runtime-"));
	const before = process.env.XDG_RUNTIME_DIR;
	process.env.XDG_RUNTIME_DIR = base;
	t.after(() => {
		if (before === undefined) delete process.env.XDG_RUNTIME_DIR;
		else process.env.XDG_RUNTIME_DIR = before;
		rmSync(base, { recursive: true, force: true });
	});
	return base;
}
