import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import type { StdioSpec } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { COMPILED } from "../fixtures/compileCache.ts";
import { type TestGateway, testGateway, texts } from "../fixtures/gateway.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
const program = (name: string, file: string, ...args: string[]): StdioSpec => ({
	kind: "stdio",
	name,
	namespace: name,
	protocol: "legacy",
	command: process.execPath,
	args: ["--disable-warning=ExperimentalWarning", join(fixtures, file), ...args],
	env: COMPILED,
});

/** A hostile server beside a good one; the good one must answer before, during and after. */
async function beside(
	mode: string,
	body: (demo: TestGateway, good: () => Promise<void>) => Promise<void>,
): Promise<void> {
	const demo = await testGateway({
		openTransport,
		config: { servers: [program("bad", "hostileServer.ts", mode), program("good", "stdioServer.ts")] },
		settings: { connectTimeout: 8_000 },
		wait: false,
	});
	const good = async () =>
		assert.equal((await demo.data("run_tool", { tool_id: "good:echo", args: { text: "fine" } })).structured, "fine");
	try {
		await until(() => demo.gateway.catalog.get("good:echo") !== undefined);
		await good();
		await body(demo, good);
		await good();
	} finally {
		await demo.stop();
	}
}

const known = (demo: TestGateway) => demo.gateway.catalog.tools.filter((tool) => tool.namespace === "bad");
const status = (demo: TestGateway) => demo.gateway.namespaces({ id: "x" }).find((entry) => entry.namespace === "bad");
const listed = (demo: TestGateway) => until(() => known(demo).length > 0);
const isInvisible = (char: string) => char !== "\n" && /^[\p{Cc}\p{Cf}]$/u.test(char);
const options = { timeout: 90_000 };

test("a list without end is cut and said", options, () =>
	beside("endless", async (demo) => {
		await listed(demo);
		assert.equal(known(demo).length, 10_000);
		assert.match(status(demo)?.problems?.join() ?? "", /cut after 10000 tools/);
	}),
);

test("a list that goes in a circle is cut and said", options, () =>
	beside("circle", async (demo) => {
		await listed(demo);
		assert.match(status(demo)?.problems?.join() ?? "", /same cursor twice/);
	}),
);

test("a list that ends with an empty cursor is read once", options, () =>
	beside("ended", async (demo) => {
		await listed(demo);
		assert.deepEqual([known(demo).length, status(demo)?.problems ?? []], [1, []]);
	}),
);

test("a definition too large, and entries that are no tools, are left out and said", options, () =>
	beside("obese", async (demo) => {
		await listed(demo);
		assert.deepEqual(
			known(demo).map((tool) => tool.name),
			["slim"],
		);
		assert.equal(status(demo)?.problems?.length, 5);
	}),
);

test("entries without end that are no tools are cut and said, and not each of them", options, () =>
	beside("scant", async (demo) => {
		await listed(demo);
		const { problems = [] } = demo.gateway.upstreams.all.find(({ spec }) => spec.name === "bad") ?? {};
		assert.equal(problems.length, 102);
		assert.equal(problems[100], "9899 more tools are left out");
		assert.match(problems[101] ?? "", /^the list is cut after 1 tools: at most 10000 tools /);
	}),
);

test("a list of tools that is no list is said", options, () =>
	beside("unlisted", async (demo) => {
		await until(() => status(demo)?.problems !== undefined);
		assert.deepEqual(status(demo)?.problems, ['tools: expected a list, got "x"']);
	}),
);

test("a schema nested too deep costs its own tool, which status and log name, and no other", options, () =>
	beside("deep", async (demo) => {
		await listed(demo);
		assert.deepEqual(
			known(demo)
				.map((tool) => tool.name)
				.sort(),
			["act", "kept"],
		);
		const problems = ["deep", "deeper"].map(
			(name) => `"${name}" is left out: its definition is nested more than 200 levels deep`,
		);
		assert.deepEqual(status(demo)?.problems, problems);
		for (const problem of problems) assert(demo.log.includes(`bad: ${problem}`), demo.log.join("\n"));
		for (const name of ["act", "kept"])
			assert.equal((await demo.data("run_tool", { tool_id: `bad:${name}` })).structured, "ok");
	}),
);

test("a list that cannot be read is told with what is wrong with it", options, () =>
	beside("twice", async (demo) => {
		await until(() => status(demo)?.state === "failed");
		assert.match(status(demo)?.reason ?? "", /^it gave an answer that cannot be read: a member appears twice/);
	}),
);

test("a list larger than a message may be is told as that, not as advice to a model", options, () =>
	beside("vast", async (demo) => {
		await until(() => status(demo)?.reason !== undefined);
		const reason = /^it gave an answer that cannot be read: a message of 170\d{5} bytes; at most 16000000 are read$/;
		assert.match(status(demo)?.reason ?? "", reason);
	}),
);

test("schemas that refer to themselves, to elsewhere, or hide a slow pattern do no harm", options, () =>
	beside("cyclic", async (demo, good) => {
		await listed(demo);
		const args = { s: `${"a".repeat(60)}!`, a: { a: {} } };
		const refused = await demo.error("run_tool", { tool_id: "bad:regex", args });
		assert.match(String(refused.message), /can be checked against its schema, which took more than 250 ms/);
		for (const name of ["self", "pair", "remote", "proto"]) {
			assert.equal((await demo.data("run_tool", { tool_id: `bad:${name}`, args })).structured, "ok", name);
			await demo.data("describe_tool", { tool_id: `bad:${name}`, detail_level: "full" });
		}
		const { schemaInfo } = await demo.data("describe_tool", { tool_id: "bad:proto", detail_level: "schema" });
		assert.deepEqual(Object.keys((schemaInfo as { types: object }).types), ["__proto__", "constructor"]);
		await good();
	}),
);

test("names and texts with control characters reach nobody's screen", options, () =>
	beside("control", async (demo) => {
		await listed(demo);
		for (const tool of known(demo)) assert.match(tool.id, /^bad:[A-Za-z0-9_.-]{1,60}$/);
		assert.equal(new Set(known(demo).map((tool) => tool.id)).size, 7);
		for (const [name, args] of [
			["search_tools", { query: "d" }],
			["list_tools", { limit: 100 }],
			["list_namespaces", {}],
			["describe_tool", { tool_id: "bad:plain", detail_level: "full" }],
		] as const)
			assert(![...texts(await demo.call(name, args))].some(isInvisible), name);
		assert.equal((await demo.data("run_tool", { tool_id: "bad:plain" })).structured, "ok");
	}),
);

// At once, since each mostly waits for a limit to pass.
void describe("servers that are waited for", { concurrency: 3 }, () => {
	test("a frame that never ends costs its own call only", options, () =>
		beside("loris", async (demo, good) => {
			await listed(demo);
			const running = demo.error("run_tool", { tool_id: "bad:act", timeout_ms: 1_000 });
			await good();
			assert.equal((await running).code, "timeout");
		}),
	);

	test("a server that never answers is shown as connecting, then failed", options, () =>
		beside("mute", async (demo, good) => {
			assert.equal(status(demo)?.state, "connecting");
			await good();
			await until(() => status(demo)?.state === "failed");
			assert.match(status(demo)?.reason ?? "", /in time/);
		}),
	);

	test("a call that is never answered ends at its deadline", options, () =>
		beside("silent", async (demo, good) => {
			await listed(demo);
			const running = demo.error("run_tool", { tool_id: "bad:act", timeout_ms: 500 });
			await good();
			assert.equal((await running).code, "timeout");
		}),
	);

	test("lines that are no protocol, answers to nobody and answers of no shape are survived", options, async () => {
		await beside("garbage", async (demo) => {
			await listed(demo);
			assert.equal((await demo.data("run_tool", { tool_id: "bad:act" })).structured, "ok");
		});
		await beside("stranger", async (demo) => {
			await listed(demo);
			const { code } = await demo.error("run_tool", { tool_id: "bad:act", timeout_ms: 2_000 });
			assert(code === "execution_failed" || code === "timeout", String(code));
		});
	});
});

test(
	"a result larger than a message may be is refused with both sizes, and with no setting that is not there",
	options,
	() =>
		beside("heavy", async (demo) => {
			await listed(demo);
			const { error } = Object((await demo.call("run_tool", { tool_id: "bad:act" })).structuredContent);
			assert.match(
				error.message,
				/^The answer from bad has 170\d{5} bytes, and at most 16000000 are read; the call itself has run, so ask for /,
			);
			assert.deepEqual(error.details.fault, { class: "resource", code: "answer_too_large" });
			assert.doesNotMatch(JSON.stringify(error), /max-?frame/i);
		}),
);

test("a result of 100 MB is refused, and memory stays bounded", options, () =>
	beside("huge", async (demo, good) => {
		await listed(demo);
		const before = process.memoryUsage().rss;
		const running = demo.error("run_tool", { tool_id: "bad:act", timeout_ms: 20_000 });
		await good();
		const error = await running;
		assert(["execution_failed", "timeout"].includes(String(error.code)), JSON.stringify(error));
		assert(process.memoryUsage().rss - before < 300e6, `${Math.round((process.memoryUsage().rss - before) / 1e6)} MB`);
	}),
);

test("a flood of notifications is ridden out", options, () =>
	beside("flood", async (demo, good) => {
		await listed(demo);
		const running = demo.call("run_tool", { tool_id: "bad:act", timeout_ms: 30_000 });
		await good();
		assert.equal(texts(await running), "survived");
	}),
);

test("a result nested without end does not overflow anything", options, () =>
	beside("nested", async (demo, good) => {
		await listed(demo);
		const result = await demo.call("run_tool", { tool_id: "bad:act", timeout_ms: 5_000 });
		assert.equal(typeof JSON.stringify(result), "string");
		await good();
	}),
);
