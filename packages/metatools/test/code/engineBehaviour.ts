import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { CodeEngine } from "../../src/code/engine.ts";
import { Catalogue, execute } from "./catalogue.ts";

/** What holds of every backend. One that does not pass this is not a code engine. */
export function behavesAsCodeEngine(name: string, make: () => Promise<CodeEngine>): void {
	// Two at once, since many wait for a limit or for a process to start.
	void describe(`code on ${name}`, { concurrency: 2 }, () => {
		let engine: CodeEngine;
		before(async () => {
			engine = await make();
		});
		after(() => engine.close?.());

		void test("gives the value of the last expression", async () => {
			const values = new Map<string, unknown>([
				["1 + 1", 2],
				["const a = [1, 2]; a.map((n) => n * 2)", [2, 4]],
				["({ a: 1 });", { a: 1 }],
				["(1, 2) // two", 2],
				["'x'; function later() {}", "x"],
				["await Promise.resolve('awaited')", "awaited"],
				["const only = 1;", null],
				["", null],
				["undefined", null],
				["if (true) { 1 }", null],
			]);
			for (const [code, value] of values) {
				const result = await execute(engine, code);
				assert.deepEqual([code, result.value, result.error], [code, value, undefined]);
			}
		});

		void test("gives what is returned at the top level", async () => {
			assert.equal((await execute(engine, "if (await 1) return 'early'; 'late'")).value, "early");
		});

		void test("strips the types of TypeScript", async () => {
			const code = "interface P { n: number }\nconst p: P = { n: 3 };\nreturn p.n satisfies number;";
			for (const language of ["typescript", "ts", "TypeScript"])
				assert.equal((await execute(engine, code, { language })).value, 3, language);
			assert.equal((await execute(engine, "1 + 2", { language: "js" })).value, 3);
		});

		void test("types too deep to be read fail the code that has them, and no code after it", async () => {
			const nested = `const a: ${"[".repeat(20_000)}number${"]".repeat(20_000)} = 1`;
			for (let at = 0; at < 3; at++) {
				const { error } = await execute(engine, nested, { language: at === 1 ? "javascript" : "typescript" });
				assert.deepEqual([error?.code, error?.details?.reason], ["execution_failed", "syntax"]);
				if (at !== 1) assert.equal(error?.message, "SyntaxError: the code is nested too deeply to be parsed");
				const next = await execute(engine, "const a: number = 3; a", { language: "typescript" });
				assert.deepEqual([next.value, next.error], [3, undefined]);
			}
		});

		void test("names the languages it has when asked for another", async () => {
			const { error, value } = await execute(engine, "print(1)", { language: "python" });
			assert.equal(value, null);
			assert.equal(error?.code, "validation_input");
			assert.equal(error.message, 'language: expected javascript or typescript, got "python"');
		});

		void test("prints an error once, with the lines of the code that it passed and nothing of the engine's own", async () => {
			const code =
				"const fail = () => { throw new TypeError('bad') };\nconst run = async () => {\n  await tools.test.crash();\n};\ntry { fail() } catch (e) { console.log(e) }\ntry { await run() } catch (e) { console.error(e) }";
			const { stdout, stderr } = await execute(engine, code);
			assert.match(stdout, /^TypeError: bad\n {4}at fail \(code\.js:1\)\n {4}at .*code\.js:5\)?\n$/);
			assert.match(stderr, /^ToolError: .*\n {4}at run \(code\.js:3\)\n {4}at .*code\.js:6\)?\n$/);
		});

		void test("names a limit that was passed, what it expected and what came", async () => {
			const late = await execute(engine, "1", { timeoutMs: 60_001 });
			assert.equal(late.error?.message, "timeout_ms: expected a whole number from 1 to 60000, got 60001");
			const many = await execute(engine, "1", { maxToolCalls: 1_001 });
			assert.equal(many.error?.message, "max_tool_calls: expected a whole number from 0 to 1000, got 1001");
			const long = await execute(engine, " ".repeat(262_145));
			assert.equal(long.error?.message, "code: expected at most 262144 characters, got 262145");
		});

		void test("reports a syntax error with its place in the caller's own code", async () => {
			for (const language of ["javascript", "typescript"]) {
				const { error } = await execute(engine, "const a = 1;\nconst b = ;\n", { language });
				assert.equal(error?.code, "execution_failed");
				assert.match(error.message, /^SyntaxError: /);
				assert.deepEqual(error.details, { reason: "syntax", line: 2, column: 11 });
			}
		});

		void test("refuses code that closes its own wrapper", async () => {
			const { error } = await execute(engine, "}); globalThis.out = 1; (async () => {");
			assert.equal(error?.details?.reason, "syntax");
		});

		void test("reports what was thrown with its line, and keeps what was printed", async () => {
			const { error, stdout, stderr } = await execute(engine, "console.log('before');\nthrow new TypeError('no');");
			assert.deepEqual(
				[error?.code, error?.message, error?.retryable, error?.details?.line],
				["execution_failed", "TypeError: no", false, 2],
			);
			assert.deepEqual([stdout, stderr], ["before\n", ""]);
		});

		void test("tells what failed by line and column of the caller's own code, however it is wrapped", async () => {
			for (const code of [
				"const a = 1; missing(a)",
				"const a = 1; missing(a); let b",
				"  /* in a */\n             missing()",
			]) {
				const { error } = await execute(engine, code);
				const line = code.split("\n").length;
				assert.deepEqual(error?.details, { reason: "exception", line, column: 14 });
			}
		});

		void test("tells what stands behind an error that says little by itself", async () => {
			const message = async (code: string) => (await execute(engine, code)).error?.message;
			assert.match(
				String(await message("await Promise.any([Promise.reject(new TypeError('a')), Promise.reject({ b: 1 })])")),
				/^AggregateError: (?:All promises were rejected; )?because of TypeError: a; because of \{"b":1\}$/,
			);
			assert.equal(
				await message("throw new Error('outer', { cause: new Error('middle', { cause: 'inner' }) })"),
				"Error: outer; because of Error: middle; because of inner",
			);
			assert.match(
				String(await message("const e = new Error('x'); e.cause = e; throw e")),
				/^Error: x(?:; because of Error: x){5}$/,
			);
		});

		void test("separates what is logged from what is warned", async () => {
			const code = "console.log('a', 1, { b: [2] }, null); console.info('c'); console.error('d'); console.warn('e')";
			const { stdout, stderr } = await execute(engine, code);
			assert.deepEqual([stdout, stderr], ['a 1 {"b":[2]} null\nc\n', "d\ne\n"]);
		});

		void test("carries every character both ways", async () => {
			const text = "a\u0000b \u2028 \ud83d\ude00 \u007f é";
			const code = `const { args } = await tools.test.echo({ text: ${JSON.stringify(text)} }); console.log(args.text); args.text`;
			const { value, stdout } = await execute(engine, code);
			assert.deepEqual([value, stdout], [text, `${text}\n`]);
		});

		void test("cuts output that is too long and says so", async () => {
			const { stdout, stderr } = await execute(
				engine,
				"for (let i = 0; i < 400; i++) console.log('x'.repeat(999)); console.error('y'.repeat(70000)); 1",
			);
			assert.ok(stdout.length < 262_144 + 60 && stdout.endsWith("x\n[output truncated at 262144 characters]"));
			assert.ok(stderr.length < 65_536 + 60 && stderr.endsWith("y\n[output truncated at 65536 characters]"));
		});

		void test("refuses a value that is not JSON, too large or too deep", async () => {
			const reasons = ["1n", "const a = {}; a.a = a; a", "'x'.repeat(1048577)"];
			reasons.push("let d = []; for (let i = 0; i < 300; i++) d = [d]; d");
			for (const code of reasons) {
				const { error, value } = await execute(engine, code);
				assert.deepEqual([code, value, error?.details?.reason], [code, null, "value"]);
			}
		});

		void test("gives maps, sets and errors as what is in them, returned, printed or handed to a tool", async () => {
			const held = "{ m: new Map([['a', 1]]), s: new Set([1, 2]), e: new RangeError('far') }";
			const code = `const held = ${held}; console.log(held); [held, (await tools.test.echo(held)).args]`;
			const { value, stdout } = await execute(engine, code);
			const shown = { m: { a: 1 }, s: [1, 2], e: { name: "RangeError", message: "far" } };
			assert.deepEqual([value, JSON.parse(stdout)], [[shown, shown], shown]);
			const settled = await execute(engine, "(await Promise.allSettled([tools.test.fail()]))[0].reason");
			assert.partialDeepStrictEqual(settled.value, {
				name: "ToolError",
				code: "execution_failed",
				message: "it broke",
			});
		});

		void test("gives typed arrays, patterns and iterators as what is in them, too", async () => {
			const held = "{ t: new Uint8Array([1, 2]), r: /a+/g, k: new Map([['b', 1]]).keys(), m: 'aab'.matchAll(/a/g) }";
			const given = { t: [1, 2], r: "/a+/g", k: ["b"], m: [["a"], ["a"]] };
			const { value } = await execute(engine, `[${held}, (await tools.test.echo(${held})).args]`);
			assert.deepEqual(value, [given, given]);
			const printed = await execute(engine, `const v = ${held}; console.log(v); [...v.k]`);
			const left = "[an iterator that was not spread]";
			assert.deepEqual(JSON.parse(printed.stdout), { ...given, k: left, m: left });
			assert.deepEqual(printed.value, ["b"], "what is only shown is not used up");
			assert.equal((await execute(engine, "console.log({ n: 2n ** 70n })")).stdout, '{"n":"1180591620717411303424"}\n');
		});

		void test("tells code what a failed tool said, as far as it can take it, and keeps only what is short", async () => {
			for (const [length, told] of [
				[1_000, 1_000],
				[5_000_000, null],
			]) {
				const failed = `await tools.test.fail({ length: ${length} }).catch((error) => error)`;
				const code = `const { code, details } = ${failed}; [code, details.hint, details.said?.length]`;
				const { value, toolCalls } = await execute(engine, code);
				assert.deepEqual(value, ["execution_failed", "glue", told]);
				assert.deepEqual(toolCalls[0]?.error?.details, { hint: "glue" });
			}
		});

		void test("says so where code forgot to await or to call", async () => {
			const { error } = await execute(engine, "return { sum: tools.math.add({ a: 1, b: 2 }) }");
			assert.equal(error?.message, "The value cannot be sent as JSON: a promise that was not awaited");
			const uncalled = await execute(engine, "const main = async () => 1; main");
			assert.equal(uncalled.error?.message, "The value cannot be sent as JSON: a function that was not called");
			const handed = "tools.test.echo({ text: tools.ping() }).catch((e) => e.message)";
			assert.equal((await execute(engine, handed)).value, "a promise that was not awaited");
			const printed = await execute(engine, "console.log({ p: Promise.resolve(1) })");
			assert.equal(printed.stdout, '{"p":"[a promise that was not awaited]"}\n');
		});

		void test("tells of a promise that failed and was not awaited, with its place in the code", async () => {
			const fail = "const fail = async () => { throw new TypeError('lost') };\n";
			const told = /^a promise failed, which the code did not await \(line 1, column \d+\): TypeError: lost$/;
			for (const lost of [
				"fail(); 'kept'",
				"void fail(); await null; 'kept'",
				"(async () => { await null; await null; await fail() })(); 'kept'",
				"if (true) fail()\nelse fail()\nreturn 'kept'",
				"[1].forEach(async () => { await fail() }); 'kept'",
				"setTimeout(async () => { await fail() }, 1); await new Promise((done) => setTimeout(done, 50)); 'kept'",
				"const later = () => { fail() }; later(); 'kept'",
				"fail().then(() => 1); 'kept'",
				"const unused = fail(); 'kept'",
			]) {
				const { value, warning, error } = await execute(engine, fail + lost);
				assert.deepEqual([lost, value, error], [lost, "kept", undefined]);
				assert.match(lines(warning), told, lost);
			}
		});

		void test("tells of what failed unseen also when the code fails, or waits in vain for it", async () => {
			const thrown = await execute(engine, "(async () => { throw new Error('first') })(); throw new Error('second')");
			assert.match(lines(thrown.warning), /: Error: first$/);
			assert.equal(thrown.error?.message, "Error: second");
			const stalled = await execute(
				engine,
				"(async () => { throw new Error('first') })(); await new Promise(() => {})",
			);
			assert.match(lines(stalled.warning), /: Error: first$/);
			assert.equal(stalled.error?.details?.reason, "stalled");
		});

		void test("tells of at most five such promises, and of none that was awaited or caught", async () => {
			const many = await execute(
				engine,
				"const no = async (n) => { throw n };\nfor (let n = 0; n < 9; n++) no(n);\n'kept'",
			);
			assert.deepEqual(lines(many.warning).match(/\d$/gm), ["0", "1", "2", "3", "4"]);
			for (const fine of [
				"await fail().catch(() => 1)",
				"fail().catch(() => 1); 1",
				"const p = fail(); await p.catch(() => 1)",
				"try { await fail() } catch {} 1",
				"(await Promise.allSettled([fail()])).length",
				"[1].forEach(async () => { try { await fail() } catch {} }); 1",
			]) {
				const { value, warning } = await execute(
					engine,
					`const fail = async () => { throw new Error('seen') };\n${fine}`,
				);
				assert.deepEqual([fine, value, lines(warning)], [fine, 1, ""]);
			}
		});

		void test("calls no tool once the code has ended", async () => {
			const tools = new Catalogue();
			const code = "(async () => { for (let n = 0; n < 10; n++) await null; await tools.ping() })(); 'done'";
			const { value, toolCalls } = await execute(engine, code, { tools });
			assert.deepEqual([value, toolCalls, tools.calls], ["done", [], []]);
		});

		void test("lets code wait, give up waiting, and fail later", async () => {
			const wait = "const at = Date.now(); await new Promise((done) => setTimeout(done, 300)); Date.now() - at";
			const waited = (await execute(engine, wait)).value;
			assert.ok(typeof waited === "number" && waited >= 295, `waited ${JSON.stringify(waited)} ms`);
			const race = `const late = new Promise((_, no) => setTimeout(no, 100, new Error("late")));
			return Promise.race([tools.test.wait({ ms: 60000 }), late]).catch((e) => e.message)`;
			assert.equal((await execute(engine, race)).value, "late");
			const cleared =
				"const t = setTimeout(() => { throw new Error('no') }, 50); clearTimeout(t); await tools.test.wait({ ms: 200 }); 'kept'";
			assert.equal((await execute(engine, cleared)).value, "kept");
			const thrown = await execute(
				engine,
				"setTimeout(() => { throw new Error('later') }, 50);\nawait tools.test.wait({ ms: 60000 })",
			);
			assert.deepEqual([thrown.error?.message, thrown.error?.details?.line], ["Error: later", 1]);
			const past = await execute(engine, "await new Promise((done) => setTimeout(done, 60000))", { timeoutMs: 2_500 });
			assert.equal(past.error?.code, "timeout");
		});

		void test("tells code that imports what there is instead", async () => {
			for (const language of ["javascript", "typescript"]) {
				const { error } = await execute(engine, "import fs from 'node:fs';\nfs", { language });
				assert.equal(
					error?.message,
					"SyntaxError: nothing can be imported or exported; besides the language itself there are tools, console, progress and setTimeout: no modules, files or network",
				);
			}
		});

		void test("takes code with types for TypeScript, whatever it is called", async () => {
			assert.equal((await execute(engine, "const n: number = 3; n as number")).value, 3);
			assert.equal((await execute(engine, "const n: = 3;")).error?.details?.reason, "syntax");
		});

		void test("calls tools by namespace and name, by identifier spelling and by id", async () => {
			const tools = new Catalogue();
			const code = `return [
				await tools.math.add({ a: 1, b: 2 }),
				(await tools.my_server.get_it({ q: 1 })).id,
				(await tools.mcp.github.issue()).id,
				(await tools.mcp_github.issue()).id,
				(await tools["mcp.github"].issue()).id,
				(await tools.ping({})).id,
				await tools.call("math:add", { a: 2, b: 2 }),
			]`;
			const { value, toolCalls, error } = await execute(engine, code, { tools });
			assert.equal(error, undefined);
			const github = "mcp.github:issue";
			assert.deepEqual(value, [{ sum: 3 }, "my-server:get.it", github, github, github, "ping", { sum: 4 }]);
			assert.deepEqual(
				toolCalls.map(({ tool_id, ok }) => [tool_id, ok]),
				tools.calls.map(({ id }) => [id, true]),
			);
		});

		void test("calls no tool when tools are printed, awaited or serialised", async () => {
			const code =
				"console.log(tools, tools.math); await tools; await tools.math; JSON.stringify([tools, tools.math.add])";
			const { value, stdout, toolCalls, error } = await execute(engine, code);
			assert.deepEqual(
				[value, stdout, toolCalls, error],
				['["[tools]","[tools]"]', '"[tools]" [tools]\n', [], undefined],
			);
		});

		void test("leaves a turn to others between two calls, however many are made at once", async () => {
			let turn = 0;
			let isDone: boolean = false;
			const tick = (): void => {
				turn += 1;
				if (!isDone) setImmediate(tick);
			};
			tick();
			const tools = new Catalogue();
			const turns: number[] = [];
			const call = tools.call.bind(tools);
			tools.call = (...given) => {
				turns.push(turn);
				return call(...given);
			};
			const code = "(await Promise.all(Array.from({ length: 50 }, () => tools.ping()))).length";
			const { value } = await execute(engine, code, { tools });
			isDone = true;
			assert.deepEqual([value, new Set(turns).size], [50, 50]);
		});

		void test("refuses a path that fits two tools", async () => {
			const { value } = await execute(engine, "tools.twin_a.x().catch((e) => [e.code, e.message])");
			assert.deepEqual(value, [
				"tool_not_found",
				"tools.twin_a.x fits twin-a:x and twin.a:x; use tools.call with one of these ids.",
			]);
		});

		void test("tells code that looks for a result around a tool's value that there is none", async () => {
			const said = async (code: string) => (await execute(engine, code)).error?.message ?? "";
			const hint =
				/^TypeError: .*; a call of a tool gives the value itself, with no content or structuredContent around it$/;
			for (const path of ["content[0].text", "structuredContent.id", "result.content[0]"])
				assert.match(await said(`const got = await tools.ping();\ngot.${path}`), hint);
			assert.match(await said("(await tools.ping())\n.content[0].text"), hint);
			assert.doesNotMatch(await said("const got = {};\ngot.content[0].text"), /around it/, "no tool was called");
			assert.doesNotMatch(await said("const got = await tools.ping();\ngot.args.q.text"), /around it/);
		});

		void test("searches and describes the catalogue", async () => {
			const code = "[await tools.search('add'), await tools.search('', 1), await tools.describe('math:add')]";
			const { value, toolCalls } = await execute(engine, code);
			const add = { id: "math:add", name: "add", namespace: "math" };
			assert.deepEqual(value, [[add], [add], { summary: "about math:add" }]);
			assert.deepEqual(toolCalls, []);
		});

		void test("throws a tool's failure inside with its code, message and details", async () => {
			const code =
				"try { await tools.test.fail() } catch (e) { return [e instanceof Error, e.name, e.code, e.message, e.details] }";
			const { value, toolCalls } = await execute(engine, code);
			assert.deepEqual(value, [true, "ToolError", "execution_failed", "it broke", { hint: "glue" }]);
			assert.equal(toolCalls[0]?.ok, false);
			assert.equal(toolCalls[0].error?.code, "execution_failed");
		});

		void test("names the tool and the line of a failure that the code does not catch", async () => {
			const { error } = await execute(engine, "const a = 1;\nawait tools.test.echo({});\nawait tools.test.fail();");
			assert.equal(error?.message, "ToolError: it broke");
			assert.equal(error.tool_id, "test:fail");
			assert.equal(error.details?.line, 3);
		});

		void test("counts a result that is too large for code as a failure of its call", async () => {
			const { error, toolCalls } = await execute(engine, "await tools.test.big({ length: 4_194_304 })");
			const message = "The tool has run, but its result is 4194306 characters of JSON; code can take at most 4194304.";
			assert.equal(error?.message, `ToolError: ${message}`);
			assert.equal(error.tool_id, "test:big");
			assert.deepEqual([toolCalls[0]?.ok, toolCalls[0]?.error?.message], [false, message]);
		});

		void test("tells the code nothing of a defect of the host", async () => {
			const { value } = await execute(
				engine,
				"tools.test.crash().catch((e) => JSON.stringify([e.code, e.message, e.stack]))",
			);
			assert.match(String(value), /^\["internal"/);
			assert.doesNotMatch(String(value), /secret/);
		});

		void test("refuses arguments that are not an object, not JSON or too large", async () => {
			const code = `const tried = [];
			for (const args of [1, [1], "text", 1n, "x".repeat(1048577)])
				await tools.test.echo(args).catch((e) => tried.push(e.code ?? e.name));
			return tried`;
			const { value, toolCalls } = await execute(engine, code);
			const refused = "validation_input";
			assert.deepEqual(value, [refused, refused, refused, "TypeError", refused]);
			assert.deepEqual(
				toolCalls.map(({ tool_id, ok }) => [tool_id, ok]),
				Array(4).fill(["test:echo", false]),
			);
		});

		void test("refuses a second argument, which a tool would never see, but takes a tool as the callback of map", async () => {
			const said = async (call: string) => (await execute(engine, `${call}.catch((e) => e.message)`)).value;
			const refused = (id: string) =>
				`The arguments of ${id}: expected one object that holds them all, got 2 arguments.`;
			assert.equal(await said("tools.test.echo({ a: 1 }, { b: 2 })"), refused("test:echo"));
			assert.equal(await said("tools.call('ping', { a: 1 }, 'b')"), refused("ping"));
			const tools = new Catalogue();
			await execute(engine, "await Promise.all([{ a: 1 }, { a: 2 }].map(tools.test.echo))", { tools });
			await execute(engine, "await tools.test.echo({ a: 3 }, undefined)", { tools });
			assert.deepEqual(
				tools.calls.map(({ args }) => args),
				[{ a: 1 }, { a: 2 }, { a: 3 }],
			);
		});

		void test("records a call whose arguments are too large or nest too deep like any other that is refused", async () => {
			const tools = new Catalogue();
			const code = `let deep = {};
			for (let level = 0; level < 300; level++) deep = { deep };
			const told = [], searched = [];
			for (const args of [{ text: "x".repeat(1048577) }, deep]) {
				await tools.my_server.get_it(args).catch((e) => told.push(e.message));
				await tools.call("test:echo", args).catch((e) => told.push(e.message));
				await tools.search("add", args).catch((e) => searched.push(e.message));
			}
			await tools.call(deep).catch((e) => told.push(e.message));
			return { told, searched }`;
			const { value, toolCalls } = await execute(engine, code, { tools });
			const { told, searched } = Object(value);
			const large = /^The arguments are 1048\d{3} characters of JSON; at most 1048576 can be sent\.$/;
			const deep = /^The arguments are too large, or nested more than 256 levels deep\.$/;
			for (const [at, says] of [large, large, deep, deep, /^The id of tools\.call: expected a tool id/].entries())
				assert.match(String(told[at]), says);
			for (const [at, says] of [large, deep].entries()) assert.match(String(searched[at]), says);
			const ids = ["my-server:get.it", "test:echo", "my-server:get.it", "test:echo", "object"];
			assert.deepEqual(
				toolCalls.map(({ tool_id, ok, error }) => [tool_id, ok, error?.message]),
				ids.map((id, at) => [id, false, told[at]]),
			);
			assert.deepEqual(tools.calls, []);
		});

		void test("runs the calls of Promise.all at the same time", async () => {
			const tools = new Catalogue();
			const code = "(await Promise.all([1, 2, 3, 4, 5].map(() => tools.test.wait({ ms: 300 })))).length";
			assert.equal((await execute(engine, code, { tools })).value, 5);
			assert.equal(tools.mostAtOnce, 5);
		});

		void test("says how tools are found to code that wants to list them", async () => {
			for (const code of ["Object.keys(tools)", "for (const name in tools.math) name", "({ ...tools })"]) {
				const { error } = await execute(engine, code);
				assert.equal(error?.message, "Error: tools cannot be listed; await tools.search(query) finds them", code);
			}
			assert.equal((await execute(engine, "console.log(tools, tools.math); 'tools' in globalThis")).value, true);
		});

		void test("makes no more calls than the budget allows", async () => {
			const tools = new Catalogue();
			const code = `let refused = 0;
			await Promise.all(Array.from({ length: 8 }, () => tools.ping().catch((e) => { refused += e.code === "validation_input" && e.message === "This run may make 3 tool calls." })));
			return refused`;
			const { value, toolCalls } = await execute(engine, code, { tools, maxToolCalls: 3 });
			assert.deepEqual([value, toolCalls.length, tools.calls.length], [5, 3, 3]);
		});

		void test("passes progress on, increasing only", async () => {
			const tools = new Catalogue();
			const code =
				"progress(1, 3, 'one'); await tools.test.wait({ ms: 250 }); progress(1, 3, 'again'); progress('x'); progress(3, 3)";
			await execute(engine, code, { tools });
			assert.deepEqual(tools.progressed, [
				{ progress: 1, total: 3, message: "one" },
				{ progress: 3, total: 3 },
			]);
		});

		void test("ends at the deadline with what was printed and called, and aborts what is outstanding", async () => {
			const tools = new Catalogue();
			const code = "console.log('so far'); await tools.math.add({ a: 1, b: 1 }); await tools.test.wait({ ms: 60000 })";
			const { error, stdout, toolCalls, value } = await execute(engine, code, { tools, timeoutMs: 2_500 });
			assert.deepEqual([error?.code, stdout, value], ["timeout", "so far\n", null]);
			assert.equal(
				error?.message,
				"The code ran past its deadline of 2500 ms; timeout_ms gives it up to 60000. Not answered by then: test:wait.",
			);
			assert.deepEqual(
				toolCalls.map(({ tool_id, ok, error }) => [tool_id, ok, error?.code]),
				[
					["math:add", true, undefined],
					["test:wait", false, "cancelled"],
				],
			);
			assert.equal(tools.aborted, 1);
		});

		void test("stops code that only computes", async () => {
			const { error, stdout } = await execute(engine, "console.log('spin'); for (;;);", { timeoutMs: 2_500 });
			assert.deepEqual([error?.code, stdout], ["timeout", "spin\n"]);
		});

		void test("stops when the caller cancels, computing or waiting", async () => {
			for (const rest of ["for (;;);", "await tools.test.wait({ ms: 60000 })"]) {
				const tools = new Catalogue();
				const controller = new AbortController();
				const code = `console.log('seen'); await tools.ping(); ${rest}`;
				const running = execute(engine, code, { tools, signal: controller.signal, timeoutMs: 60_000 });
				await Promise.race([running, tools.called()]);
				await delay(300);
				controller.abort();
				const { error, stdout, toolCalls } = await running;
				assert.deepEqual([error?.code, stdout, toolCalls[0]?.tool_id], ["cancelled", "seen\n", "ping"]);
			}
		});

		void test("does nothing for a caller that has cancelled already", async () => {
			const tools = new Catalogue();
			const { error } = await execute(engine, "await tools.ping()", { tools, signal: AbortSignal.abort() });
			assert.equal(error?.code, "cancelled");
			assert.deepEqual(tools.calls, []);
		});

		void test("aborts the calls nobody waits for when the code has ended", async () => {
			const tools = new Catalogue();
			const { value, toolCalls } = await execute(engine, "void tools.test.wait({ ms: 60000 }); 'done'", { tools });
			assert.deepEqual([value, toolCalls[0]?.ok, tools.aborted], ["done", false, 1]);
		});

		void test("sees that code waits for what can never come", async () => {
			const { error } = await execute(engine, "await new Promise(() => {})");
			assert.equal(error?.details?.reason, "stalled");
		});

		void test("bounds the memory of the code", async () => {
			const code = "const kept = []; for (;;) kept.push({ text: 'x'.repeat(100000) + kept.length, more: [1.5, 2.5] })";
			const { error } = await execute(engine, code, { timeoutMs: 60_000 });
			assert.deepEqual([error?.code, error?.details?.reason], ["execution_failed", "memory"]);
		});

		void test("keeps runs apart", async () => {
			await execute(engine, "globalThis.left = 1; Object.prototype.left = 2; Array.prototype.map = null; 0");
			assert.deepEqual((await execute(engine, "[typeof left, ({}).left, [1].map((n) => n)]")).value, [
				"undefined",
				null,
				[1],
			]);
		});

		void test("runs several at once", async () => {
			const runs = Array.from({ length: 6 }, (_, n) =>
				execute(engine, `(await tools.math.add({ a: ${n}, b: 1 })).sum`),
			);
			assert.deepEqual(
				(await Promise.all(runs)).map(({ value }) => value),
				[1, 2, 3, 4, 5, 6],
			);
		});
	});
}

/** What is warned of this run alone, and not of the engine. */
function lines(warning = ""): string {
	return warning
		.split("\n")
		.filter((line) => line.startsWith("a promise failed"))
		.join("\n");
}
