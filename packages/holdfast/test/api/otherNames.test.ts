// A server may be called what no namespace may be.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../../e2e/until.ts";
import { startedProduct } from "../console/startedProduct.ts";

const HOSTILE = fileURLToPath(new URL("../console/hostileServer.ts", import.meta.url));
const NAME = "My files, 検索";

test("all that happens to a server is told under its own name, and a replay leads to its call", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-names-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const changed = join(folder, "changed");
	const args = ["--disable-warning=ExperimentalWarning", HOSTILE, changed];
	const started = await startedProduct({ sections: { mcpServers: { [NAME]: { command: process.execPath, args } } } });
	try {
		const { gateway, recorder } = started.product;
		const toolId = (tool: string) => gateway.catalog.tools.find(({ definition }) => definition.name === tool)?.id ?? "";
		await until(() => toolId("slow") !== "", "its tools are there");
		const { signal } = new AbortController();
		const run = { toolId: toolId("slow"), args: { ms: 2_000 }, viewer: { id: "local" }, signal };
		const slow = gateway.runner.run(run);
		const server = async () => JSON.parse(await (await fetch(`${started.address}/api/servers`)).text()).servers[0];
		await until(async () => (await server()).inFlight === 1, "the call is in flight");
		process.kill((await server()).pid, "SIGKILL");
		await slow;
		const [replay] = recorder.timeline.page({ kinds: ["replay"], server: NAME }).entries;
		assert.deepEqual(replay?.record.request, { ms: 2_000 });
		const call = recorder.calls.get(Number(replay?.record.call));
		assert.deepEqual([call?.toolId, call?.server], [run.toolId, NAME]);
		await gateway.runner.run({ ...run, toolId: toolId("greet"), args: { name: "Ada", times: 1 } });
		writeFileSync(changed, "");
		await until(() => {
			return recorder.timeline.page({ kinds: ["quarantine"], server: NAME }).entries.length === 1;
		}, "what it changed is told of it");
	} finally {
		await started.close();
	}
});

test("a tool that waits for approval is named as its server and the configuration name it", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-names-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const args = ["--disable-warning=ExperimentalWarning", HOSTILE, join(folder, "changed")];
	const started = await startedProduct({
		sections: {
			mcpServers: { [NAME]: { command: process.execPath, args } },
			quarantine: { mode: "ask", file: join(folder, "approvals.json") },
		},
	});
	try {
		const read = async (): Promise<readonly { declaredName?: string; server?: string }[]> =>
			JSON.parse(await (await fetch(`${started.address}/api/approvals`)).text()).waiting;
		await until(async () => (await read()).length > 0, "its tools wait");
		const waiting = await read();
		assert(waiting.every(({ server }) => server === NAME));
		assert(waiting.some(({ declaredName }) => declaredName === "بحث 検索"));
	} finally {
		await started.close();
	}
});
