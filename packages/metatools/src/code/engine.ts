export type { CodeEngine, CodeRequest, CodeResult, CodeToolCall, CodeTools } from "../contract/codeEngine.ts";

export const codeLanguages = ["javascript", "typescript"] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

const SHORT_NAMES: ReadonlyMap<string, CodeLanguage> = new Map([
	["js", "javascript"],
	["ts", "typescript"],
]);

/** Recognises the language that a caller names; undefined if it is not supported. */
export function readCodeLanguage(name: string): CodeLanguage | undefined {
	const lower = name.toLowerCase();
	return SHORT_NAMES.get(lower) ?? codeLanguages.find((language) => language === lower);
}

/** What one run may use, on every backend. Sizes are in bytes of memory or in UTF-16 units of text. */
export type CodeLimits = {
	readonly maxTimeoutMs: number;
	readonly maxToolCalls: number;
	readonly maxLookups: number;
	readonly maxCodeLength: number;
	readonly maxArgumentsLength: number;
	readonly maxResultLength: number;
	readonly maxValueLength: number;
	readonly maxStdoutLength: number;
	readonly maxStderrLength: number;
	readonly maxJsonDepth: number;
	readonly memoryBytes: number;
	readonly cpuMs: number;
	readonly stopGraceMs: number;
};

/** The default limits. */
export const defaultLimits: CodeLimits = {
	maxTimeoutMs: 60_000,
	maxToolCalls: 1_000,
	maxLookups: 1_000,
	maxCodeLength: 262_144,
	maxArgumentsLength: 1_048_576,
	maxResultLength: 4_194_304,
	maxValueLength: 1_048_576,
	maxStdoutLength: 262_144,
	maxStderrLength: 65_536,
	maxJsonDepth: 256,
	memoryBytes: 67_108_864,
	cpuMs: 20_000,
	stopGraceMs: 250,
};

/** How far a run has come: it waits for a sandbox, which then parses its code, which then runs. */
export type RunStage = "waiting" | "parsing" | "running";

/** What a run is told whose deadline passes at this stage. */
export function describeDeadline(stage: RunStage, timeoutMs: number): string {
	return `${DEADLINE_TEXTS[stage](timeoutMs)}${longerThan(timeoutMs)}.`;
}

const DEADLINE_TEXTS: Readonly<Record<RunStage, (timeoutMs: number) => string>> = {
	waiting: (timeoutMs) => `No sandbox was ready within ${timeoutMs} ms, so the code did not run`,
	parsing: (timeoutMs) => `The code was not parsed within ${timeoutMs} ms, so it did not run`,
	running: (timeoutMs) => `The code ran past its deadline of ${timeoutMs} ms`,
};

function longerThan(timeoutMs: number): string {
	const { maxTimeoutMs } = defaultLimits;
	return timeoutMs < maxTimeoutMs ? `; timeout_ms gives it up to ${maxTimeoutMs}` : "";
}

/** With a larger stack, deep recursion would overflow the host's own stack first, which is not a clean error. */
export const guestStackBytes = 262_144;
