import assert from "node:assert/strict";
import { test } from "node:test";
import { metrics, trace } from "@opentelemetry/api";
import { createFault } from "../../src/fault/fault.ts";
import { HealthBoard } from "../../src/telemetry/healthBoard.ts";
import { createOpenTelemetrySink } from "../../src/telemetry/openTelemetry.ts";
import { writePrometheus } from "../../src/telemetry/prometheus.ts";
import { TelemetryLedger } from "../../src/telemetry/telemetryLedger.ts";

const FAULT = createFault("process", "exit", { detail: "code 1", generation: 1 });

test("the Prometheus text holds the counters of both payloads, labels escaped", () => {
	let clock = 0;
	const health = new HealthBoard(() => clock);
	health.starting(1);
	health.ready(1);
	health.restarting();
	const ledger = new TelemetryLedger(() => clock);
	const call = ledger.began('tools/call re"ad\n');
	clock = 2_000;
	ledger.ended(call, { kind: "ok" });
	ledger.began("ping");
	ledger.faulted(FAULT);
	const text = writePrometheus("a\\b", health.snapshot(), ledger.snapshot());
	for (const line of [
		'libmcp_state{host="a\\\\b",state="recovering"} 1',
		'libmcp_state{host="a\\\\b",state="ready"} 0',
		'libmcp_uptime_seconds{host="a\\\\b"} 2',
		'libmcp_restarts_total{host="a\\\\b"} 1',
		'libmcp_calls_in_flight{host="a\\\\b"} 1',
		'libmcp_calls_total{host="a\\\\b",method="tools/call re\\"ad\\n",outcome="success"} 1',
		'libmcp_faults_total{host="a\\\\b",class="process",code="exit"} 1',
		'libmcp_call_duration_seconds{host="a\\\\b",method="tools/call re\\"ad\\n",quantile="0.5"} 2',
		'libmcp_call_duration_seconds_count{host="a\\\\b",method="ping"} 0',
		"# TYPE libmcp_calls_total counter",
	]) {
		assert.ok(text.split("\n").includes(line), `${line}\nnot in\n${text}`);
	}
	assert.ok(text.endsWith("\n"));
	for (const line of text.trimEnd().split("\n")) assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+\{.*\} [\d.e+-]+)$/);
});

test("records reach the registered OpenTelemetry provider, and without one they vanish quietly", async (t) => {
	const silent = await createOpenTelemetrySink("host");
	silent.record({ event: "fault", at: 1, generation: 1, fault: FAULT });
	silent.close();

	const seen: [string, number, unknown][] = [];
	const meter = metrics.getMeter("none");
	const instrument = (name: string) => ({
		add: (value: number, attributes: unknown) => seen.push([name, value, attributes]),
		record: (value: number, attributes: unknown) => seen.push([name, value, attributes]),
	});
	t.mock.method(metrics, "getMeter", () =>
		Object.assign(Object.create(meter), { createHistogram: instrument, createCounter: instrument }),
	);
	const spans: unknown[] = [];
	const tracer = trace.getTracer("none");
	t.mock.method(trace, "getTracer", () =>
		Object.assign(Object.create(tracer), {
			startSpan: (name: string, options: { startTime: number }) => ({
				setStatus: (status: unknown) => spans.push([name, "status", status]),
				end: (at: number) => spans.push([name, at - options.startTime]),
			}),
		}),
	);
	const sink = await createOpenTelemetrySink("host");
	sink.record({
		event: "call",
		at: 5_000,
		generation: 2,
		method: "tools/call",
		tool: "read",
		id: "1",
		latencyMs: 250,
		attempts: 1,
		outcome: "fault",
		fault: FAULT,
	});
	sink.record({ event: "restart", at: 1, generation: 2, delayMs: 0, cause: FAULT });
	sink.record({ event: "replay", at: 1, generation: 2, method: "ping", id: "1", attempt: 2 });
	sink.record({ event: "rollout_step", at: 1, generation: 2, step: "switching", from: 1 });
	sink.record({ event: "log_opened", at: 1, generation: 0, name: "x", pid: 1, lastFault: null });
	sink.close();
	assert.deepEqual(
		seen.map(([name, value]) => [name, value]),
		[
			["mcp.server.operation.duration", 0.25],
			["libmcp.restarts", 1],
			["libmcp.replays", 1],
			["libmcp.rollout.steps", 1],
		],
	);
	assert.deepEqual(seen[0]?.[2], {
		"libmcp.host": "host",
		"libmcp.generation": 2,
		"mcp.method.name": "tools/call",
		"gen_ai.tool.name": "read",
		"libmcp.outcome": "fault",
		"error.type": "process.exit",
	});
	assert.deepEqual(spans, [
		["tools/call read", "status", { code: 2 }],
		["tools/call read", 250],
	]);
});
