import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { sampleFolder } from "../server/sample.ts";
import { COMMAND } from "../server/stdioClient.ts";

const EXAMPLES = "libs/synesthetic-schemas/examples";

function synesthetic(
	cwd: string,
	args: readonly string[],
	input = "",
): { code: number | null; out: string; err: string } {
	const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SYN|MCP)_/.test(name)));
	const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
		cwd,
		env,
		input,
		encoding: "utf8",
		timeout: 60_000,
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
		[2, { ok: false, reason: "io_error", detail: "file_not_found" }],
	);
	const broken = synesthetic(cwd, ["--validate", "broken.json"]);
	assert.deepEqual(
		[broken.code, JSON.parse(broken.out)],
		[2, { ok: false, reason: "parse_error", detail: "not valid JSON: line 2 column 8" }],
	);
	assert.equal(synesthetic(cwd, ["--validate", "latin.json"]).code, 2);
	assert.equal(synesthetic(cwd, ["--validate"]).code, 2);
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

test("--watch validates again when a file changes", async (t) => {
	const cwd = sampleFolder(t);
	const file = join(cwd, "Tone.json");
	writeFileSync(file, '{"$schemaRef":"tone","frequency":1}');
	const child = spawn(process.execPath, [COMMAND, "--validate", file, "--watch"], { cwd });
	t.after(() => child.kill("SIGKILL"));
	let out = "";
	let err = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		out += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		err += text;
	});
	const until = async (condition: () => boolean): Promise<void> => {
		for (let i = 0; i < 600 && !condition(); i += 1) await new Promise((resolve) => setTimeout(resolve, 50));
		assert.ok(condition(), out + err);
	};
	await until(() => err.includes("watching"));
	assert.equal(out, '{"ok":true,"schema":"tone"}\n');
	writeFileSync(file, '{"$schemaRef":"tone","frequency":-1}');
	await until(() => out.includes('"ok":false'));
	const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
	child.kill("SIGINT");
	assert.equal(await exited, 0);
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
	assert.equal(synesthetic(cwd, ["compat", "tone", "tone"]).out, '{"ok":true,"compatibility":"FULL","reasons":[]}\n');
	assert.equal(synesthetic(cwd, ["lint", "tone"]).code, 0);
	assert.equal(synesthetic(cwd, ["diff", "base.json"]).code, 2);
	assert.equal(synesthetic(cwd, ["diff", "base.json", "nowhere.json"]).code, 2);
	assert.equal(synesthetic(cwd, ["frobnicate"]).code, 2);
	assert.equal(synesthetic(cwd, ["--frobnicate"]).code, 2);
});

test("the tour works on a machine with nothing set up, and help and version print", (t) => {
	const cwd = sampleFolder(t);
	const tour = synesthetic(cwd, ["--demo"]);
	assert.equal(tour.code, 0);
	assert.match(tour.out, /synesthetic-asset\s+1\.0\.0/);
	assert.match(tour.out, /\{"op":"replace","path":"\/tempo","value":96\}/);
	assert.ok(!tour.out.includes("\u001b") && !tour.out.includes("invalid"));
	assert.match(synesthetic(cwd, ["--help"]).out, /^Usage$/m);
	assert.match(synesthetic(cwd, ["--version"]).out, /^\d+\.\d+\.\d+\n$/);
	const served = synesthetic(cwd, ["--sample", "--direct"], '{"jsonrpc":"2.0","id":1,"method":"list_schemas"}\n');
	assert.deepEqual(
		JSON.parse(served.out).result.schemas.map(({ name }: { name: string }) => name),
		["haptic", "light", "synesthetic-asset", "tone"],
	);
});

test("operands that are too many or too few are named", (t) => {
	const cwd = sampleFolder(t);
	for (const [args, said] of [
		[["schemas", "extra"], "synesthetic schemas: expected nothing, got extra"],
		[["diff", "a.json"], "synesthetic diff: expected <base> <new>, got a.json"],
		[["schema"], "synesthetic schema: expected <name>, got nothing"],
	] as const)
		assert.deepEqual(synesthetic(cwd, args), { code: 2, out: "", err: `${said}\n` });
});

test("a wrong command line says what is wrong, and never serves by accident", (t) => {
	const cwd = sampleFolder(t);
	for (const [args, said] of [
		[["--watch"], "synesthetic: --watch: expected with --validate <path>…"],
		[["--schema", "tone"], "synesthetic: --schema: expected with --validate <path>…"],
		[["--validate"], "synesthetic: --validate: expected a path, got nothing"],
		[["--bogus"], "synesthetic: no option --bogus"],
		[["validate", "x"], 'synesthetic: there is no command "validate"; did you mean --validate?'],
		[["list_schemas"], 'synesthetic: there is no command "list_schemas"; did you mean schemas?'],
		[["nonsense"], 'synesthetic: there is no command "nonsense"'],
	] as const) {
		const { code, out, err } = synesthetic(cwd, args);
		assert.deepEqual([code, out, err], [2, "", `${said}\nTry synesthetic --help.\n`]);
	}
});
