import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import type { StdioSpec } from "../../src/upstream/spec.ts";
import type { UpstreamState } from "../../src/upstream/state.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { COMPILED } from "../fixtures/compileCache.ts";
import { testGateway } from "../fixtures/gateway.ts";

const SERVER = join(import.meta.dirname, "../fixtures/stdioServer.ts");

function program(name: string, args: readonly string[], env: Record<string, string> = {}): StdioSpec {
	return { kind: "stdio", name, namespace: name, protocol: "auto", command: process.execPath, args, env };
}

/** Starts programs, and gives the states of each in order. */
async function started(servers: readonly StdioSpec[], connectTimeout: number) {
	const states = new Map<string, UpstreamState[]>(servers.map(({ name }) => [name, []]));
	const demo = await testGateway({
		openTransport,
		config: { servers },
		settings: { connectTimeout },
		watch: { state: (server, state) => states.get(server)?.push(state) },
		wait: false,
	});
	return { demo, states };
}

const failure = (states: readonly UpstreamState[] = []): string | undefined =>
	states.find((state) => state.kind === "failed")?.reason;

test("of a program that is no server it is told what it prints", { timeout: 90_000 }, async (t) => {
	const page = "<!DOCTYPE html>\\n<html><body>404</body></html>";
	const secret = "sk-0123456789-abcdef";
	const { demo, states } = await started(
		[
			program("help", ["--help"]),
			program("unended", ["-e", 'process.stdout.write("usage: tool --key KEY")']),
			program("page", ["-e", `console.log("${page}")`]),
			program("art", ["-e", 'console.log("\\n +----+\\n |\\t\\x1b[1mFoo\\x1b[0m\\x07 \\u202e|\\n +----+")']),
			program("long", ["-e", 'console.log("lorem ipsum ".repeat(5_000))']),
			program("secret", ["-e", 'console.log("bad key".padEnd(100, "."), process.env.API_TOKEN)'], {
				API_TOKEN: secret,
			}),
		],
		60_000,
	);
	t.after(() => demo.stop());
	await until(() => [...states.values()].every((seen) => failure(seen) !== undefined));
	const ends = "its process ends before it answers (exit code 0); what it prints on stdout is not MCP: ";
	assert.equal(failure(states.get("help")), `${ends}"Usage: node [options] [ script.js ] [arguments]"`);
	assert.equal(failure(states.get("unended")), `${ends}"usage: tool --key KEY"`);
	assert.equal(failure(states.get("page")), `${ends}"<!DOCTYPE html>"`);
	assert.equal(failure(states.get("art")), `${ends}"| Foo\\x07 \\u202e|"`);
	assert.match(failure(states.get("long")) ?? "", /not MCP: "lorem ipsum lorem .{80,110}…"$/);
	assert.equal(failure(states.get("secret")), `${ends}"${"bad key".padEnd(100, ".")} [secret]"`);
});

test("a program that only echoes is told from a server that refuses", { timeout: 120_000 }, async (t) => {
	const echo = (name: string) => program(name, ["-e", "process.stdin.pipe(process.stdout)"]);
	const { demo, states } = await started([echo("auto"), { ...echo("modern"), protocol: "modern" }], 30_000);
	t.after(() => demo.stop());
	for (const name of ["auto", "modern"]) {
		await until(() => failure(states.get(name)) !== undefined);
		assert.equal(
			failure(states.get(name)),
			"it sends back what it is sent; such a program (cat, say) is no MCP server",
		);
	}
});

test("one that lives on is told of while it is waited for, and when that is over", { timeout: 120_000 }, async (t) => {
	const listening = 'console.log("Listening on http://localhost:3000"); setInterval(() => {}, 1_000);';
	const { demo, states } = await started([program("web", ["-e", listening])], 6_000);
	t.after(() => demo.stop());
	const seen = states.get("web") ?? [];
	await until(() => failure(seen) !== undefined);
	const told = 'what it prints on stdout is not MCP: "Listening on http://localhost:3000"';
	assert.deepEqual(
		seen.slice(0, 3).map((state) => [state.kind, "reason" in state ? state.reason : undefined]),
		[
			["connecting", undefined],
			["connecting", told],
			["failed", `it did not answer in time; ${told}`],
		],
	);
});

test("a server that prints a banner first is used like any other", { timeout: 120_000 }, async (t) => {
	const banner = "data:text/javascript,console.log('Acme Tools 3.1 (c) Acme'); console.log('{\"level\":30}')";
	const args = ["--disable-warning=ExperimentalWarning", "--import", banner, SERVER];
	const { demo, states } = await started([program("acme", args, COMPILED)], 30_000);
	t.after(() => demo.stop());
	assert.equal((await demo.data("run_tool", { tool_id: "acme:count" })).structured, "count 1");
	assert.equal(states.get("acme")?.at(-1)?.kind, "ready");
	assert.equal(demo.gateway.namespaces({ id: "local" })[0]?.reason, undefined);
});
