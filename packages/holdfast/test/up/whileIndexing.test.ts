// `holdfast up` while the first index of its repository is being built.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bringUp, HOLDFAST } from "../../../../e2e/runningProduct.ts";
import { until } from "../../../../e2e/until.ts";

const EVERYTHING = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));

test("your own servers are served while the first index is built, and readiness and status tell of it, and a search waits for it", {
	timeout: 120_000,
}, async (t) => {
	const { address, said, env, goOn } = await indexingLong(t);
	assert.equal((await fetch(`${address}/healthz`)).status, 200);
	assert.deepEqual(await json(`${address}/readyz`), { status: "ok", underWay: ["indexing"] });
	assert.equal((await fetch(`${address}/`)).status, 200, "the console's page");
	const echoed = await json(`${address}/api/tools/every:echo/run`, { args: { message: "meanwhile" } });
	assert.match(JSON.stringify(echoed), /Echo: meanwhile/);
	const status = execFileSync(process.execPath, [HOLDFAST, "status"], { env, encoding: "utf8" });
	assert.match(status, new RegExp(`^gateway \\d+ serves at ${address}; indexing$`, "m"));
	assert.match(said(), /^ {2}index +being built; code search answers when it is done$/m);
	assert.match(said(), /"message":"indexing \S+; --no-index leaves that to the tool build_index"/);
	const search = (): Promise<unknown> => json(`${address}/api/search`, { query: "lightLantern" });
	const early = search();

	goOn();
	assert.match(JSON.stringify(await early), /lantern\.ts/);
	await until(() => /"message":"index: 1 file, 1 chunk \([\d.]+ s\)"/.test(said()), "the index is told of");
	assert.deepEqual(await json(`${address}/readyz`), { status: "ok" });
	assert.match(JSON.stringify(await search()), /lantern\.ts/);
});

test("stopped while it indexes, it ends at once and leaves nothing running", { timeout: 120_000 }, async (t) => {
	const { signal, exited, said } = await indexingLong(t);
	signal("SIGTERM");
	assert.equal(await exited, 0);
	assert.doesNotMatch(said(), /index: /);
});

/** `holdfast up` whose git waits, so that the build cannot finish before `goOn`. */
async function indexingLong(t: TestContext) {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-indexing-"));
	const [repository, programs, go] = [join(folder, "repository"), join(folder, "bin"), join(folder, "go")];
	mkdirSync(repository);
	mkdirSync(programs);
	writeFileSync(join(repository, "lantern.ts"), "export function lightLantern(): void {}\n");
	execFileSync("git", ["init", "-q"], { cwd: repository });
	const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
	const waiting = `#!/bin/sh\nuntil [ -e '${go}' ] || [ ! -d '${folder}' ]; do sleep 0.1; done\nexec '${git}' "$@"\n`;
	writeFileSync(join(programs, "git"), waiting, { mode: 0o755 });
	const config = join(folder, "metatools.json");
	const every = { command: process.execPath, args: [EVERYTHING] };
	writeFileSync(config, JSON.stringify({ mcpServers: { every } }));
	const env = {
		PATH: `${programs}${delimiter}${process.env.PATH}`,
		HOME: folder,
		XDG_RUNTIME_DIR: folder,
		NO_COLOR: "1",
	};
	const args = [HOLDFAST, "up", "--port", "0", "--config", config];
	const product = await bringUp(env, { command: process.execPath, args, cwd: repository });
	t.after(async () => {
		product.signal("SIGTERM");
		await product.exited;
		// Only now, because it writes its log as it ends.
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	const said = () => Object.values(product.said()).join("");
	return { ...product, env, said, goOn: () => writeFileSync(go, "") };
}

async function json(address: string, body?: object): Promise<unknown> {
	const response = await fetch(address, {
		...(body !== undefined && {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
		}),
	});
	return response.json();
}
