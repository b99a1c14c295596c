// `holdfast up` by its configuration alone: what it says of callers and certificates, at the start and while it runs.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { noCertificates, selfSigned } from "../../../../e2e/selfSigned.ts";
import { until } from "../../../../e2e/until.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "holdfast-door-"));
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const repository = join(folder, "repository");
mkdirSync(repository);
writeFileSync(join(repository, "lantern.ts"), "export function lightLantern(): void {}\n");
const cache = join(folder, "cache");
const env = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder, XDG_CACHE_HOME: cache, NO_COLOR: "1" };
const needsOpenssl = { timeout: 120_000, skip: noCertificates };

test("with a certificate in the configuration everything is served over HTTPS", needsOpenssl, async (t) => {
	const { cert, key } = selfSigned(folder, "served");
	const { address, said } = await running(t, { transport: { http: { tls: { enabled: true, cert, key } } } });
	assert.match(address, /^https:\/\/127\.0\.0\.1:\d+$/);
	assert.match(said(), /^ {2}MCP +https:\/\/127\.0\.0\.1:\d+\/mcp$/m);
	const ca = readFileSync(cert);
	assert.deepEqual(await statusOver(address, "/healthz", ca), 200);
	assert.deepEqual(await statusOver(address, "/", ca), 200);
	assert.deepEqual(await statusOver(address, "/api/servers", ca), 200);
	await assert.rejects(statusOver(address, "/healthz", readFileSync(selfSigned(folder, "other").cert)), /self-signed/);
	await assert.rejects(fetch(`${address.replace("https", "http")}/healthz`));
});

test("a certificate that cannot be used is told by its file, before anything is indexed", needsOpenssl, () => {
	const [{ cert, key }, other] = [selfSigned(folder, "one"), selfSigned(folder, "two")];
	const garbage = join(folder, "garbage.pem");
	writeFileSync(garbage, "no pem\n");
	const absent = join(folder, "absent.pem");
	for (const [tls, says] of [
		[{ cert, key: other.key }, `${other.key}: expected the private key of ${cert}, got that of another certificate`],
		[
			{ cert, key: garbage },
			`${garbage}: expected a file with a private key without a password in PEM, got something else`,
		],
		[{ cert: garbage, key }, `${garbage}: expected a file with a certificate in PEM, got something else`],
		[{ cert: absent, key }, `${absent}: expected a file with a certificate in PEM, got no file that can be read`],
		[{ cert }, "transport.http.tls.key: expected a file (--tls-key) where TLS is on, got nothing"],
	] as const)
		assert.equal(refusal({ transport: { http: { tls: { enabled: true, ...tls } } } }), `holdfast up: ${says}\n`);
});

test("a section about callers that cannot be used is told before anything is indexed, and so is a port in use", async (t) => {
	for (const [sections, says] of [
		[{ auth: { keys: { alice: "short" } } }, "auth.keys.alice.key: expected at least 16 characters, got 5"],
		[{ auth: { kyes: {} } }, "auth.kyes: expected one of keys, oauth, allowed_hosts, allowed_origins, rate_limit"],
		[{ policy: { alice: { alow: [] } } }, "policy.alice.alow: expected one of allow, deny"],
		[{ quarantine: { mode: "lax" } }, 'quarantine.mode: expected one of auto, ask, off, got "lax"'],
	] as const)
		assert.equal(refusal(sections), `holdfast up: ${says}\n`);
	const taken = createServer().listen(0, "127.0.0.1");
	t.after(() => taken.close());
	await new Promise((resolve) => taken.once("listening", resolve));
	const { port } = taken.address() as { port: number };
	const inUse = new RegExp(
		`^holdfast up: --port: expected a free one, got ${port}, which is in use; holdfast up --port \\d+ `,
	);
	assert.match(refusal({}, "--port", String(port)), inUse);
});

test("keys that are added or taken away hold from the next request on, and what must wait is named", {
	timeout: 120_000,
}, async (t) => {
	const [alice, bob] = ["alice-has-a-long-key", "bob-has-another-long-key"];
	const { address, change, said } = await running(t, { auth: { keys: { alice } } }, "--host", "0.0.0.0");
	const local = address.replace("0.0.0.0", "127.0.0.1");
	const status = async (key: string) =>
		(await fetch(`${local}/metrics`, { headers: { authorization: `Bearer ${key}` } })).status;
	assert.deepEqual([await status(alice), await status(bob)], [200, 401]);

	change({ auth: { keys: { bob } }, transport: { streamable: { session_timeout: "5m" } } });
	await until(async () => (await status(bob)) === 200, "the new key opens");
	assert.equal(await status(alice), 401);
	await until(
		() =>
			said().includes(
				"configuration reloaded, no servers; from the next start on: transport.streamable.session_timeout",
			),
		"what must wait is named",
	);

	// Others can reach it: it does not lose its lock.
	change({});
	await until(
		() => said().includes("the changed configuration is not used: host: 0.0.0.0 can be reached by others"),
		"it is refused",
	);
	assert.equal(await status("anything-of-sixteen"), 401);
	assert.equal((await fetch(`${local}/metrics`)).status, 401);
	assert.equal(await status(bob), 200);
});

test("the token may come by the environment, which keeps it from lists of processes and from what is started", {
	timeout: 120_000,
}, async (t) => {
	process.env.HOLDFAST_TOKEN = "a-token-of-sixteen";
	t.after(() => delete process.env.HOLDFAST_TOKEN);
	const reveal = `process.stderr.write("has " + JSON.stringify(Object.keys(process.env)) + "\\n"); process.exit(1)`;
	const told = { command: process.execPath, args: ["-e", reveal] };
	const { address, said } = await running(t, { mcpServers: { told } });
	assert.match(said(), /--token …/);
	const status = async (headers: Record<string, string>) => (await fetch(`${address}/api/servers`, { headers })).status;
	assert.deepEqual([await status({}), await status({ authorization: "Bearer a-token-of-sixteen" })], [401, 200]);
	await until(() => said().includes("has ["), "the server tells what it has");
	assert.doesNotMatch(said(), /HOLDFAST_TOKEN/);
});

/** What `up` says when it will not; it has indexed nothing by then. */
function refusal(configuration: object, ...args: readonly string[]): string {
	const file = join(folder, "refused.json");
	writeFileSync(file, JSON.stringify(configuration));
	const command = [BIN, "up", "--port", "0", "--repo", repository, "--config", file, ...args];
	const { status, stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: "utf8", timeout: 120_000 });
	assert.equal(stdout, "");
	assert.notEqual(status, 0);
	// Compiled code is kept in the same folder.
	assert.equal(existsSync(join(cache, "pairofcleats")), false);
	return stderr;
}

async function running(t: TestContext, configuration: object, ...args: readonly string[]) {
	const file = join(mkdtempSync(join(folder, "running-")), "metatools.json");
	const change = (next: object): void => {
		writeFileSync(`${file}.new`, JSON.stringify(next));
		renameSync(`${file}.new`, file);
	};
	change(configuration);
	const child = spawn(process.execPath, [BIN, "up", "--bare", "--port", "0", "--config", file, ...args], {
		env: { ...env, HOLDFAST_TOKEN: process.env.HOLDFAST_TOKEN },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let text = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (text += data));
	const ended = new Promise((resolve) => child.once("exit", resolve));
	t.after(async () => {
		child.kill("SIGTERM");
		await ended;
	});
	const found = () => /^Holdfast is up at (\S+)$/m.exec(text)?.[1];
	await until(() => found() !== undefined || child.exitCode !== null, "it is up");
	return { address: found() ?? assert.fail(text), change, said: () => text };
}

function statusOver(address: string, path: string, ca: Buffer): Promise<number | undefined> {
	return new Promise((resolve, reject) => {
		const agent = new Agent({ ca });
		request(`${address}${path}`, { agent }, (response) => resolve(response.resume().statusCode))
			.on("error", reject)
			.end();
	});
}
