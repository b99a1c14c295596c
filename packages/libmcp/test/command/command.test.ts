import assert from "node:assert/strict";
import { test } from "node:test";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { describeOptionProblem, takeOwnWords } from "../../src/command/arguments.ts";
import { createCommandFailure, failureText } from "../../src/command/commandFailure.ts";
import { findNearest } from "../../src/command/nearest.ts";
import { hasColour, paintText } from "../../src/command/terminal.ts";

test("a failure names the field that its message is about, whatever stands before and after it", () => {
	for (const [message, field] of [
		["--port: expected a port from 0 to 65535, got x", "--port"],
		['"files": expected options only', "files"],
		["/etc/my.json: mcpServers.a.url: expected an address, got 1", "mcpServers.a.url"],
		["C:\\my.json: port: expected a number, got x", "port"],
		['no command "statsu"; did you mean status?', "statsu"],
		["no option --wtach; did you mean --watch?", "--wtach"],
		["two words: expected one", undefined],
		["the disk is full", undefined],
		["it was not as expected: x", undefined],
	] as const) {
		const { ok, error } = createCommandFailure("usage", message);
		assert.equal(ok, false);
		assert.deepEqual(error, field === undefined ? { code: "usage", message } : { code: "usage", message, field });
	}
	assert.deepEqual(createCommandFailure("failed", "a: expected b", { field: "c", retryable: true }), {
		ok: false,
		error: { code: "failed", message: "a: expected b", field: "c", retryable: true },
	});
});

test("what is wrong with an option is said in our words, not the platform's", () => {
	const says = (...args: string[]) => {
		try {
			parseArgs({
				args,
				options: { port: { type: "string", short: "p" }, bare: { type: "boolean", short: "b" } },
				strict: true,
			});
			return undefined;
		} catch (error) {
			return describeOptionProblem(error, args, ["port", "bare"], "--help lists them");
		}
	};
	assert.equal(says("--frob=1"), "no option --frob; --help lists them");
	assert.equal(says("--prot=1"), "no option --prot; did you mean --port?");
	assert.equal(says("-x"), "no option -x; --help lists them");
	assert.equal(says("-b=1"), "no option -b=1; --help lists them");
	assert.equal(says("-=1"), "no option -=1; --help lists them");
	assert.equal(says("--port"), "--port: expected a value, got nothing");
	assert.equal(says("--bare=yes"), "--bare: expected no value");
	assert.equal(
		says("--port", "-1"),
		"--port: expected a value, got -1; one that begins with a dash is written --port=-…",
	);
	assert.equal(says("-p", "-1"), "-p: expected a value, got -1; one that begins with a dash is written -p-…");
	assert.equal(says("-p"), "--port: expected a value, got nothing");
	assert.match(says("word") ?? "", /word/);
});

test("a name with one letter wrong is found, and one that is nothing like any is not", () => {
	const names = ["up", "install", "doctor", "rollout", "status", "--port", "--contract"];
	fc.assert(
		fc.property(fc.constantFrom(...names.slice(1)), fc.nat(), fc.constantFrom("x", ""), (name, at, letter) => {
			const place = at % name.length;
			const wrong = name.slice(0, place) + letter + name.slice(place + 1);
			assert.equal(findNearest(wrong, names), name);
		}),
	);
	assert.equal(findNearest("--typ", ["--top", "--type"]), "--type", "of equally close names, the one that it begins");
	assert.equal(findNearest("zzzzzz", names), undefined);
	assert.equal(findNearest("--nope", ["--code"]), undefined, "its dashes are no likeness");
	assert.equal(findNearest("anything", []), undefined);
});

test("of several names that could be meant the closest is suggested, wherever it stands", () => {
	const names = ["set_customer_records", "get_customer_records", "get_customer_record", "get_customer_recordings"];
	for (const order of [names, names.toReversed()]) {
		assert.equal(findNearest("get_customer_recrd", order), "get_customer_record");
		assert.equal(findNearest("get_cutsomer_recrods", order), "get_customer_records", "letters that changed places");
		assert.equal(findNearest("get_records", order), undefined, "too many letters are missing");
		assert.equal(findNearest("t_customer_recordings_all", order), "get_customer_recordings");
	}
});

test("a word that other tools use for the same thing suggests the name, unless it could be several", () => {
	assert.equal(findNearest("limit", ["query", "top", "mode"]), "top");
	assert.equal(findNearest("--limit", ["--top", "--mode"]), "--top");
	assert.equal(findNearest("arguments", ["tool_id", "args"]), "args");
	assert.equal(findNearest("finding", ["repoPath", "recordId", "outPath"]), "recordId");
	assert.equal(findNearest("count", ["max", "top"]), undefined);
});

test("a failure with a megabyte of blanks is told in one line", () => {
	const blanks = " ".repeat(1_000_000);
	assert.equal(failureText(new Error(`a${blanks}b \n\n c`)), `a${blanks}b c`);
});

test("a failure of the system is told in a line that names the file", () => {
	assert.equal(failureText(new Error("ENOSPC: no space left on device, write")), "no space left on device (ENOSPC)");
	assert.equal(
		failureText(new Error("ENOTDIR: not a directory, open '/it's/x.json'")),
		"/it's/x.json: not a directory (ENOTDIR)",
	);
	assert.equal(
		failureText(new Error("EACCES: permission denied, rename '/a' -> '/b'")),
		"/a: permission denied (EACCES)",
	);
	assert.equal(failureText(new Error("two\n  lines")), "two lines");
	assert.equal(failureText("no error"), "no error");
});

test("a terminal takes colour unless it cannot or must not, and anything else takes it only when told to", (t) => {
	const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
	t.after(() => setEnvironment({ NO_COLOR, FORCE_COLOR, TERM }));
	const stream = (isTTY: boolean) => ({ isTTY }) as NodeJS.WriteStream;
	for (const [environment, terminal, pipe] of [
		[{}, true, false],
		[{ NO_COLOR: "" }, true, false],
		[{ NO_COLOR: "1" }, false, false],
		[{ TERM: "dumb" }, false, false],
		[{ FORCE_COLOR: "1" }, true, true],
		[{ FORCE_COLOR: "0" }, true, false],
		[{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, false],
	] as const) {
		setEnvironment(environment);
		assert.deepEqual([hasColour(stream(true)), hasColour(stream(false))], [terminal, pipe]);
	}
	setEnvironment({});
	assert.equal(paintText("green", "ok", stream(true)), "\u001b[32mok\u001b[0m");
	assert.equal(paintText("green", "ok", stream(false)), "ok");
});

function setEnvironment(given: NodeJS.ProcessEnv): void {
	for (const name of ["NO_COLOR", "FORCE_COLOR", "TERM"]) {
		delete process.env[name];
		if (given[name] !== undefined) process.env[name] = given[name];
	}
}

test("a command's own words end where two dashes stand alone", () => {
	assert.deepEqual(takeOwnWords(["a", "--json"]), ["a", "--json"]);
	assert.deepEqual(takeOwnWords(["a", "--", "--json"]), ["a"]);
});
