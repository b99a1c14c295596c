import { normalizeMessage } from "../../normalize/normalized.ts";
import { noteLines } from "../../render/notes.ts";
import { countText, fieldLines, tableLines } from "../../render/patterns.ts";
import { porcelain } from "../../render/porcelain.ts";
import { selectRenderMode } from "../../render/renderMode.ts";
import type { TelemetrySnapshot } from "../../telemetry/telemetryLedger.ts";
import type { HostHealth } from "./hostHealth.ts";

/** A tool result: short lines by default, JSON on request; both carry the payload as structured data. */
export function healthReport(health: HostHealth, render: unknown): Record<string, unknown> {
	return report(health, render, () => {
		const { lastFault, notes, name, state, ...rest } = health;
		const fault = lastFault === null ? "no fault" : `last fault ${lastFault.class}: ${lastFault.code}`;
		const summary = `${name} is ${state}, generation ${rest.generation}, ${countText(rest.restartCount, "restart")}, ${fault}`;
		const lines = fieldLines({
			rollout: rest.rollout,
			uptimeMs: rest.uptimeMs,
			consecutiveFailures: rest.consecutiveFailures,
			inFlight: rest.inFlight,
			waiting: rest.waiting,
			breaker: rest.breaker,
			quarantined: rest.quarantined,
			lastFault: lastFault === null ? undefined : lastFault.detail,
		});
		const remarks = notes.map((text) => ({ level: "note", code: "host", text }) as const);
		return porcelain(summary, [...lines, ...noteLines(remarks)]);
	});
}

export function telemetryReport(name: string, telemetry: TelemetrySnapshot, render: unknown): Record<string, unknown> {
	return report(telemetry, render, () => {
		const { totals, methods, restartFault } = telemetry;
		const summary =
			`${name}: ${countText(totals.requests, "request")}, ${totals.successes} ok, ${countText(totals.errors, "error")}, ` +
			`${totals.cancelled} cancelled, ${totals.inFlight} in flight, ${countText(totals.retries, "retry", "retries")}`;
		const rows = methods.map((one) => [
			one.method,
			one.requests,
			one.errors,
			one.retries,
			one.latency.p50Ms.toFixed(1),
			one.latency.p99Ms.toFixed(1),
		]);
		const fault = restartFault === null ? [] : [`last restart: ${restartFault.class}: ${restartFault.code}`];
		return porcelain(summary, [
			...tableLines(["method", "calls", "errors", "retries", "p50 ms", "p99 ms"], rows),
			...fault,
		]);
	});
}

function report(
	payload: HostHealth | TelemetrySnapshot,
	render: unknown,
	lines: () => string,
): Record<string, unknown> {
	const mode = selectRenderMode(render);
	if (!mode.ok) return { content: [{ type: "text", text: normalizeMessage(mode.error) }], isError: true };
	const text = mode.value === "json" ? JSON.stringify(payload) : lines();
	return { content: [{ type: "text", text }], structuredContent: payload };
}
