import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../../e2e/verifies.ts";
import { clientConformance, clientScenario, type Scenario, scored } from "../../../../libmcp/test/http/conformance.ts";

/** The gateway's connector and the SDK's client in one run of the official suite. `shown`: what its servers look for besides much else. */
export function conformanceCase(revision: string, count: number, shown: readonly string[]): void {
	verifies(
		shown,
		`the gateway's connector fails no scenario of revision ${revision} that the SDK's client passes`,
		async (t) => {
			const ours = await clientConformance(command("connectorClient.ts"), revision);
			const theirs = await clientConformance(command("sdkClient.ts"), revision);
			assert.equal(scored(ours).length, count, ours.output.slice(-3_000));
			assert.equal(scored(theirs).length, count, theirs.output.slice(-3_000));
			const beyondThem = new Set(scored(theirs).filter(isFailed).map(nameOf));
			const failed: string[] = [];
			for (const name of scored(ours).filter(isFailed).map(nameOf)) {
				// The suite runs all at once; what timed out in the crowd is asked again alone.
				if (!(await clientScenario(command("connectorClient.ts"), revision, name))) failed.push(name);
			}
			t.diagnostic(`${revision}: connector ${count - failed.length} of ${count} ${failed.join(" ")}`);
			t.diagnostic(`${revision}: SDK client ${count - beyondThem.size} of ${count} ${[...beyondThem].join(" ")}`);
			assert.deepEqual(
				failed.filter((name) => !beyondThem.has(name)),
				[],
				ours.output.slice(-3_000),
			);
		},
		{ timeout: 600_000 },
	);
}

function command(script: string): string {
	const path = fileURLToPath(new URL(script, import.meta.url));
	return `${process.execPath} --disable-warning=ExperimentalWarning ${path}`;
}

function isFailed({ passed, failed, warnings }: Scenario): boolean {
	return passed === 0 || failed > 0 || warnings > 0;
}

function nameOf({ name }: Scenario): string {
	return name;
}
