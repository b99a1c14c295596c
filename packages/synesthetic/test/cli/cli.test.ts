import "../../../../scripts/withoutColour.ts";
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { folder } from "../folder.ts";
import { sampleFolder } from "../server/sample.ts";
import { COMMAND } from "../server/stdioClient.ts";

const EXAMPLES = "libs/synesthetic-schemas/examples";

function synesthetic(
	cwd: string,
	args: readonly string[],
	input = "",
	settings: Readonly<Record<string, string>> = {},
): { code: number | null; out: string; err: string } {
	const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SYN|MCP)_/.test(name)));
	const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
		cwd,
		env: { ...env, ...settings },
		input,
		encoding: "utf8",
		timeout: 120_000,
	});
	return { code: status, out: stdout, err: stderr };
}

verifies(["003-10-cli-validate", "003-10-exit-0"], "a valid file gives one JSON result and exit code 0", (t) => {
	const { code, out } = synesthetic(sampleFolder(t), ["--validate", `${EXAMPLES}/Tone_Example.json`]);
	assert.equal(out, '{"ok":true,"schema":"tone"}\n');
	assert.equal(code, 0);
});

verifies(
	["003-10-exit-1", "003-10-cli-validate"],
	"an invalid file gives its errors with line, column and keyword, and exit code 1",
	(t) => {
		const cwd = sampleFolder(t);
		writeFileSync(
			join(cwd, "SynestheticAsset_Bad.json"),
			'{\n  "name": "x",\n  "tone": {\n    "frequency": -1\n  }\n}\n',
		);
		const { code, out } = synesthetic(cwd, ["--validate", "SynestheticAsset_Bad.json"]);
		assert.deepEqual(JSON.parse(out), {
			ok: false,
			schema: "nested-synesthetic-asset",
			reason: "validation_failed",
			errors: [
				{
					path: "/tone/frequency",
					msg: "expected at least 0, got -1",
					schemaPath: "tone.schema.json#/properties/frequency/minimum",
					line: 4,
					column: 18,
				},
			],
		});
		assert.equal(out.split("\n").length, 2);
		assert.equal(code, 1);
		assert.equal(synesthetic(cwd, ["--validate", "SynestheticAsset_Bad.json", "--schema", "nope"]).code, 1);
	},
);

verifies("003-10-exit-2", "a file that cannot be read or parsed gives exit code 2", (t) => {
	const cwd = sampleFolder(t);
	writeFileSync(join(cwd, "broken.json"), '{\n  "a": oops\n}');
	writeFileSync(join(cwd, "latin.json"), Buffer.from([0x22, 0xe9, 0x22]));
	const missing = synesthetic(cwd, ["--validate", "no-such.json"]);
	assert.deepEqual(
		[missing.code, JSON.parse(missing.out)],
		[2, { path: "no-such.json", ok: false, reason: "io_error", detail: "file_not_found" }],
	);
	const broken = synesthetic(cwd, ["--validate", "broken.json"]);
	assert.deepEqual(
		[broken.code, JSON.parse(broken.out)],
		[2, { path: "broken.json", ok: false, reason: "parse_error", detail: "not valid JSON: line 2 column 8" }],
	);
	assert.equal(synesthetic(cwd, ["--validate", "latin.json"]).code, 2);
	assert.equal(synesthetic(cwd, ["--validate"]).code, 2);
});

test("files of the folders that cannot be used are named where a command would have used them", (t) => {
	const cwd = folder(t, { "s/a.schema.json": {}, "s/list.schema.json": [], "e/A.json": {}, "e/list.json": [] });
	writeFileSync(join(cwd, "s/broken.schema.json"), "{\n  oops");
	writeFileSync(join(cwd, "s/marked.schema.json"), "\ufeff{}");
	const schemas = [
		"synesthetic: skipped s/broken.schema.json: not valid JSON: line 2 column 3",
		"synesthetic: skipped s/marked.schema.json: begins with a byte order mark",
		"synesthetic: skipped s/list.schema.json: not a JSON object",
	];
	const examples = ["synesthetic: skipped e/list.json: not a JSON object"];
	const told = (...args: string[]) =>
		synesthetic(cwd, args, "", { SYN_SCHEMAS_DIR: "s", SYN_EXAMPLES_DIR: "e" }).err.split("\n").filter(Boolean);
	assert.deepEqual(told("schemas"), schemas);
	const missing = 'synesthetic: no schema is named "broken"; choose from "a"';
	assert.deepEqual(told("schema", "broken"), [...schemas, missing]);
	assert.deepEqual(told("lint", "broken"), [...schemas, missing]);
	assert.deepEqual(told("examples"), examples);
	assert.deepEqual(told("example", "e/A.json"), [...schemas, ...examples]);
	assert.deepEqual(told("--validate", "e/A.json", "--schema", "a"), schemas);
	assert.deepEqual(told("diff", "e/A.json", "e/A.json"), []);
});

test("several paths and folders give a line each, and the worst exit code", (t) => {
	const cwd = sampleFolder(t);
	writeFileSync(join(cwd, "Tone.bad.json"), '{"$schemaRef":"tone"}');
	const { code, out } = synesthetic(cwd, ["--validate", EXAMPLES, "Tone.bad.json"]);
	assert.deepEqual(
		out
			.trimEnd()
			.split("\n")
			.map((line) => [JSON.parse(line).path, JSON.parse(line).ok]),
		[
			[join(EXAMPLES, "SynestheticAsset_Example1.json"), true],
			[join(EXAMPLES, "SynestheticAsset_Example2.json"), true],
			[join(EXAMPLES, "Tone_Example.json"), true],
			["Tone.bad.json", false],
		],
	);
	assert.equal(code, 1);
	assert.equal(synesthetic(cwd, ["--validate", EXAMPLES, "no-such.json"]).code, 2);
});

test("a link of a folder that leads nowhere or outside is reported, not passed over", (t) => {
	const cwd = sampleFolder(t);
	mkdirSync(join(cwd, "assets"));
	writeFileSync(join(cwd, "assets/Tone.json"), '{"frequency":1}');
	for (const [name, target] of Object.entries({
		dangling: "gone.json",
		inside: "Tone.json",
		outside: "../secret.json",
		round: "round.json",
	}))
		symlinkSync(target, join(cwd, `assets/${name}.json`));
	writeFileSync(join(cwd, "secret.json"), '{"frequency":"hidden"}');
	symlinkSync("..", join(cwd, "assets/up.json"));
	const { code, out } = synesthetic(cwd, ["--validate", "assets", "--schema", "tone"]);
	const unread = (name: string, detail: string) =>
		JSON.stringify({ path: `assets/${name}.json`, ok: false, reason: "io_error", detail });
	assert.deepEqual(out.trimEnd().split("\n"), [
		'{"path":"assets/Tone.json","ok":true,"schema":"tone"}',
		unread("dangling", "a_link_that_leads_nowhere"),
		'{"path":"assets/inside.json","ok":true,"schema":"tone"}',
		unread("outside", "a_link_that_leads_outside_the_folder"),
		unread("round", "a_link_that_leads_nowhere"),
	]);
	assert.equal(code, 2);
});

test("where no alternative matches, line and column are those of what the message names", (t) => {
	const point = {
		properties: { kind: { const: "point" }, at: { type: "object", properties: { x: { type: "number" } } } },
	};
	const cwd = folder(t, {
		"s/shape.schema.json": {
			properties: { shape: { anyOf: [{ type: "null" }, { oneOf: [point, { type: "string" }] }] } },
		},
		"shape.json": '{\n  "shape": {\n    "kind": "point",\n    "at": {\n      "x": "far"\n    }\n  }\n}\n',
	});
	const { code, out } = synesthetic(cwd, ["--validate", "shape.json"], "", { SYN_SCHEMAS_DIR: "s" });
	const { errors } = JSON.parse(out);
	assert.equal(code, 1);
	assert.match(errors[0].msg, /closest: \/at\/x: expected a number/);
	assert.deepEqual([errors.length, errors[0].path, errors[0].line, errors[0].column], [1, "/shape", 5, 12]);
});

test("--watch validates again when a file or a schema changes, and not when anything else does", async (t) => {
	const cwd = sampleFolder(t);
	const file = join(cwd, "Tone.json");
	writeFileSync(file, '{"$schemaRef":"tone","frequency":1}');
	const watching = watch(t, cwd, [file]);
	await watching.until(() => watching.err().includes("watching 2 paths"));
	assert.equal(watching.out(), '{"ok":true,"schema":"tone"}\n');
	writeFileSync(join(cwd, "Other.json"), "{}");
	writeFileSync(file, '{"$schemaRef":"tone","frequency":-1}');
	await watching.until(() => watching.out().includes('"ok":false'));
	writeFileSync(join(cwd, "libs/synesthetic-schemas/jsonschema/tone.schema.json"), "{}");
	await watching.until(() => watching.out().endsWith('}\n{"ok":true,"schema":"tone"}\n'));
	assert.equal(await watching.interrupt(), 0);
});

test("--watch sees files that come into a folder, an empty one and one made later included", async (t) => {
	const cwd = sampleFolder(t);
	mkdirSync(join(cwd, "assets"));
	const watching = watch(t, cwd, ["assets", "--schema", "tone"]);
	await watching.until(() => watching.err().includes("watching"));
	assert.equal(watching.out(), '{"path":"assets","ok":false,"reason":"io_error","detail":"no_json_files"}\n');
	mkdirSync(join(cwd, "assets/later"));
	await watching.until(() => {
		// The folder itself must be seen first, which takes a moment.
		writeFileSync(join(cwd, "assets/later/A.json"), '{"frequency":1}');
		return watching.out().includes('{"path":"assets/later/A.json","ok":true,"schema":"tone"}');
	});
	assert.equal(await watching.interrupt(), 0, "what was said last counts");
});

test("--watch goes on when the files or the schemas are removed and come back", async (t) => {
	const cwd = folder(t, { "s/t.schema.json": { type: "integer" }, "assets/a.json": 5 });
	const watching = watch(t, cwd, ["assets", "--schema", "t"], { SYN_SCHEMAS_DIR: "s" });
	await watching.until(() => watching.err().includes("watching 2 paths"));
	const valid = '{"path":"assets/a.json","ok":true,"schema":"t"}\n';
	for (const [name, file, content] of [
		["assets", "assets/a.json", "6"],
		["s", "s/t.schema.json", '{"type":"number"}'],
	] as const) {
		rmSync(join(cwd, name), { recursive: true });
		await watching.until(() => /"ok":false[^\n]*\n$/.test(watching.out()));
		mkdirSync(join(cwd, name));
		await watching.until(() => {
			// The folder itself must be seen first, which takes a moment.
			writeFileSync(join(cwd, file), content);
			return watching.out().endsWith(valid);
		});
	}
	assert.equal(await watching.interrupt(), 0);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
	test(`--watch ends on ${signal} also while a pattern backtracks without end`, async (t) => {
		const cwd = folder(t, { "s/t.schema.json": {}, "a/1.json": 1, "a/2.json": `"${"a".repeat(64)}!"` });
		const watching = watch(t, cwd, ["a", "--schema", "t"], { SYN_SCHEMAS_DIR: "s" });
		await watching.until(() => watching.err().includes("watching 2 paths"));
		writeFileSync(join(cwd, "s/t.schema.json"), '{"type":"string","pattern":"^(a+)+$"}');
		await watching.until(() => watching.out().includes('"path":"a/1.json","ok":false'));
		await watching.interrupt(signal);
	});

test("--watch where none of the paths exists says so and ends", (t) => {
	const cwd = sampleFolder(t);
	const unread = (path: string) => `{"path":"${path}","ok":false,"reason":"io_error","detail":"file_not_found"}\n`;
	assert.deepEqual(synesthetic(cwd, ["--validate", "nowhere/x.json", "typo.json", "--watch"]), {
		code: 2,
		out: unread("nowhere/x.json") + unread("typo.json"),
		err: "synesthetic: --watch: expected a path that exists, got nowhere/x.json typo.json\n",
	});
});

test("--watch names a path whose folder is not there, and watches the others", async (t) => {
	const cwd = folder(t, { "a.json": 1 });
	const watching = watch(t, cwd, ["a.json", "nowhere/x.json", "--schema", "t"]);
	await watching.until(() => watching.err().includes("watching 1 path;"));
	assert.match(watching.err(), /^synesthetic: nowhere cannot be watched: ENOENT$/m);
	assert.equal(await watching.interrupt(), 2);
});

/** The command with --watch, until it is interrupted. */
function watch(t: TestContext, cwd: string, args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
	const env = { ...process.env, ...settings };
	const child = spawn(process.execPath, [COMMAND, "--validate", ...args, "--watch"], { cwd, env });
	t.after(() => child.kill("SIGKILL"));
	let out = "";
	let err = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		out += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		err += text;
	});
	return {
		out: () => out,
		err: () => err,
		until: async (condition: () => boolean): Promise<void> => {
			let met = condition();
			for (let i = 0; i < 600 && !met; i += 1) {
				await new Promise((resolve) => setTimeout(resolve, 50));
				met = condition();
			}
			assert.ok(met, out + err);
		},
		interrupt: async (signal: NodeJS.Signals = "SIGINT"): Promise<number | null> => {
			const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
			child.kill(signal);
			return exited;
		},
	};
}

test("who validates against no schema is told where its name came from and which there are, or how to get some", (t) => {
	const cwd = sampleFolder(t);
	writeFileSync(join(cwd, "x.json"), "{}");
	const unnamed = synesthetic(cwd, ["--validate", "x.json"]);
	assert.equal(unnamed.code, 1);
	assert.equal(
		unnamed.err,
		'synesthetic: no schema is named "x", the name of the file itself; with --schema <name> choose from "synesthetic-asset", "tone"\n',
	);
	writeFileSync(join(cwd, "named.json"), JSON.stringify({ $schemaRef: "chord.schema.json" }));
	assert.equal(
		synesthetic(cwd, ["--validate", "named.json"]).err,
		'synesthetic: no schema is named "chord", which the file gives in "schema" or "$schemaRef"; with --schema <name> choose from "synesthetic-asset", "tone"\n',
	);
	assert.equal(
		synesthetic(cwd, ["--validate", "x.json", "--schema", "y"]).err,
		'synesthetic: no schema is named "y"; with --schema <name> choose from "synesthetic-asset", "tone"\n',
	);
	const bare = folder(t, { "x.json": {} });
	assert.equal(
		synesthetic(bare, ["--validate", "x.json"]).err,
		"synesthetic: there are no schemas; set SYN_SCHEMAS_DIR, or start where libs/synesthetic-schemas is, or try --sample\n",
	);
});

test("who lists what is not set up is told where it would be, on standard error alone", (t) => {
	const bare = folder(t);
	for (const [command, out, variable] of [
		["schemas", '{"ok":true,"schemas":[]}\n', "SYN_SCHEMAS_DIR"],
		["examples", '{"ok":true,"examples":[]}\n', "SYN_EXAMPLES_DIR"],
	] as const) {
		const said = `there are no ${command}; set ${variable}, or start where libs/synesthetic-schemas is, or try --sample`;
		assert.deepEqual(synesthetic(bare, [command]), { code: 0, out, err: `synesthetic: ${said}\n` });
		const configured = synesthetic(bare, [command], "", { [variable]: "no-where" }).err;
		assert.deepEqual(configured.split("\n"), [
			"synesthetic: skipped no-where: no such folder",
			`synesthetic: there are no ${command} in no-where, the folder of ${variable}`,
			"",
		]);
		assert.equal(synesthetic(bare, [command, "--sample"]).err, "");
	}
	assert.match(synesthetic(bare, ["schema", "tone"]).err, /^synesthetic: there are no schemas; set SYN_SCHEMAS_DIR/);
});

test("a name that no schema or example has is answered with those there are, on standard error alone", (t) => {
	const cwd = sampleFolder(t);
	writeFileSync(join(cwd, "x.json"), "{}");
	const none = '{"ok":false,"reason":"not_found"}\n';
	assert.deepEqual(synesthetic(cwd, ["schema", "Tone"]), {
		code: 1,
		out: none,
		err: 'synesthetic: no schema is named "Tone"; did you mean tone?\n',
	});
	const choice = 'choose from "synesthetic-asset", "tone"\n';
	assert.equal(synesthetic(cwd, ["schema", "chord"]).err, `synesthetic: no schema is named "chord"; ${choice}`);
	assert.equal(synesthetic(cwd, ["fix", "x.json", "chord"]).err, `synesthetic: no schema is named "chord"; ${choice}`);
	for (const args of [
		["lint", "chord"],
		["bundle", "chord"],
		["compat", "tone", "chord"],
	]) {
		const { code, out, err } = synesthetic(cwd, args);
		assert.deepEqual([code, err], [2, `synesthetic: no schema is named "chord"; ${choice}`]);
		assert.equal(out, '{"path":"chord","ok":false,"reason":"io_error","detail":"file_not_found"}\n');
	}
	assert.deepEqual(synesthetic(cwd, ["example", "Tone_Exmaple.json"]), {
		code: 1,
		out: none,
		err: 'synesthetic: no example has the path "Tone_Exmaple.json"; did you mean Tone_Example.json?\n',
	});
	assert.match(synesthetic(folder(t), ["lint", "tone"]).err, /^synesthetic: there are no schemas; set SYN_SCHEMAS_DIR/);
	for (const args of [
		["schema", "tone"],
		["example", "Tone_Example.json"],
		["lint", "tone"],
	])
		assert.equal(synesthetic(cwd, args).err, "");
});

test("a path may be written behind an equals sign", (t) => {
	const cwd = sampleFolder(t);
	writeFileSync(join(cwd, "-dashed.json"), '{"frequency":1}');
	const inline = synesthetic(cwd, ["--schema=tone", "--validate=-dashed.json"]);
	assert.deepEqual(inline, { code: 0, out: '{"ok":true,"schema":"tone"}\n', err: "" });
	const two = synesthetic(cwd, ["--validate=-dashed.json", "nowhere.json", "--schema", "tone"]);
	assert.deepEqual(
		two.out
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line).path),
		["-dashed.json", "nowhere.json"],
	);
	assert.equal(synesthetic(cwd, ["--validate=-", "--schema=tone"], '{"frequency":1}').out, inline.out);
});

test("a folder without JSON, and a file with a byte order mark, are no success", (t) => {
	const cwd = folder(t, { "empty/readme.txt": "", "bom.json": "\ufeff{}" });
	const verdict = (path: string) => {
		const { code, out } = synesthetic(cwd, ["--validate", path]);
		return [code, JSON.parse(out)];
	};
	assert.deepEqual(verdict("empty"), [2, { path: "empty", ok: false, reason: "io_error", detail: "no_json_files" }]);
	assert.deepEqual(verdict("bom.json"), [
		2,
		{ path: "bom.json", ok: false, reason: "parse_error", detail: "begins with a byte order mark" },
	]);
});

test("the tools are subcommands over files", (t) => {
	const cwd = sampleFolder(t);
	writeFileSync(join(cwd, "base.json"), '{"a":1}');
	writeFileSync(join(cwd, "new.json"), '{"a":2}');
	const diff = synesthetic(cwd, ["diff", "base.json", "new.json"]);
	assert.equal(diff.out, '{"ok":true,"patch":[{"op":"replace","path":"/a","value":2}]}\n');
	writeFileSync(join(cwd, "patch.json"), JSON.stringify(JSON.parse(diff.out).patch));
	assert.equal(synesthetic(cwd, ["patch", "base.json", "patch.json"]).out, '{"ok":true,"document":{"a":2}}\n');
	assert.equal(synesthetic(cwd, ["patch", "base.json", "-"], '[{"op":"remove","path":"/zz"}]').code, 1);
	assert.equal(JSON.parse(synesthetic(cwd, ["schemas"]).out).schemas.length, 2);
	assert.deepEqual(
		synesthetic(cwd, ["schemas", "--json"]),
		synesthetic(cwd, ["schemas"]),
		"it prints nothing but JSON",
	);
	assert.equal(synesthetic(cwd, ["compat", "tone", "tone"]).out, '{"ok":true,"compatibility":"FULL","reasons":[]}\n');
	const [text, number] = ["string", "number"].map((type) => {
		const path = join(cwd, `${type}.json`);
		writeFileSync(path, JSON.stringify({ type }));
		return path;
	});
	const broken = synesthetic(cwd, ["compat", text ?? "", number ?? ""]);
	assert.equal(JSON.parse(broken.out).compatibility, "NONE");
	assert.equal(broken.code, 1, "a step of a build that asks for compatibility fails");
	assert.equal(synesthetic(cwd, ["lint", "tone"]).code, 0);
	assert.equal(synesthetic(cwd, ["diff", "base.json"]).code, 2);
	const twice = synesthetic(cwd, ["diff", "-", "-"], "{}");
	assert.equal(twice.code, 2);
	assert.match(twice.err, /^synesthetic: diff: <new>: expected a file, got - for standard input, which is <base>\n/);
	const again = synesthetic(cwd, ["--validate", "-", "-"], "{}");
	assert.equal(again.code, 2);
	assert.match(again.err, /^synesthetic: --validate: expected - for standard input once, got it 2 times\n/);
	assert.equal(synesthetic(cwd, ["diff", "base.json", "nowhere.json"]).code, 2);
	assert.equal(synesthetic(cwd, ["frobnicate"]).code, 2);
	assert.equal(synesthetic(cwd, ["--frobnicate"]).code, 2);
});

test("what the command prints can be given back to it, and where it cannot, the file is named", (t) => {
	const cwd = sampleFolder(t);
	const said = (...args: string[]) => synesthetic(cwd, args);
	const save = (name: string, ...args: string[]): void => writeFileSync(join(cwd, name), said(...args).out);
	writeFileSync(join(cwd, "base.json"), '{"frequency":"1","gain":1.50}');
	writeFileSync(join(cwd, "new.json"), '{"frequency":2,"gain":1.50}');
	save("diff.json", "diff", "base.json", "new.json");
	save("patched.json", "patch", "base.json", "diff.json");
	assert.equal(said("patch", "base.json", "diff.json").out, '{"ok":true,"document":{"frequency":2,"gain":1.50}}\n');
	save("fix.json", "fix", "base.json", "tone");
	assert.equal(said("patch", "base.json", "fix.json").out, '{"ok":true,"document":{"frequency":1,"gain":1.50}}\n');
	save("saved.json", "schema", "tone");
	assert.equal(said("compat", "saved.json", "tone").out, '{"ok":true,"compatibility":"FULL","reasons":[]}\n');
	save("example.json", "example", "Tone_Example.json");
	const hints = [
		["example.json", "example"],
		["patched.json", "document"],
	] as const;
	for (const [file, name] of hints) {
		const hint = `synesthetic: ${file} is a saved answer, whose "${name}" alone is the ${name}\n`;
		assert.equal(said("--validate", file, "--schema", "tone").err, hint);
		assert.equal(said("diff", file, "base.json").err, hint);
	}
});

test("a schema file that is a saved answer accepts nothing and says why", (t) => {
	const cwd = folder(t, {
		"s/tone.schema.json": { ok: true, schema: { type: "integer" }, version: "1" },
		"a.json": {},
	});
	const says = 'tone.schema.json is a saved answer, whose "schema" alone is the schema';
	const settings = { SYN_SCHEMAS_DIR: "s" };
	const { code, out } = synesthetic(cwd, ["--validate", "a.json", "--schema", "tone"], "", settings);
	assert.equal(code, 1);
	assert.equal(JSON.parse(out).errors[0].msg, `schema "tone" cannot be used: ${says}`);
	assert.deepEqual(JSON.parse(synesthetic(cwd, ["lint", "tone"], "", settings).out).findings[0], {
		severity: "error",
		path: "",
		msg: says,
	});
});

test("the tour works on a machine with nothing set up, and help and version print", (t) => {
	const cwd = sampleFolder(t);
	const tour = synesthetic(cwd, ["--demo"]);
	assert.equal(tour.code, 0);
	assert.match(tour.out, /synesthetic-asset\s+1\.0\.0/);
	assert.match(tour.out, /\{"op":"replace","path":"\/tempo","value":96\}/);
	assert.ok(!tour.out.includes("\u001b") && !tour.out.includes("invalid"));
	const help = synesthetic(cwd, ["--help"]).out;
	assert.match(help, /^Usage: synesthetic/m);
	assert.ok(help.split("\n").every((line) => line.length <= 80));
	assert.match(synesthetic(cwd, ["--version"]).out, /^synesthetic \d+\.\d+\.\d+\n$/);
	const served = synesthetic(cwd, ["--sample", "--direct"], '{"jsonrpc":"2.0","id":1,"method":"list_schemas"}\n');
	assert.deepEqual(
		JSON.parse(served.out).result.schemas.map(({ name }: { name: string }) => name),
		["haptic", "light", "synesthetic-asset", "tone"],
	);
});

test("operands that are too many or too few are named", (t) => {
	const cwd = sampleFolder(t);
	for (const [args, said] of [
		[["schemas", "extra"], "synesthetic: schemas: expected nothing, got extra"],
		[["diff", "a.json"], "synesthetic: diff: expected <base> <new>, got a.json"],
		[["schema"], "synesthetic: schema: expected <name>, got nothing"],
	] as const)
		assert.deepEqual(synesthetic(cwd, args), { code: 2, out: "", err: `${said}\nTry synesthetic --help.\n` });
});

test("a wrong command line says what is wrong, and never serves by accident", (t) => {
	const cwd = sampleFolder(t);
	for (const [args, said] of [
		[["--watch"], "synesthetic: --watch: expected with --validate <path>…"],
		[["--schema", "tone"], "synesthetic: --schema: expected with --validate <path>…"],
		[["--sample", "--watch", "schemas"], "synesthetic: --watch: expected with --validate <path>…"],
		[["--validate"], "synesthetic: --validate: expected a path, got nothing"],
		[["--bogus"], "synesthetic: no option --bogus"],
		[["--wacth"], "synesthetic: no option --wacth; did you mean --watch?"],
		[["shcema", "tone"], 'synesthetic: no command "shcema"; did you mean schema?'],
		[["validate", "x"], 'synesthetic: no command "validate"; did you mean --validate?'],
		[["valdate", "x"], 'synesthetic: no command "valdate"; did you mean --validate?'],
		[["list_schemas"], 'synesthetic: no command "list_schemas"; did you mean schemas?'],
		[["nonsense"], 'synesthetic: no command "nonsense"'],
		[["--schema=", "--validate", "x"], "synesthetic: --schema: expected a name, got nothing"],
		[["--schema="], "synesthetic: --schema: expected with --validate <path>…"],
		[["--validate="], "synesthetic: --validate: expected a path, got nothing"],
		[["--watch=yes", "--validate", "x"], "synesthetic: --watch: expected no value"],
		[["--direct", "--validate", "x"], "synesthetic: --direct: expected alone, got --validate"],
		[["schemas", "--direct"], "synesthetic: --direct: expected alone, got schemas"],
		[["--direct", "--demo"], "synesthetic: --direct: expected alone, got --demo"],
		[["--demo", "extra"], "synesthetic: --demo: expected alone, got extra"],
		[["--demo", "--validate"], "synesthetic: --demo: expected alone, got --validate"],
		[["--validate", "-", "--watch"], "synesthetic: --watch: expected files or folders, got - for standard input"],
	] as const) {
		const { code, out, err } = synesthetic(cwd, args);
		assert.deepEqual([code, out, err], [2, "", `${said}\nTry synesthetic --help.\n`]);
	}
});
