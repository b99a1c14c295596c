import { createFault, FAULT_CLASSES, RECOVERY_HINTS, RETRY_ADVICE } from "./fault/fault.ts";
import { createFaultResponse } from "./fault/faultResponse.ts";
import { FAULTS } from "./fault/faultTable.ts";
import { OPS_TOOLS } from "./host/report/opsTools.ts";
import { HTTP_REFUSALS } from "./http/front/refusal.ts";
import { NORMALIZE_ERROR_CODES } from "./normalize/values.ts";
import { RENDER_MODES } from "./render/porcelain.ts";
import { ReplayContracts } from "./replay/decide.ts";
import { EFFECT_META_KEY } from "./replay/effect.ts";
import { PROTOCOL_ERRORS } from "./server/protocol/rpcErrors.ts";
import { HealthBoard, LIFECYCLE_STATES, ROLLOUT_STEPS } from "./telemetry/healthBoard.ts";
import { TELEMETRY_EVENTS } from "./telemetry/record.ts";
import { TelemetryLedger } from "./telemetry/telemetryLedger.ts";
import { INVALID_FRAME } from "./wire/envelope.ts";

/**
 * Everything that others read from the wire, a file or a payload; `npm run contracts` compares it with the frozen copy.
 */
export function contracts(): Record<string, unknown> {
	return {
		"vocabulary.json": {
			replayContracts: ReplayContracts,
			effectMetaKey: EFFECT_META_KEY,
			faultClasses: FAULT_CLASSES,
			recoveryHints: RECOVERY_HINTS,
			retryAdvice: RETRY_ADVICE,
			lifecycleStates: LIFECYCLE_STATES,
			rolloutSteps: ROLLOUT_STEPS,
			telemetryEvents: TELEMETRY_EVENTS,
			renderModes: RENDER_MODES,
			normalizeErrorCodes: NORMALIZE_ERROR_CODES,
		},
		"invalid-frames.json": INVALID_FRAME,
		"server-errors.json": PROTOCOL_ERRORS,
		"http-refusals.json": HTTP_REFUSALS,
		"fault-codes.json": FAULTS,
		"fault-responses.json": Object.fromEntries(
			FAULT_CLASSES.map((kind) => [kind, createFaultResponse(createFault(kind, "example", { detail: "detail" }))]),
		),
		"health.json": new HealthBoard(() => 0).snapshot(),
		"telemetry.json": exampleTelemetry(),
		"ops-tools.json": OPS_TOOLS,
	};
}

function exampleTelemetry(): unknown {
	const ledger = new TelemetryLedger(() => 0);
	ledger.ended(ledger.began("tools/call example"), { kind: "ok" });
	return ledger.snapshot();
}
