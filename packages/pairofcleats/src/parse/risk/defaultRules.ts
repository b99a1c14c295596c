import { DEFAULT_SANITIZERS } from "./defaultSanitizers.ts";
import { DEFAULT_SINKS } from "./defaultSinks.ts";
import { DEFAULT_SOURCES } from "./defaultSources.ts";
import type { RiskRules } from "./rules.ts";

/** The built-in rules, covering the standard libraries and common frameworks of each language family. */
export const DEFAULT_RISK_RULES: RiskRules = {
	sources: DEFAULT_SOURCES,
	sinks: DEFAULT_SINKS,
	sanitizers: DEFAULT_SANITIZERS,
};
