import assert from "node:assert/strict";
import { test } from "node:test";
import { findTellingLine } from "../../src/host/worker/stderrTail.ts";

test("the cause of an end is told, not the stack or the notices below it", () => {
	const lines = ["starting", "npm error could not determine executable to run", "    at run (main.js:1:1)", "^^^"];
	const notice = "npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log";
	assert.equal(findTellingLine([...lines, notice, "Node.js v24.0.0"]), lines[1]);
	assert.equal(findTellingLine(["starting", notice]), "starting");
	assert.equal(findTellingLine(["fatal: not a git repository", "cleaning up"]), "fatal: not a git repository");
});

test("what Node adds to a warning or an exception, and the warning itself, is no cause", () => {
	const warned = [
		"(node:17) ExperimentalWarning: SQLite is an experimental feature and might change at any time",
		"(Use `node --trace-warnings ...` to show where the warning was created)",
	];
	assert.equal(findTellingLine(["the port is taken", ...warned]), "the port is taken");
	assert.equal(findTellingLine(warned), undefined);
	const thrown = ["throw new Refusal()", "^", "Refusal { why: 'no licence' }"];
	const hint = "(Use `node --trace-uncaught ...` to show where the exception was thrown)";
	assert.equal(findTellingLine([...thrown, hint, "", "Node.js v24.0.0"]), "Refusal { why: 'no licence' }");
	const unhandled = "(node:9) UnhandledPromiseRejectionWarning: Error: no licence";
	assert.equal(findTellingLine([unhandled, ...warned]), unhandled);
	const deprecated = "(node:9) [DEP0040] DeprecationWarning: The `punycode` module cannot be used for long";
	assert.equal(findTellingLine(["Error: no licence", deprecated]), "Error: no licence");
});
