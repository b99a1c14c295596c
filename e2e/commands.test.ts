import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { newPlace } from "./place.ts";
import { HOLDFAST } from "./runningProduct.ts";
import { until } from "./until.ts";
import { verifies } from "./verifies.ts";

const EVERYTHING = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
const SKILL = fileURLToPath(new URL("../skills/mcp-bootstrap", import.meta.url));
const run = promisify(execFile);

verifies(
	"002-topologies-host-any-command",
	"a foreign server behind holdfast host dies, and its client's session and next call do not notice",
	async (t) => {
		const place = newPlace();
		t.after(place.remove);
		// The server declares nothing; who knows it says what may be repeated.
		const contract = join(place.folder, "contract.json");
		writeFileSync(contract, '{"tools":{"echo":{"recovery":"replay_safe"}}}');
		const client = new Client({ name: "newcomer", version: "1.0.0" });
		await client.connect(
			new StdioClientTransport({
				command: process.execPath,
				args: [HOLDFAST, "host", "--contract", contract, "--", process.execPath, EVERYTHING],
				env: { ...place.environment, PATH: process.env.PATH ?? "" } as Record<string, string>,
				stderr: "ignore",
			}),
		);
		const echo = (message: string) => client.callTool({ name: "echo", arguments: { message } });
		const before = await echo("before");
		assert.deepEqual(before.content, [{ type: "text", text: "Echo: before" }]);
		const worker = () => place.living().find(({ command }) => command === `${process.execPath} ${EVERYTHING}`)?.pid;
		const first = worker();
		assert.ok(first !== undefined);
		process.kill(first, "SIGKILL");
		const next = await echo("after");
		assert.deepEqual(next.content, [{ type: "text", text: "Echo: after" }]);
		assert.notEqual(worker(), first);
		await client.close();
		await until(() => place.living().length === 0, "nothing is left");
	},
	{ timeout: 120_000 },
);

verifies(
	"002-skill-symlink-install",
	"the skill is linked to this repository's copy, and a real folder in its place stays",
	async (t) => {
		const place = newPlace();
		t.after(place.remove);
		const link = (...args: string[]) =>
			run(process.execPath, [HOLDFAST, "skill", "link", ...args], { env: place.environment });
		const home = join(place.folder, "home");
		await link();
		const linked = join(home, ".codex/skills/mcp-bootstrap");
		assert.equal(lstatSync(linked).isSymbolicLink(), true);
		assert.equal(realpathSync(linked), realpathSync(SKILL));

		const real = join(home, ".claude/skills/mcp-bootstrap");
		mkdirSync(real, { recursive: true });
		writeFileSync(join(real, "mine.md"), "mine");
		await assert.rejects(link("--agent", "claude"), /is a real file or folder, not a link; move it away first/);
		assert.equal(readFileSync(join(real, "mine.md"), "utf8"), "mine");
	},
);
