import { type TestContext, test } from "node:test";

/**
 * A test that shows a requirement holds. The ids end the test's name, which is how
 * `npm run requirements` knows which rows of e2e/requirements.json and e2e/checklist.json a passing run covers.
 */
export function verifies(
	ids: string | readonly string[],
	behaviour: string,
	body: (context: TestContext) => void | Promise<void>,
	options: { timeout?: number; skip?: string | false } = {},
): void {
	void test(`${behaviour} [${[ids].flat().join(" ")}]`, options, body);
}
