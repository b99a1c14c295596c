// What a collector gets when OpenTelemetry's own variables name one.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createFault } from "libmcp";
import { TestClient } from "libmcp/testing";
import { OtlpExporter } from "../../src/telemetry/otlpExporter.ts";
import { readOtlpSettings } from "../../src/telemetry/otlpSettings.ts";

const BIN = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const EVERYTHING = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));

type Sent = { readonly path: string; readonly key: string | undefined; readonly body: string };

async function collector(
	t: TestContext,
	statusOf = (_path: string) => 200,
): Promise<{ readonly address: string; readonly sent: Sent[] }> {
	const sent: Sent[] = [];
	const server = createServer((request, response) => {
		let body = "";
		request.on("data", (chunk: Buffer) => {
			body += chunk.toString("utf8");
		});
		request.on("end", () => {
			sent.push({ path: request.url ?? "", key: request.headers["x-key"]?.toString(), body });
			response.writeHead(statusOf(request.url ?? "")).end("{}");
		});
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	t.after(() => server.close());
	return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

test("a host's calls reach the collector as spans and durations, without arguments or results", {
	timeout: 120_000,
}, async (t) => {
	const { address, sent } = await collector(t);
	const home = mkdtempSync(join(tmpdir(), "holdfast-otlp-"));
	t.after(() => rmSync(home, { recursive: true, force: true }));
	const env = {
		PATH: process.env.PATH,
		HOME: home,
		XDG_RUNTIME_DIR: home,
		OTEL_EXPORTER_OTLP_ENDPOINT: `${address}/`,
		OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b",
		OTEL_SERVICE_NAME: "my-agent",
		OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
	};
	const child = spawn(process.execPath, [BIN, "host", "--name", "every", "--", process.execPath, EVERYTHING], {
		env,
		stdio: ["pipe", "pipe", "ignore"],
	});
	t.after(() => child.kill("SIGKILL"));
	const exited = once(child, "exit");
	const client = new TestClient({ from: child.stdout, to: child.stdin });
	await client.connect();
	await client.call("echo", { message: "between us" });
	child.stdin.end();
	await exited;

	const of = (path: string) => sent.filter((one) => one.path === path).map((one) => JSON.parse(one.body));
	assert.deepEqual([...new Set(sent.map(({ path }) => path))].sort(), ["/v1/metrics", "/v1/traces"]);
	assert.deepEqual([...new Set(sent.map(({ key }) => key))], ["a b"]);
	const [{ resource }] = of("/v1/traces")[0].resourceSpans;
	assert.deepEqual(resource.attributes, [
		{ key: "deployment.environment", value: { stringValue: "test" } },
		{ key: "service.name", value: { stringValue: "my-agent" } },
	]);
	const spans = of("/v1/traces").flatMap((one) => one.resourceSpans[0].scopeSpans[0].spans);
	const echo = spans.find(({ name }: { name: string }) => name === "tools/call echo");
	assert.match(echo.traceId, /^[0-9a-f]{32}$/);
	assert.equal(echo.kind, 2);
	assert.ok(BigInt(echo.endTimeUnixNano) > BigInt(echo.startTimeUnixNano));
	assert.partialDeepStrictEqual(
		Object.fromEntries(echo.attributes.map((one: { key: string; value: object }) => [one.key, one.value])),
		{
			"libmcp.host": { stringValue: "every" },
			"mcp.method.name": { stringValue: "tools/call" },
			"gen_ai.tool.name": { stringValue: "echo" },
			"libmcp.outcome": { stringValue: "ok" },
		},
	);
	const metrics = of("/v1/metrics").at(-1).resourceMetrics[0].scopeMetrics[0].metrics;
	const [duration] = metrics.filter(({ name }: { name: string }) => name === "mcp.server.operation.duration");
	const point = duration.histogram.dataPoints.find((one: { attributes: unknown }) =>
		JSON.stringify(one.attributes).includes("echo"),
	);
	assert.equal(point.count, "1");
	assert.equal(point.bucketCounts.length, point.explicitBounds.length + 1);
	assert.equal(
		sent.some(({ body }) => body.includes("between us")),
		false,
	);
});

test("a collector that is away is said once and costs nothing else", async (t) => {
	const { address, sent } = await collector(t, () => 503);
	const said: string[] = [];
	const settings = readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: address });
	assert.ok(settings !== undefined);
	const exporter = new OtlpExporter(settings, { log: (line) => said.push(line), everyMs: 60_000 });
	const sink = exporter.sink("h");
	const fault = createFault("process", "worker_crashed", { detail: "code 1", generation: 1 });
	for (let round = 0; round < 3_000; round++) sink.record({ event: "fault", at: 1, generation: 1, fault });
	await exporter.flush();
	sink.record({ event: "restart", at: 2, generation: 1, delayMs: 0, cause: fault });
	await exporter.close();
	assert.deepEqual(
		said.sort(),
		["metrics", "traces"].map((signal) => `OpenTelemetry ${signal} cannot be sent to ${address}: it answered 503`),
	);
	const spans = JSON.parse(sent.find(({ path }) => path === "/v1/traces")?.body ?? "{}").resourceSpans[0].scopeSpans[0]
		.spans;
	assert.equal(spans.length, 2_048);
	const counted = JSON.parse(sent.findLast(({ path }) => path === "/v1/metrics")?.body ?? "{}").resourceMetrics[0]
		.scopeMetrics[0].metrics;
	assert.equal(counted[0].sum.dataPoints[0].asInt, "3000");
});

test("an error code that is no whole number, or too large for one, is sent in a form that a collector takes", async (t) => {
	const { address, sent } = await collector(t);
	const settings = readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: address });
	assert.ok(settings !== undefined);
	const exporter = new OtlpExporter(settings, { log: () => {}, everyMs: 60_000 });
	const call = { at: 1, generation: 1, method: "ping", id: "1", latencyMs: 1, attempts: 1, outcome: "error" } as const;
	for (const code of [400.5, 1e21, -32_602]) exporter.sink("h").record({ event: "call", ...call, code });
	await exporter.close();
	assert.deepEqual(sent.map(({ path }) => path).sort(), ["/v1/metrics", "/v1/traces"]);
	for (const { path, body } of sent) {
		const codes = body.matchAll(/"key":"rpc\.jsonrpc\.error_code","value":(\{[^}]*\})/g);
		assert.deepEqual(
			[...codes].map(([, value]) => value),
			['{"doubleValue":400.5}', '{"doubleValue":1e+21}', '{"intValue":"-32602"}'],
			path,
		);
	}
});

test("a collector that takes traces only is said once, and gets the last counts when it takes them", async (t) => {
	let metrics = 404;
	const { address, sent } = await collector(t, (path) => (path === "/v1/metrics" ? metrics : 200));
	const said: string[] = [];
	const settings = readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: address });
	assert.ok(settings !== undefined);
	const exporter = new OtlpExporter(settings, { log: (line) => said.push(line), everyMs: 60_000 });
	const fault = createFault("process", "worker_crashed", { detail: "code 1", generation: 1 });
	for (let round = 0; round < 3; round++) {
		exporter.sink("h").record({ event: "fault", at: 1, generation: 1, fault });
		await exporter.flush();
	}
	assert.deepEqual(said, [`OpenTelemetry metrics cannot be sent to ${address}: it answered 404`]);
	metrics = 200;
	sent.length = 0;
	await exporter.flush();
	await exporter.close();
	assert.deepEqual(
		sent.map(({ path }) => path),
		["/v1/metrics"],
	);
	assert.match(sent[0]?.body ?? "", /"asInt":"3"/);
});

test("nothing is sent unless an address is named, and each signal can be turned off", () => {
	assert.equal(readOtlpSettings({}), undefined);
	assert.equal(readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "no address" }), undefined);
	assert.equal(
		readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "true" }),
		undefined,
	);
	assert.partialDeepStrictEqual(
		readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_METRICS_EXPORTER: "none" }),
		{
			traces: "http://c:4318/v1/traces",
			metrics: undefined,
		},
	);
	assert.partialDeepStrictEqual(readOtlpSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c/t" }), {
		traces: "http://c/t",
		metrics: undefined,
	});
});
