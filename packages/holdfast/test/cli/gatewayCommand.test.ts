import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { inProcess } from "./inProcess.ts";

const HOSTILE = fileURLToPath(new URL("../console/hostileServer.ts", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "holdfast-approve-"));
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const holdfast = (...args: string[]) =>
	inProcess(args, { env: { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" }, cwd: home });

test("whoever has only this command approves tools and logs in with it", async () => {
	const args = ["--disable-warning=ExperimentalWarning", HOSTILE, join(home, "changed")];
	mkdirSync(join(home, ".config/holdfast"), { recursive: true });
	writeFileSync(
		join(home, ".config/holdfast/metatools.json"),
		JSON.stringify({
			mcpServers: {
				it: { command: process.execPath, args },
				gone: { url: `http://127.0.0.1:${await closedPort()}/mcp` },
				odd: { url: "http://127.0.0.1:1/mcp" },
			},
			quarantine: { mode: "ask" },
		}),
	);
	const waiting = async (): Promise<string[]> =>
		JSON.parse((await holdfast("approve", "--json")).stdout).map(({ id }: { id: string }) => id);
	assert.deepEqual(await waiting(), ["it:_4707be", "it:fail", "it:greet", "it:slow"]);
	assert.equal((await holdfast("approve", "it:s*")).status, 0);
	assert.deepEqual(await waiting(), ["it:_4707be", "it:fail", "it:greet"]);
	assert.equal((await holdfast("approve", "it:none")).status, 1);
	const login = await holdfast("login", "nobody");
	assert.deepEqual([login.status, login.stdout], [2, ""]);
	assert.match(login.stderr, /^holdfast login: server: expected one of it, gone, odd, got nobody/);
	assert.match(
		(await holdfast("login", "gone")).stderr,
		/^holdfast login: login failed: connect ECONNREFUSED 127\.0\.0\.1:\d+\n$/,
	);
	assert.match((await holdfast("login", "odd")).stderr, /^holdfast login: login failed: bad port\n$/);
	assert.match(
		(await holdfast("approve", "--nope")).stderr,
		/^holdfast approve: no option --nope; --help lists them\n$/,
	);
	assert.match((await holdfast("approve", "--help")).stdout, /^Usage: holdfast approve/);
});

async function closedPort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	server.close();
	return typeof address === "object" && address !== null ? address.port : 0;
}
