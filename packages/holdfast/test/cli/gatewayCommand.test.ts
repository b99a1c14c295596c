import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const HOSTILE = fileURLToPath(new URL("../console/hostileServer.ts", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "holdfast-approve-"));
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

function holdfast(...args: string[]) {
	const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" };
	return spawnSync(process.execPath, [BIN, ...args], { env, encoding: "utf8", input: "", timeout: 120_000 });
}

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
	const waiting = (): string[] => JSON.parse(holdfast("approve", "--json").stdout).map(({ id }: { id: string }) => id);
	assert.deepEqual(waiting(), ["it:_4707be", "it:fail", "it:greet", "it:slow"]);
	assert.equal(holdfast("approve", "it:s*").status, 0);
	assert.deepEqual(waiting(), ["it:_4707be", "it:fail", "it:greet"]);
	assert.equal(holdfast("approve", "it:none").status, 1);
	const login = holdfast("login", "nobody");
	assert.deepEqual([login.status, login.stdout], [2, ""]);
	assert.match(login.stderr, /^holdfast login: server: expected one of it, gone, odd, got nobody/);
	assert.match(
		holdfast("login", "gone").stderr,
		/^holdfast login: login failed: connect ECONNREFUSED 127\.0\.0\.1:\d+\n$/,
	);
	assert.match(holdfast("login", "odd").stderr, /^holdfast login: login failed: bad port\n$/);
	assert.match(holdfast("approve", "--nope").stderr, /^holdfast approve: no option --nope; --help lists them\n$/);
	assert.match(holdfast("approve", "--help").stdout, /^Usage: holdfast approve/);
});

async function closedPort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	server.close();
	return typeof address === "object" && address !== null ? address.port : 0;
}
