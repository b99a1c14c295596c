import { clip } from "./clip.ts";
import type { TelemetryRecord } from "./record.ts";

/** Names follow the semantic conventions if those have one. No argument or result is included. */
export function telemetryAttributes(name: string, record: TelemetryRecord): Readonly<Record<string, string | number>> {
	const common = { "libmcp.host": name, "libmcp.generation": record.generation };
	switch (record.event) {
		case "call":
			return {
				...common,
				"mcp.method.name": clip(record.method),
				...(record.tool === undefined ? {} : { "gen_ai.tool.name": clip(record.tool) }),
				"libmcp.outcome": record.outcome,
				...(record.code === undefined ? {} : { "rpc.jsonrpc.error_code": record.code }),
				...(record.fault === undefined ? {} : { "error.type": `${record.fault.class}.${record.fault.code}` }),
			};
		case "replay":
			return { ...common, "mcp.method.name": clip(record.method) };
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
