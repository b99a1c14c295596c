import { COMPILED_SINKS } from "./compiledSinks.ts";
import type { RiskSink } from "./rules.ts";
import { SCRIPT_SINKS } from "./scriptSinks.ts";

export const DEFAULT_SINKS: readonly RiskSink[] = [...SCRIPT_SINKS, ...COMPILED_SINKS];
