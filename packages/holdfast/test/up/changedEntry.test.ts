import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { startedProduct } from "../console/startedProduct.ts";

test("a server whose entry changed is told as connected again, not as stopped", async (t) => {
	const started = await startedProduct();
	t.after(() => started.close());
	const { gateway, recorder } = started.product;
	const file = join(started.folder, "config.json");
	const server = () => gateway.upstreams.all.find(({ spec }) => spec.name === "hostile");
	const told = () =>
		recorder.timeline.page({ kinds: ["connection"], server: "hostile" }).entries.map(({ summary }) => summary);
	await until(() => server()?.state.kind === "ready", "it is ready");
	const before = server();
	const ended = new Promise<void>((resolve) => {
		const state = recorder.state.bind(recorder);
		recorder.state = (name, now) => {
			state(name, now);
			if (name === "hostile" && now.kind === "stopped") resolve();
		};
	});
	const { mcpServers, ...rest } = JSON.parse(readFileSync(file, "utf8"));
	const hostile = { ...mcpServers.hostile, env: { CHANGED: "1" } };
	writeFileSync(file, JSON.stringify({ ...rest, mcpServers: { ...mcpServers, hostile } }));
	await ended;
	await until(() => server() !== before && server()?.state.kind === "ready", "the new one is ready");
	assert.deepEqual(told(), ["connected", "connected"]);
});
