import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Scenario = {
	readonly name: string;
	readonly passed: number;
	readonly failed: number;
	readonly warnings: number;
};
export type Conformance = {
	readonly exitCode: number | null;
	readonly scenarios: readonly Scenario[];
	readonly output: string;
};

const SUITE = join(
	dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
	"dist",
	"index.js",
);

/** Runs the official suite's frozen requirements of one revision against a server. */
export function conformance(url: string, revision: string): Promise<Conformance> {
	return runSuite(["server", "--url", url, "--requirements", revision]);
}

/** The same for a client: the suite starts the command for each scenario, with the address of its own server. */
export function clientConformance(command: string, revision: string): Promise<Conformance> {
	// The suite starts a client for every scenario at once; on a small machine each waits for the others.
	return runSuite(["client", "--command", command, "--requirements", revision, "--timeout", "180000"]);
}

/** One scenario with the machine to itself. */
export async function clientScenario(command: string, revision: string, scenario: string): Promise<boolean> {
	const alone = [
		"client",
		"--command",
		command,
		"--scenario",
		scenario,
		"--spec-version",
		revision,
		"--timeout",
		"60000",
	];
	return (await runSuite(alone)).exitCode === 0;
}

function runSuite(args: readonly string[]): Promise<Conformance> {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, [SUITE, ...args], {
			stdio: ["ignore", "pipe", "pipe"],
			cwd: tmpdir(),
			env: process.env,
		});
		let output = "";
		const collect = (chunk: Buffer): void => {
			output += chunk.toString();
		};
		child.stdout.on("data", collect);
		child.stderr.on("data", collect);
		child.once("error", reject);
		child.once("close", (exitCode) => resolve({ exitCode, scenarios: scenariosIn(output), output }));
	});
}

/** One scenario of the suite against a server. */
export async function serverScenario(url: string, scenario: string): Promise<Conformance> {
	return runSuite(["server", "--url", url, "--scenario", scenario]);
}

export const TASK_SCENARIOS = [
	"tasks-lifecycle",
	"tasks-capability-negotiation",
	"tasks-wire-fields",
	"tasks-request-state-removal",
	"tasks-mrtr-input",
	"tasks-request-headers",
	"tasks-dispatch-and-envelope",
	"tasks-required-task-error",
	"tasks-mrtr-composition",
] as const;

/** Names of the scenarios with a failed check, without those of the tasks extension, which need a server of their own. */
export function failures(run: Conformance): readonly string[] {
	return run.scenarios.filter(({ name, failed }) => failed > 0 && !name.startsWith("tasks-")).map(({ name }) => name);
}

/** The scenarios that count towards conformance with the revision. */
export function scored({ scenarios, output }: Conformance): readonly Scenario[] {
	const aside = new Set([...output.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name));
	return scenarios.filter(({ name }) => !aside.has(name));
}

function scenariosIn(output: string): readonly Scenario[] {
	return [...output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed(?:, (\d+) warnings)?$/gm)].map(
		([, name = "", passed, failed, warnings = "0"]) => ({
			name,
			passed: Number(passed),
			failed: Number(failed),
			warnings: Number(warnings),
		}),
	);
}
