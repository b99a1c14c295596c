import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { bringUp, HOLDFAST } from "../../../../e2e/runningProduct.ts";
import { until } from "../../../../e2e/until.ts";
import { TOOL_NAMES, toolOf } from "../../../pairofcleats/src/registry/registry.ts";
import { writeToolsPage } from "../../../pairofcleats/src/tools/pages.ts";
import { VARIABLES } from "../../../synesthetic/src/settings.ts";
import { listBuiltinServers } from "../../src/up/productConfig.ts";

test("an index in a folder of its own is built where searches read it", { timeout: 120_000 }, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-builtin-"));
	mkdirSync(join(folder, "repository"));
	writeFileSync(join(folder, "repository", "lantern.ts"), "export function lightLantern(): void {}\n");
	const env = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder, PAIROFCLEATS_CACHE_ROOT: "indexes" };
	const args = [HOLDFAST, "up", "--port", "0", "--repo", "repository"];
	const { address, signal, exited } = await bringUp(env, { command: process.execPath, args, cwd: folder });
	t.after(async () => {
		signal("SIGTERM");
		await exited;
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	const search = async (): Promise<string> => {
		const answer = await fetch(`${address}/api/search`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ query: "lightLantern" }),
		});
		return answer.text();
	};
	await until(async () => (await search()).includes("lantern.ts"), "the search finds it");
	assert(existsSync(join(folder, "indexes")));
	assert(!existsSync(join(folder, ".cache", "pairofcleats")));
});

test("the built-in servers get the variables they read on their own, with paths that hold in any folder", () => {
	const [code, assets] = environments({
		PAIROFCLEATS_CACHE_ROOT: "cache",
		PAIROFCLEATS_DATA_ROOT: "/data",
		PAIROFCLEATS_MODEL: "",
		PAIROFCLEATS_QUEUE_MAX: "3",
		PAIROFCLEATS_API_TOKEN: "secret",
		PAIROFCLEATS_MCP_TRANSPORT: "legacy",
		SYN_BACKEND_URL: "http://127.0.0.1:1",
		OTHER: "unseen",
	});
	assert.deepEqual(code, {
		PAIROFCLEATS_CACHE_ROOT: resolve("cache"),
		PAIROFCLEATS_DATA_ROOT: "/data",
		PAIROFCLEATS_QUEUE_MAX: "3",
	});
	assert.deepEqual(assets, { SYN_BACKEND_URL: "http://127.0.0.1:1" });
});

test("every variable of a built-in server is passed on, or has no meaning behind a gateway", () => {
	const documented = [...writeToolsPage().matchAll(/^\| `(PAIROFCLEATS_\w+)`/gm)].map(([, name = ""]) => name);
	const names = [...documented, ...Object.keys(VARIABLES)];
	const passed = environments(Object.fromEntries(names.map((name) => [name, "1"]))).flatMap((env) => Object.keys(env));
	const left = names.filter((name) => !passed.includes(name));
	assert.deepEqual(left.sort(), ["MCP_READY_FILE", "PAIROFCLEATS_API_TOKEN", "PAIROFCLEATS_MCP_TRANSPORT"]);
});

test("the sample assets give way to your own schemas", () => {
	const argsWith = (own: NodeJS.ProcessEnv): readonly string[] => {
		const [, assets] = listBuiltinServers("/", own);
		return assets?.kind === "stdio" ? assets.args : assert.fail();
	};
	assert(argsWith({}).includes("--sample"));
	assert(!argsWith({ SYN_SCHEMAS_DIR: "schemas" }).includes("--sample"));
});

test("the gateway gives a tool of the code server longer than the tool's own limit", () => {
	const [code] = listBuiltinServers("/", {});
	const longest = Math.max(...TOOL_NAMES.map((name) => toolOf(name).timeoutMs));
	assert((code?.executionTimeoutMs ?? 0) > longest);
});

function environments(own: NodeJS.ProcessEnv): Readonly<Record<string, string>>[] {
	return listBuiltinServers("/", own).map((spec) => (spec.kind === "stdio" ? spec.env : assert.fail()));
}
