import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { hangingWorkspace, isAlive, slowFiles, workspaceOf } from "../tools/workspace.ts";
import { at, envelopeOf, errorCodeOf, resultOf, type Served, serve } from "./serving.ts";

type Progress = {
	readonly progressToken: unknown;
	readonly progress: number;
	readonly total?: number;
	readonly message: string;
};

function progressOf({ client }: Served, token?: unknown): Progress[] {
	return client.notifications
		.filter(
			({ method, params }) =>
				method === "notifications/progress" && (token === undefined || params.progressToken === token),
		)
		.map(({ params }) => params as unknown as Progress);
}

verifies(
	[
		"001-6.8-only-with-token",
		"001-6.8-token-echoed",
		"001-6.8-progress-monotonic",
		"001-6.8-total-message-optional",
		"001-6.8-message-mapping",
		"001-6.8-no-extra-fields",
		"000-9.1-throttle-sdk",
		"000-9.1-coalesce",
		"000-9.2-none-after-terminal-sdk",
	],
	"a build tells its real phases to whoever gave a token: rising, at most four a second, none after the answer",
	async (t) => {
		const space = await workspaceOf(t, slowFiles(150), { indexed: false });
		const served = await serve(t, space);
		const { client } = served;
		await client.call("index_status");
		const began = performance.now();
		const built = await client.call("build_index", {}, { progressToken: 41 });
		const seconds = (performance.now() - began) / 1000;
		const seen = progressOf(served);
		assert.equal(errorCodeOf(built), undefined);
		assert.ok(seen.length >= 2 && seen.length <= 4 * seconds + 1, `${seen.length} in ${seconds} s`);
		for (const [index, params] of seen.entries()) {
			assert.strictEqual(params.progressToken, 41);
			assert.ok(index === 0 || params.progress > (seen[index - 1]?.progress ?? 0));
			assert.match(params.message, /^\[build_index\]\[phase=(index|git)\] ./);
			for (const key of Object.keys(params))
				assert.ok(["progressToken", "progress", "total", "message"].includes(key), key);
			if (params.total !== undefined) assert.ok(params.total >= params.progress);
		}
		assert.ok(seen.some(({ total }) => total !== undefined));
		// Of what came between two notifications, the newest counts: each names the file that was just done.
		const files = seen.filter(({ message }) => message.includes("[phase=index]"));
		const order = Array.from({ length: 150 }, (_, file) => `src/f${file}.ts`).sort();
		for (const { message, progress } of files) assert.equal(message.split("] ")[1], order[progress - 2], message);
		await client.call("search", { query: "work" }, { progressToken: "text" });
		const [searching] = progressOf(served, "text");
		assert.equal(searching?.message, "[search][phase=search] Running search.");
		assert.equal(searching?.total, undefined);
		await delay(600);
		assert.equal(progressOf(served).length, seen.length + 1, "one of the search, none of the build that was answered");
		const before = client.notifications.length;
		await client.call("build_index", { incremental: true });
		await client.call("search", { query: "work" });
		await delay(400);
		assert.equal(client.notifications.length, before);
	},
	{ timeout: 240_000 },
);

verifies(
	[
		"001-6.9-cancelled-notification",
		"001-6.9-no-response",
		"001-6.9-no-progress-after",
		"000-7.2-cancel-typed-first",
		"000-7.2-cancel-string-fallback",
	],
	"a cancel ends running and queued builds without an answer or further progress, by typed id first",
	async (t) => {
		const space = await workspaceOf(t, slowFiles(), { indexed: false });
		const served = await serve(t, space);
		const { client, living } = served;
		const call = { name: "build_index", arguments: {} };
		void client.request("tools/call", { ...call, _meta: { progressToken: "run" } }, 7);
		await until(() => progressOf(served, "run").length > 0, "progress");
		void client.request("tools/call", { ...call, _meta: { progressToken: "wait" } }, "7");
		await client.request("ping");
		client.notify("notifications/cancelled", { requestId: "7" });
		const heard = progressOf(served, "run").length;
		await until(() => progressOf(served, "run").length > heard, "more progress of the build that was not cancelled");
		const alone = living().length;
		assert.ok(alone > 1);
		client.notify("notifications/cancelled", { requestId: "7" });
		await client.request("ping");
		const last = progressOf(served, "run").length;
		await until(() => living().length === 1, "the build process to end");
		await delay(600);
		assert.equal(progressOf(served, "run").length, last);
		assert.deepEqual(progressOf(served, "wait"), []);
		assert.deepEqual(client.waiting, [7, "7"]);
		assert.deepEqual(client.violations, []);
		assert.equal(resultOf(await client.call("index_status")).repo, "repo");
	},
	{ timeout: 240_000 },
);

// At once, since each mostly waits for its server.
void describe("builds that hang", { concurrency: 3 }, () => {
	verifies(
		[
			"001-6.10.2-timeout-tool-error",
			"001-6.10.2-timeout-ms-in-details",
			"000-6-code-tool-timeout",
			"000-8.2-timeout-kill-is-tree-aware",
			"000-10-test-timeout",
			"000-p2-2-tools-thread-signal",
		],
		"a build past its limit is answered TOOL_TIMEOUT and every process it started is gone",
		async (t) => {
			const space = await hangingWorkspace(t);
			const { client, living } = await serve(t, space, { env: { ...space.env, PAIROFCLEATS_TOOL_TIMEOUT_MS: "5000" } });
			const answer = await client.call("build_index");
			assert.equal(answer.result?.isError, true);
			assert.equal(errorCodeOf(answer), "TOOL_TIMEOUT");
			assert.equal(at(envelopeOf(answer), "/error/details/timeoutMs"), 5000);
			assert.ok(space.pids().length >= 2, "git ran, and a child of git");
			await until(() => !space.pids().some(isAlive) && living().length === 1, "the tree to end");
		},
		{ skip: process.platform === "linux" ? false : "needs /proc" },
	);

	verifies(
		["001-6.9-cancelled-notification", "000-p2-2-tools-thread-signal"],
		"a cancelled build leaves no process behind, however deep",
		async (t) => {
			const space = await hangingWorkspace(t);
			const { client, living } = await serve(t, space, { env: space.env });
			void client.request("tools/call", { name: "build_index", arguments: {} }, "hung");
			await until(() => space.pids().length >= 2, "git to hang");
			client.notify("notifications/cancelled", { requestId: "hung" });
			await until(() => !space.pids().some(isAlive) && living().length === 1, "the tree to end");
			assert.deepEqual(client.waiting, ["hung"]);
		},
		{ skip: process.platform === "linux" ? false : "needs /proc" },
	);

	verifies(
		["001-6.10.1-overload-error", "001-6.10.1-overload-queue-details", "000-6-code-queue-overloaded"],
		"past the queue's limit a call is refused with -32001, its code and the queue's size, while reads go on",
		async (t) => {
			const space = await hangingWorkspace(t);
			const other = await workspaceOf(t);
			const { client } = await serve(t, space, {
				env: { ...space.env, PAIROFCLEATS_QUEUE_MAX: "1" },
				args: ["--repo", other.root],
			});
			const call = { name: "build_index", arguments: {} };
			void client.request("tools/call", call, "running");
			await until(() => space.pids().length >= 2, "git to hang");
			void client.request("tools/call", call, "queued");
			const { error } = await client.request("tools/call", call, "refused");
			assert.equal(error?.code, -32001);
			assert.ok((error?.message.length ?? 0) > 0);
			assert.equal(at(error, "/data/code"), "QUEUE_OVERLOADED");
			assert.equal(typeof at(error, "/data/message"), "string");
			assert.deepEqual(at(error, "/data/details/queue"), { max: 1, size: 1 });
			const read = await client.call("workspace_status").then(envelopeOf, () => undefined);
			assert.ok(read !== undefined);
			for (const requestId of ["queued", "running"]) client.notify("notifications/cancelled", { requestId });
			await client.request("ping");
			assert.deepEqual(client.waiting, ["running", "queued"]);
		},
	);

	verifies("001-6.5.2-tool-build-index", "searches are answered while a build runs", async (t) => {
		const slow = await hangingWorkspace(t);
		const space = await workspaceOf(t);
		const { client } = await serve(t, space, { env: slow.env, args: ["--repo", slow.root] });
		const order: string[] = [];
		const building = client.call("build_index", { repoPath: slow.root }).then((answer) => {
			order.push("build");
			return answer;
		});
		await until(() => slow.pids().length >= 2, "git to hang");
		for (let at = 0; at < 3; at++) {
			assert.equal(errorCodeOf(await client.call("search", { query: "openSession" })), undefined);
			order.push("search");
		}
		slow.answer();
		assert.equal(errorCodeOf(await building), undefined);
		assert.deepEqual(order, ["search", "search", "search", "build"]);
		const found = resultOf(await client.call("search", { query: "addSession", repoPath: slow.root }));
		assert.equal(at(found, "/search/hits/0/path"), "src/session.ts");
	});
});

void test("a repository that is not there ends the hosted server with its reason, said once", async (t) => {
	const space = await workspaceOf(t, {}, { indexed: false });
	const served = await serve(t, space, { hosted: true, raw: true, args: ["--repo", "nowhere"] });
	await once(served.child, "close");
	assert.equal(served.child.exitCode, 1);
	assert.equal(served.stderr(), 'pairofcleats: --repo: expected a folder that exists, got "nowhere"\n');
});
