import type { Counter } from "@opentelemetry/api";
import { labelCall } from "./postmortem.ts";
import { clipText, type TelemetryRecord, type TelemetrySink } from "./record.ts";

/**
 * A sink for the provider that the program has registered with `@opentelemetry/api`; without a provider it does
 * nothing. The API is loaded only here, so that a host without it does not pay for it.
 */
export async function createOpenTelemetrySink(name: string): Promise<TelemetrySink> {
	const { metrics, SpanKind, SpanStatusCode, trace } = await import("@opentelemetry/api");
	const meter = metrics.getMeter("libmcp");
	const tracer = trace.getTracer("libmcp");
	const duration = meter.createHistogram("mcp.server.operation.duration", {
		unit: "s",
		description: "Time to the terminal answer",
	});
	const counters: Readonly<Record<"restart" | "fault" | "replay" | "rollout_step", Counter>> = {
		restart: meter.createCounter("libmcp.restarts", { description: "Workers replaced after a fault" }),
		fault: meter.createCounter("libmcp.faults", { description: "Faults by class and code" }),
		replay: meter.createCounter("libmcp.replays", { description: "Calls sent to a worker again" }),
		rollout_step: meter.createCounter("libmcp.rollout.steps", { description: "Steps of rollouts" }),
	};
	return {
		record(record) {
			const attributes = toAttributes(name, record);
			if (record.event === "log_opened") return;
			if (record.event !== "call") {
				counters[record.event].add(1, attributes);
				return;
			}
			duration.record(record.latencyMs / 1000, attributes);
			const span = tracer.startSpan(labelCall(record), {
				kind: SpanKind.SERVER,
				startTime: record.at - record.latencyMs,
				attributes,
			});
			if (record.outcome === "error" || record.outcome === "fault") span.setStatus({ code: SpanStatusCode.ERROR });
			span.end(record.at);
		},
		close() {},
	};
}

/** Names follow the semantic conventions if those have one. No argument or result is included. */
export function toAttributes(name: string, record: TelemetryRecord): Readonly<Record<string, string | number>> {
	const common = { "libmcp.host": name, "libmcp.generation": record.generation };
	switch (record.event) {
		case "call":
			return {
				...common,
				"mcp.method.name": clipText(record.method),
				...(record.tool === undefined ? {} : { "gen_ai.tool.name": clipText(record.tool) }),
				"libmcp.outcome": record.outcome,
				...(record.code === undefined ? {} : { "rpc.jsonrpc.error_code": record.code }),
				...(record.fault === undefined ? {} : { "error.type": `${record.fault.class}.${record.fault.code}` }),
			};
		case "replay":
			return { ...common, "mcp.method.name": clipText(record.method) };
		case "restart":
			return { ...common, "error.type": `${record.cause.class}.${record.cause.code}` };
		case "fault":
			return { ...common, "error.type": `${record.fault.class}.${record.fault.code}` };
		case "rollout_step":
			return { ...common, "libmcp.rollout.step": record.step };
		case "log_opened":
			return common;
	}
}
