import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { type TestWorkspace, workspaceOf } from "../tools/workspace.ts";
import { at, PROGRAM, replacing, serve } from "./serving.ts";

const ME = { name: "witness", version: "1.0.0" };
const INSPECTOR = fileURLToPath(new URL("../../../../node_modules/.bin/mcp-inspector", import.meta.url));

const cleanUp: (() => unknown)[] = [];
const space = await workspaceOf({ after: (undo: () => unknown) => void cleanUp.unshift(undo) });
after(async () => {
	for (const undo of cleanUp) await undo();
});

function command({ root, cacheRoot, base }: TestWorkspace, hosted = false) {
	const path = process.env.PATH ?? "";
	return {
		command: process.execPath,
		args: [PROGRAM, "mcp", ...(hosted ? [] : ["--direct"]), "--repo", root],
		env: { PATH: path, HOME: base, PAIROFCLEATS_CACHE_ROOT: cacheRoot, XDG_RUNTIME_DIR: base },
		stderr: "ignore" as const,
	};
}

for (const hosted of [false, true]) {
	verifies(
		"001-6.2.1-v1-client-interop",
		`the first SDK line's client lists and calls tools${hosted ? " under the host" : ""}, failures included`,
		async (t) => {
			const client = new FirstClient(ME);
			t.after(() => client.close());
			await client.connect(new FirstStdio(command(space, hosted)));
			assert.equal((await client.listTools()).tools.length, 21);
			const good = await client.callTool({ name: "search", arguments: { query: "openSession" } });
			assert.equal(at(good.structuredContent, "/result/search/hits/0/name"), "openSession");
			// Uses a build, which takes a while, because this client drops progress that arrives together with the answer.
			const seen: number[] = [];
			await client.callTool({ name: "build_index", arguments: {} }, undefined, {
				onprogress: ({ progress }) => seen.push(progress),
			});
			assert.ok(
				seen.length > 0 && seen.every((value, index) => index === 0 || value > (seen[index - 1] ?? 0)),
				`${seen}`,
			);
			const failed = await client.callTool({ name: "show_file", arguments: { path: "none" } });
			assert.equal(failed.isError, true);
			assert.equal(at(failed.structuredContent, "/error/code"), "NOT_FOUND");
			await assert.rejects(client.callTool({ name: "search", arguments: {} }), { code: -32602 });
		},
	);
}

for (const [label, mode] of [
	["with a handshake", "legacy"],
	["by probing", "auto"],
	["pinned to 2026-07-28", { pin: "2026-07-28" }],
] as const) {
	verifies("001-6.1-modern-revision", `the second SDK line's client works ${label}`, async (t) => {
		const client = new ModernClient(ME, { versionNegotiation: { mode } });
		t.after(() => client.close());
		await client.connect(new ModernStdio(command(space)));
		assert.equal((await client.listTools()).tools.length, 21);
		const good = await client.callTool({ name: "search", arguments: { query: "openSession" } });
		assert.equal(at(good.structuredContent, "/result/search/hits/0/name"), "openSession");
		const failed = await client.callTool({ name: "show_file", arguments: { path: "none" } });
		assert.equal(at(failed.structuredContent, "/error/code"), "NOT_FOUND");
	});
}

verifies(
	["001-6.2.1-sdk-runtime-dependency", "001-6.2.1-sdk-pinned"],
	"the official SDK comes with a production install, at one exact version",
	() => {
		const manifest = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
		assert.match(String(at(manifest("../../package.json"), "/dependencies/libmcp")), /^\d+\.\d+\.\d+$/);
		const pinned = at(manifest("../../../libmcp/package.json"), "/dependencies/@modelcontextprotocol~1server");
		assert.match(String(pinned), /^2\.\d+\.\d+$/);
		const entry = import.meta.resolve("@modelcontextprotocol/server/stdio");
		const installed = entry.slice(0, entry.indexOf("/dist/"));
		assert.equal(at(manifest(`${installed}/package.json`), "/version"), pinned);
	},
);

verifies(
	"001-6.2.1-sdk-framing",
	"SDK mode serves with the SDK's own server and stdio transport and cannot without",
	async (t) => {
		const told = `import{registerHooks}from"node:module";registerHooks({load(u,c,n){if(u.includes("@modelcontextprotocol/server"))process._rawDebug("loaded "+u);return n(u,c)}})`;
		const program = fileURLToPath(new URL("./unbundled.ts", import.meta.url));
		const served = await serve(t, space, {
			program,
			nodeArgs: ["--import", `data:text/javascript,${encodeURIComponent(told)}`],
		});
		assert.equal((await served.client.request("tools/list")).error, undefined);
		assert.match(served.stderr(), /loaded \S+@modelcontextprotocol\/server\S*stdio/);
		const without = await serve(t, space, {
			raw: true,
			program,
			nodeArgs: replacing("/server/dist/stdio.mjs", "export const nothing = 1;"),
		});
		await until(() => without.child.exitCode !== null, "the server to give up");
		assert.match(without.stderr(), /StdioServerTransport|serveStdio/);
		assert.deepEqual(without.lines, []);
	},
);

const bundle = new URL("../../dist/fast/serve.cjs", import.meta.url);
test("the bundle contains the same SDK and reports it", {
	skip: existsSync(bundle) ? false : "nothing is bundled; npm run build does it",
}, () => {
	const { version } = JSON.parse(
		readFileSync(new URL("../package.json", import.meta.resolve("@modelcontextprotocol/server/stdio")), "utf8"),
	);
	assert.match(readFileSync(bundle, "utf8"), /StdioServerTransport already started!/);
	const licences = readFileSync(new URL("./LICENSES.txt", bundle), "utf8");
	assert.ok(licences.includes(`@modelcontextprotocol/server ${version} (`), licences.slice(0, 200));
	assert.match(licences, /^zod \d/m);
});

const skip = existsSync(INSPECTOR) ? false : "the inspector is not installed";
test("the inspector's command line calls a tool that it has found in the list", { skip }, async () => {
	const { command: program, args, env } = command(space);
	const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
	const asked = ["--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=openSession"];
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[INSPECTOR, "--cli", ...variables, program, ...args, ...asked],
		{ timeout: 120_000, maxBuffer: 16 * 1024 * 1024 },
	);
	assert.equal(at(JSON.parse(stdout), "/structuredContent/result/search/hits/0/name"), "openSession");
});
