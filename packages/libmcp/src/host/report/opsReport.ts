import { describeNormalizeError, type Normalized, refuse } from "../../normalize/values.ts";
import { renderCount, renderFields, renderNotes, renderTable } from "../../render/lines.ts";
import { type RenderMode, renderPorcelain, selectRenderMode } from "../../render/porcelain.ts";
import { resolvePointer } from "../../replay/jsonPointer.ts";
import type { TelemetrySnapshot } from "../../telemetry/telemetryLedger.ts";
import type { HostHealth } from "./hostHealth.ts";

/** A tool result: short lines by default, JSON on request; both carry the payload as structured data. */
export function reportHealth(health: HostHealth, given: unknown): Record<string, unknown> {
	return report(health, given, () => {
		const { lastFault, notes, name, state, ...rest } = health;
		const fault = lastFault === null ? "no fault" : `last fault ${lastFault.class}: ${lastFault.code}`;
		const summary = `${name} is ${state}, generation ${rest.generation}, ${renderCount(rest.restartCount, "restart")}, ${fault}`;
		const lines = renderFields({
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
		return renderPorcelain(summary, [...lines, ...renderNotes(remarks)]);
	});
}

export function reportTelemetry(name: string, telemetry: TelemetrySnapshot, given: unknown): Record<string, unknown> {
	return report(telemetry, given, () => {
		const { totals, methods, restartFault } = telemetry;
		const summary =
			`${name}: ${renderCount(totals.requests, "request")}, ${totals.successes} ok, ${renderCount(totals.errors, "error")}, ` +
			`${totals.cancelled} cancelled, ${totals.inFlight} in flight, ${renderCount(totals.retries, "retry", "retries")}`;
		const rows = methods.map((one) => [
			one.method,
			one.requests,
			one.errors,
			one.retries,
			one.latency.p50Ms.toFixed(1),
			one.latency.p99Ms.toFixed(1),
		]);
		const fault = restartFault === null ? [] : [`last restart: ${restartFault.class}: ${restartFault.code}`];
		return renderPorcelain(summary, [
			...renderTable(["method", "calls", "errors", "retries", "p50 ms", "p99 ms"], rows),
			...fault,
		]);
	});
}

function report(payload: HostHealth | TelemetrySnapshot, given: unknown, lines: () => string): Record<string, unknown> {
	const mode = modeIn(given);
	if (!mode.ok) return { content: [{ type: "text", text: describeNormalizeError(mode.error) }], isError: true };
	const text = mode.value === "json" ? JSON.stringify(payload) : lines();
	return { content: [{ type: "text", text }], structuredContent: payload };
}

/** An argument that was ignored would let its sender believe that it was heeded. */
function modeIn(given: unknown): Normalized<RenderMode> {
	const others =
		typeof given === "object" && given !== null ? Object.keys(given).filter((name) => name !== "render") : [];
	if (others[0] !== undefined) return refuse("unknown", "arguments", "render only", others[0]);
	return selectRenderMode(resolvePointer(given, "/render"));
}
