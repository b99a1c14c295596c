import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { verifies } from "../../../../../e2e/verifies.ts";
import { clientConformance, clientScenario, type Scenario, scored } from "../../../../libmcp/test/http/conformance.ts";

const CLIENT = fileURLToPath(new URL("connectorClient.ts", import.meta.url));
const COMMAND = `${process.execPath} --disable-warning=ExperimentalWarning ${CLIENT}`;

/** The gateway's connector in the official suite. `shown`: what its servers look for besides much else. */
export function conformanceCase(revision: string, count: number, shown: readonly string[]): void {
	verifies(
		shown,
		`the gateway's connector passes every scenario of revision ${revision}`,
		async () => {
			const run = await clientConformance(COMMAND, revision);
			assert.equal(scored(run).length, count, run.output.slice(-3_000));
			const failed: string[] = [];
			for (const { name } of scored(run).filter(isFailed)) {
				// The suite runs all at once; what timed out in the crowd is asked again alone.
				if (!(await clientScenario(COMMAND, revision, name))) failed.push(name);
			}
			assert.deepEqual(failed, [], run.output.slice(-3_000));
		},
		{ timeout: 600_000 },
	);
}

function isFailed({ passed, failed, warnings }: Scenario): boolean {
	return passed === 0 || failed > 0 || warnings > 0;
}
