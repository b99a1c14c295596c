import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { clientConformance, clientScenario } from "../../../libmcp/test/http/conformance.ts";

const CLIENT = fileURLToPath(new URL("./conformanceClient.ts", import.meta.url));
const AUTH = [
	"metadata-default",
	"metadata-var1",
	"metadata-var2",
	"metadata-var3",
	"scope-from-www-authenticate",
	"scope-from-scopes-supported",
	"scope-omitted-when-undefined",
	"token-endpoint-auth-basic",
	"token-endpoint-auth-post",
	"token-endpoint-auth-none",
	"pre-registration",
].map((name) => `auth/${name}`);
const NEWER = [
	"resource-mismatch",
	"offline-access-scope",
	"offline-access-not-supported",
	"iss-supported",
	"iss-not-advertised",
	"iss-supported-missing",
	"iss-wrong-issuer",
	"iss-unexpected",
	"iss-normalized",
	"metadata-issuer-mismatch",
].map((name) => `auth/${name}`);

/** What a connector that calls tools for others can pass: no elicitation of its own, no client of another kind. */
const PASSING: Readonly<Record<string, readonly string[]>> = {
	"2025-11-25": ["initialize", "tools_call", "sse-retry", ...AUTH],
	"2026-07-28": [
		"tools_call",
		"request-metadata",
		"http-standard-headers",
		"json-schema-ref-no-deref",
		...AUTH,
		...NEWER,
	],
};

for (const [revision, expected] of Object.entries(PASSING)) {
	test(`the gateway's connector passes the suite's client scenarios of revision ${revision}`, {
		timeout: 300_000,
	}, async () => {
		const command = `${process.execPath} --disable-warning=ExperimentalWarning ${CLIENT}`;
		const run = await clientConformance(command, revision);
		const passed = new Set(
			run.scenarios.filter(({ passed, failed }) => passed > 0 && failed === 0).map(({ name }) => name),
		);
		const missing: string[] = [];
		for (const name of expected.filter((name) => !passed.has(name))) {
			// The suite runs all at once; what timed out in the crowd is asked again alone.
			if (!(await clientScenario(command, revision, name))) missing.push(name);
		}
		assert.deepEqual(missing, [], run.output.slice(-3_000));
	});
}
