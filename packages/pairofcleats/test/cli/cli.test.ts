import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { SEARCH_FLAGS } from "../../src/cli/commands/searchCommand.ts";
import { SEARCH_ARGUMENTS } from "../../src/query/arguments.ts";
import { type Fixture, fixtureOf, git, writeFiles } from "../filter/fixtureRepository.ts";
import { type Ran, runCaptured } from "./captured.ts";

describe("the command line", () => {
	let fixture: Fixture;
	let previous: string | undefined;
	before(async () => {
		fixture = await fixtureOf({
			"src/session.ts":
				"export async function openSession(id: string) {\n\treturn await load(id);\n}\n\nexport function closeSession() {}\n",
			"src/store.py": "def open_store(session):\n    return session\n",
			"README.md": "# Session\n\nOpen a session.\n",
		});
		previous = process.env.PAIROFCLEATS_CACHE_ROOT;
		process.env.PAIROFCLEATS_CACHE_ROOT = fixture.cacheRoot;
	});
	after(async () => {
		if (previous === undefined) delete process.env.PAIROFCLEATS_CACHE_ROOT;
		else process.env.PAIROFCLEATS_CACHE_ROOT = previous;
		await fixture.remove();
	});
	const call = (...argv: string[]): Promise<Ran> => runCaptured(argv);

	verifies(
		"001-9.1-repo-path",
		"--repo selects the repository, and the error for a missing one names the flag",
		async () => {
			const { code, lines } = await call("search", "openSession", "--repo", fixture.root, "--compact");
			assert.equal(code, 0);
			assert.match(lines[0] ?? "", /^src\/session\.ts:1-3 {2}function openSession$/);
			const absent = await call("search", "x", "--repo", join(fixture.root, "nowhere"));
			assert.equal(absent.code, 1);
			assert.match(absent.errors.join(), /^pairofcleats: --repo: expected a folder that exists, got "[^"]+nowhere"$/);
		},
	);

	test("a folder that was taken away under the command is told as that", async () => {
		const before = process.cwd();
		const gone = join(fixture.root, "gone");
		mkdirSync(gone);
		process.chdir(gone);
		rmdirSync(gone);
		try {
			for (const argv of [["search", "x"], ["map"], ["index", "status"]]) {
				const { code, errors } = await call(...argv);
				assert.deepEqual(errors, ["pairofcleats: the folder this was started in is gone; change to one that is there"]);
				assert.equal(code, 1);
			}
		} finally {
			process.chdir(before);
		}
	});

	const MODES = '--mode: expected one of code, prose, extracted-prose, records, all, both, got "everything"';
	const DAYS = "expected a number of days (--modified-after takes a date)";
	const MISTAKES: readonly (readonly [argv: readonly string[], says: string])[] = [
		[["search", "--frobnicate"], "no option --frobnicate; to look for it: search -- --frobnicate"],
		[["search", "x", "--frobnicate"], "no option --frobnicate; pairofcleats search --help lists them"],
		[["index"], "index: expected build, update, status, watch or validate, got nothing"],
		[["index", "bild"], 'index: expected build, update, status, watch or validate, got "bild"; did you mean build?'],
		[["cache", "raport"], 'cache: expected gc, clean, compact, report, got "raport"; did you mean report?'],
		[
			["triage", "imprt"],
			'triage: expected ingest, decide, context, list, export, import, got "imprt"; did you mean import?',
		],
		[["completion", "tcsh"], 'completion: expected bash, zsh or fish, got "tcsh"'],
		[["lint", "report.json"], 'lint: expected import <file>, got "report.json"'],
		[["triage"], "triage: expected ingest, decide, context, list, export, import, got nothing"],
		[["triage", "ingest", "generic"], 'triage ingest: expected <source> <file>, got "generic"'],
		[["bootstrap", "now"], 'bootstrap: expected no words, got "now"'],
		[["index", "build", "src"], 'index build: expected no further words, got "src"'],
		[["show", "a.ts", "b.ts"], 'show: expected no further words, got "b.ts"'],
		[["map", "a.ts", "b.ts"], 'map: expected no further words, got "b.ts"'],
		[["lint", "import", "a.json", "b.json"], 'lint import: expected no further words, got "b.json"'],
		[["completion", "bash", "zsh"], 'completion: expected no further words, got "zsh"'],
		[["api", "--origin", "example.org"], '--origin: expected one such as https://example.org, got "example.org"'],
		[["api", "--port", "1.5"], "--port: expected a number from 0 to 65535, got 1.5"],
		[["api", "--port="], "--port: expected a number, got nothing"],
		[["api", "--host="], "--host: expected a name or an address of this machine, got nothing"],
		[["search", "x", "-n="], "-n: expected a number, got nothing"],
		[["index", "build", "--threads", "0"], "--threads: expected a whole number from 1 to 16, got 0"],
		[["help", "frobnicate"], 'no command "frobnicate"; pairofcleats --help lists them'],
		[
			["triage", "ingest", "nessus", "a.json"],
			'source: expected one of dependabot, aws_inspector, generic, manual, sarif, osv, got "nessus"',
		],
		[["frobnicate"], 'no command "frobnicate"; pairofcleats --help lists them'],
		[["serach", "x"], 'no command "serach"; did you mean search?'],
		[["help", "triaje"], 'no command "triaje"; did you mean triage?'],
		[["search", "x", "--langs", "go"], "no option --langs; did you mean --lang?"],
		[["search", "x", "--no-asinc"], "no option --no-asinc; did you mean --no-async?"],
		[["search", "x", "--top", "3"], "no option --top; did you mean -n?"],
		[["search", "x", "--typ", "class"], "no option --typ; did you mean --type?"],
		[["search", "x", "--language", "go"], "no option --language; did you mean --lang?"],
		[["search", "x", "--sig", "go"], "no option --sig; did you mean --signature?"],
		[["search", "x", "--branches-min=3"], "no option --branches-min; did you mean --branches?"],
		[["search", "x", "--type", "class", "--type", "function"], '--type: expected once, got "class" and "function"'],
		[["search", "x", "-n=many"], '-n: expected a number, got "many"'],
		[["search", "x", "--modified-since", "7d"], `--modified-since: ${DAYS}, got "7d"`],
		[["search", "x", "--modified-since=2026-01-01"], `--modified-since: ${DAYS}, got "2026-01-01"`],
		[["search", "x", "--context=-1"], "--context: expected a number from 0, got -1"],
		[["search", "x", "--mode", "everything"], MODES],
		[["cache", "gc", "--max-gb", "-1"], "--max-gb: expected a number from 0, got -1"],
		[
			["cache", "gc", "--max-gb", "-1", "--max-age-days", "-2"],
			"--max-gb: expected a number from 0, got -1; --max-age-days: expected a number from 0, got -2",
		],
		[["cache", "gc"], "--max-bytes, --max-gb or --max-age-days: expected a limit, got none"],
	];
	for (const [argv, says] of MISTAKES) {
		test(`pairofcleats ${argv.join(" ")} says in one line what was expected`, async () => {
			assert.deepEqual(await call(...argv), { code: 2, lines: [], errors: [`pairofcleats: ${says}`] });
		});
	}

	test("an invalid argument is reported by the name of its flag, or of its word in the usage", async () => {
		for (const [argv, code, says] of [
			[
				["search", "x", "--modified-after", "soon"],
				2,
				'--modified-after: expected a date such as 2026-01-31 (--modified-since takes days), got "soon"',
			],
			[["search", "x", "--path", "/[/"], 2, '--path: expected a valid regular expression, got "/[/"'],
			[["search", "x", "--meta-json", "[1]"], 2, "--meta-json: expected an object, got 1"],
			[["show", "README.md:9"], 2, "lines: expected a line from 1 to 3, got 9"],
			[["show", "README.md:2-1"], 2, "lines: expected a line from 2 to 3, got 1"],
			[["triage", "ingest", "osv", "none.json"], 1, 'file: there is no file "none.json"'],
			[["triage", "context", "finding-0"], 1, 'finding: there is no finding "finding-0"'],
			[["index", "build", "--risk-rules", "/no/such"], 1, '--risk-rules: there is no file "/no/such"'],
			[["triage", "decide", "finding-0", "fix"], 1, 'finding: there is no finding "finding-0"'],
		] as const)
			assert.deepEqual(await call(...argv, "--repo", fixture.root), {
				code,
				lines: [],
				errors: [`pairofcleats: ${says}`],
			});
		const { lines } = await call("search", "x", "--modified-after", "soon", "--repo", fixture.root, "--json");
		assert.equal(JSON.parse(lines[0] ?? "").error.field, "--modified-after");
		const empty = await call("search", "x", "--repo", "");
		assert.deepEqual(empty.errors, ["pairofcleats: --repo: expected a folder that exists, got nothing"]);
		const [short, long] = await Promise.all(
			["-n1", "-n=1"].map((flag) => call("search", "session", flag, "--repo", fixture.root, "--compact")),
		);
		assert.deepEqual(short, long);
		assert.equal(short?.lines.length, 1);
	});

	test("a boolean flag takes an optional value, and everything after -- is part of the query", async () => {
		const names = async (...argv: string[]) => {
			const { lines } = await call("search", ...argv, "--repo", fixture.root, "--json");
			return JSON.parse(lines[0] ?? "").hits.map(({ name }: { name: string }) => name);
		};
		assert.deepEqual(await names("session", "--async=true"), ["openSession"]);
		assert.deepEqual(await names("session", "--async=false"), await names("session", "--no-async"));
		const { errors } = await call("search", "session", "--async=maybe");
		assert.deepEqual(errors, ['pairofcleats: --async: expected nothing more, true or false, got "maybe"']);
		const after = await call("search", "--repo", fixture.root, "--compact", "--", "openSession", "--help");
		assert.match(after.lines[0] ?? "", /^src\/session\.ts:1-3/);
	});

	test("an unknown visibility causes a warning, since it matches nothing", async () => {
		const { code, errors } = await call("search", "session", "--visibility", "publik", "--repo", fixture.root);
		assert.equal(code, 4);
		assert.match(
			errors.join("\n"),
			/nothing has the visibility "publik"; there are public, protected, private, internal/,
		);
	});

	test("starting the API on a port in use fails with a message that says what to do", async (t) => {
		const taken = createServer().listen(0, "127.0.0.1");
		t.after(() => taken.close());
		await once(taken, "listening");
		const { port } = taken.address() as AddressInfo;
		const says = `--port: expected a free one, got ${port}, which is in use; 0 takes any that is free`;
		assert.deepEqual(await call("api", "--port", String(port)), {
			code: 2,
			lines: [],
			errors: [`pairofcleats: ${says}`],
		});
	});

	test("a build reports how many files could not be read", { skip: process.platform !== "linux" }, async (t) => {
		const other = await fixtureOf({ "a.ts": "export const a = 1;\n" });
		t.after(() => other.remove());
		// A name that is not valid UTF-8 cannot be opened by anybody, not even root.
		writeFileSync(Buffer.concat([Buffer.from(join(other.root, "odd-")), Buffer.from([0xff])]), "odd");
		const { code, lines, errors } = await call("index", "build", "--repo", other.root);
		assert.equal(code, 0);
		assert.match(lines.join(), /^build, files: 1 indexed, 0 unchanged, 0 removed, 1 skipped; /);
		assert.deepEqual(errors, [
			"warning: 1 file or folder could not be read, and nothing in there is found; see the permissions, and whether the names are UTF-8",
		]);
	});

	test("names, source text and branches of a repository cannot send control sequences to the terminal", async (t) => {
		const steering = "\u001b[2J";
		const other = await fixtureOf({
			[`odd${steering}\n.ts`]: `export function steer() {\r\n\treturn "${steering}\u202e"; // here\r\n}\r\n`,
		});
		t.after(() => other.remove());
		const found = await call("search", "steer", "--repo", other.root);
		assert.deepEqual(found.lines, [
			"odd\\x1b[2J\\n.ts:1-3  function steer",
			"  1 > export function steer() {",
			'  2   \treturn "\\x1b[2J\\u202e"; // here',
			"  3   }",
		]);
		assert.equal((await call("map", "--repo", other.root)).lines[0], "odd\\x1b[2J\\n.ts");
		const show = ["show", `odd${steering}\n.ts`, "--repo", other.root];
		assert.equal((await runCaptured(show, { watched: true })).lines[1], '2  \treturn "\\x1b[2J\\u202e"; // here');
		// When piped, the output is the file as it is.
		assert.equal((await call(...show)).lines[1], `\treturn "${steering}\u202e"; // here\r`);
	});

	test("a build warns when git cannot list the files, and refuses to index the inside of a .git folder", async (t) => {
		const other = await fixtureOf({ "a.ts": "export const a = 1;\n" }, { history: (root) => git(root, "init", "-q") });
		t.after(() => other.remove());
		const inside = await call("index", "build", "--repo", join(other.root, ".git"));
		assert.deepEqual(
			[inside.code, inside.errors],
			[
				2,
				[
					"pairofcleats: --repo: expected a folder with files, got the inside of a git repository; give a checkout of it",
				],
			],
		);
		writeFileSync(join(other.root, ".git", "config"), "[core\n");
		const { code, errors } = await call("index", "build", "--repo", other.root);
		assert.equal(code, 0);
		const [listing, history, ...more] = errors;
		assert.match(listing ?? "", /^warning: git could not list the files \(.*\); the folder was walked instead$/);
		assert.match(history ?? "", /^warning: git could not read the whole history: fatal: .*config/);
		assert.deepEqual(more, []);
	});

	test("the build and the status report what is missing from nested repositories, as text and as JSON", async (t) => {
		const files = { "a.ts": "export const a = 1;\n", "inner/b.ts": "export const b = 1;\n" };
		const history = (root: string): void => {
			git(root, "init", "-q");
			git(join(root, "inner"), "init", "-q");
		};
		const other = await fixtureOf(files, { history });
		t.after(() => other.remove());
		for (const action of ["build", "status"]) {
			const { errors } = await call("index", action, "--repo", other.root);
			assert.match(errors.join("\n"), /^warning: filters by author, date and churn leave out all of inner: .*$/);
			const { lines } = await call("index", action, "--repo", other.root, "--json");
			assert.deepEqual([`warning: ${JSON.parse(lines[0] ?? "").warnings[0]}`], errors);
		}
	});

	test("every search argument has its flag from the contract, and no two share one", () => {
		const flags = Object.values(SEARCH_ARGUMENTS)
			.map(({ flag }) => flag)
			.filter((flag) => flag !== null);
		assert.equal(new Set(flags).size, flags.length);
		for (const flag of flags) assert.ok(SEARCH_FLAGS[flag], flag);
		assert.deepEqual(
			[
				"-n",
				"--repo",
				"--inferred-type",
				"--branches",
				"--churn",
				"--chunk-author",
				"--modified-since",
				"--case-tokens",
				"--meta-json",
			].filter((flag) => SEARCH_FLAGS[flag] === undefined),
			[],
		);
	});

	test("flags reach the request: yes-or-no, repeated, negated and with a leading dash in the value", async () => {
		const names = async (...flags: string[]): Promise<string[]> => {
			const { lines } = await call("search", "session", "--repo", fixture.root, "--json", ...flags);
			return JSON.parse(lines[0] ?? "{}")
				.hits.map((hit: { name: string }) => hit.name)
				.filter(Boolean)
				.sort();
		};
		assert.deepEqual(await names("--async"), ["openSession"]);
		assert.deepEqual(await names("--no-async", "--lang", "ts"), ["closeSession"]);
		assert.deepEqual(await names("--ext", "py", "--ext=md"), ["Session", "open_store"]);
		assert.deepEqual(await names("--risk-flow", "->nothing"), []);
		assert.deepEqual(await names("--top", "1").catch(() => ["refused"]), ["refused"]);
	});

	test("output is JSON, one line a hit, or a snippet; explain shows the parts", async () => {
		const json = await call("search", "closeSession", "--repo", fixture.root, "--json");
		assert.equal(JSON.parse(json.lines.join("")).hits[0].source, "export function closeSession() {}\n");
		const plain = await call("search", "closeSession", "--repo", fixture.root, "--explain");
		assert.match(plain.lines.join("\n"), /src\/session\.ts:5-5 {2}function closeSession\n {2}\S+ = words .*definition/);
		assert.match(plain.lines.join("\n"), /5 > export function closeSession/);
	});

	test("a tiny build reports no rate, and a single file is not written in the plural", async (t) => {
		const other = await fixtureOf({ "a.ts": "export function sendEmail(to: string) {\n\treturn post(to);\n}\n" });
		t.after(() => other.remove());
		const { lines } = await call("index", "build", "--repo", other.root);
		assert.match(lines.join(), /^build, files: 1 indexed, .*; 1 chunk in \d+\.\d s$/);
		const { errors } = await call("search", "sendEmail", "--repo", other.root);
		assert.match(errors.join(), /^\n1 of 1 chunk in 1 file \(1 searched, /);
		const validated = await call("index", "validate", "--repo", other.root);
		assert.match(validated.lines.join(), /^sound: 1 file, 1 chunk, \d+ terms read$/);
		const report = join(other.root, "report.json");
		const messages = [{ ruleId: "r", severity: 2, message: "m", line: 1, column: 1 }];
		writeFileSync(report, JSON.stringify([{ filePath: join(other.root, "a.ts"), messages }]));
		assert.deepEqual((await call("lint", "import", report, "--repo", other.root)).lines, [
			"1 diagnostic of eslint imported for 1 file; 0 of no indexed file",
		]);
		const long = `export function receive() {\n${"\tawait letterBox.nextLetter();\n".repeat(12)}}\n`;
		for (const name of ["b.ts", "c.ts"]) writeFileSync(join(other.root, name), long);
		const twice = await call("search", "receive", "--repo", other.root, "--compact");
		assert.equal(twice.lines[0], "b.ts:1-14  function receive (+1 copy)");
	});

	test("a hit found only by vectors is marked in the text output, but not in JSON", async (t) => {
		const other = await fixtureOf({
			"a.ts": "export function sendEmail(to: string) {\n\treturn post(to);\n}\n",
			"b.ts": "export function smtpMessage(recipient: string) {\n\treturn deliver(recipient);\n}\n",
		});
		t.after(() => other.remove());
		const { lines } = await call("search", "send email", "--repo", other.root, "--compact");
		assert.deepEqual(lines, ["a.ts:1-3  function sendEmail", "b.ts:1-3  function smtpMessage (near in meaning)"]);
		const json = await call("search", "send email", "--repo", other.root, "--json");
		const keys = JSON.parse(json.lines.join("")).hits.flatMap((hit: object) => Object.keys(hit));
		assert.ok(!keys.includes("scoreParts"));
		assert.doesNotMatch(json.lines.join(""), /near in meaning/);
	});

	test("the exit code is 2 for wrong usage, 3 without an index and 4 without hits", async () => {
		assert.equal((await call("search", "openSession", "--bogus")).code, 2);
		assert.equal((await call("search")).code, 2);
		assert.equal((await call("search", "constructor", "--no-ann", "--repo", fixture.root)).code, 4);
		assert.equal((await call("completion", "constructor")).code, 2);
		assert.equal((await call("frobnicate")).code, 2);
		assert.equal((await call("search", "zzzqqq", "--repo", fixture.root)).code, 4);
		assert.equal((await call("search", "x", "--repo", join(fixture.root, "src"), "--no-build")).code, 3);
		assert.equal((await call("search", "x", "--repo", fixture.root, "--modified-after", "never")).code, 2);
	});

	test("a command that needs an index says how to make one", async () => {
		for (const words of [["map"], ["show", "a.ts"], ["index", "validate"], ["search", "x", "--no-build"]]) {
			const { code, errors } = await call(...words, "--repo", join(fixture.root, "src"));
			assert.equal(code, 3);
			assert.deepEqual(errors, [
				"pairofcleats: the repository has no index; build one first: pairofcleats index build",
			]);
		}
	});

	test("show prints lines of a file and map its declarations", async () => {
		assert.deepEqual((await call("show", "src/store.py:1-1", "--repo", fixture.root)).lines, [
			"def open_store(session):",
		]);
		assert.equal((await call("show", "../outside", "--repo", fixture.root)).code, 1);
		const { lines } = await call("map", "src/session.ts", "--repo", fixture.root);
		assert.deepEqual(
			lines.map((line) => line.trim()),
			["src/session.ts", "1-3  function openSession", "5-5  function closeSession"],
		);
	});

	test("map indents by nesting, not by the dots in a name", async (t) => {
		const notes = "# Changes\n\n## 1.0.0\n\n### Added to a.b\n\n## 0.9\n";
		const other = await fixtureOf({
			"notes.md": notes,
			"a.cc": "int Store::open() {\n\treturn 1;\n}\n",
			"b.cs": "namespace A.B;\n\nclass Desk\n{\n\tvoid Open()\n\t{\n\t\tRun();\n\t}\n}\n",
		});
		t.after(() => other.remove());
		await call("index", "build", "--repo", other.root);
		assert.deepEqual(
			(await call("map", "--repo", other.root)).lines.map((line) => line.replace(/^ *\d+-\d+ {2}/, "")),
			[
				"a.cc",
				"  method open",
				"b.cs",
				"class Desk",
				"  method Open",
				"notes.md",
				"section Changes",
				"  section 1.0.0",
				"    section Added to a.b",
				"  section 0.9",
			],
		);
	});

	test("map reports that a file has no declarations", async (t) => {
		const other = await fixtureOf({ "words.txt": "just words\n" });
		t.after(() => other.remove());
		await call("index", "build", "--repo", other.root);
		assert.deepEqual(await call("map", "words.txt", "--repo", other.root), {
			code: 4,
			lines: [],
			errors: ["no declarations are known in words.txt"],
		});
	});

	test("on a narrow terminal the rows of index status go on below themselves, and in a pipe they do not", async () => {
		const argv = ["index", "status", "--repo", fixture.root];
		const piped = (await runCaptured(argv, { columns: 40 })).lines;
		assert.ok(
			piped.some((line) => line.length > 40),
			piped.join("\n"),
		);
		const { lines } = await runCaptured(argv, { columns: 40, watched: true });
		assert.deepEqual(
			lines.filter((line) => line.length > 40),
			[],
		);
		assert.equal(lines.join(" ").replace(/ +/g, " "), piped.join(" ").replace(/ +/g, " "));
	});

	test("index status and validate report, and lint import feeds the filter", async () => {
		const status = await call("index", "status", "--repo", fixture.root, "--json");
		assert.equal(JSON.parse(status.lines[0] ?? "{}").files, 3);
		assert.match((await call("index", "validate", "--repo", fixture.root)).lines.join(), /^sound: 3 files/);
		const report = join(fixture.cacheRoot, "report.json");
		const messages = [{ ruleId: "r", line: 1, message: "m", severity: 2 }];
		writeFileSync(report, JSON.stringify([{ filePath: join(fixture.root, "src/session.ts"), messages }]));
		assert.equal((await call("lint", "import", report, "--repo", fixture.root)).code, 0);
		assert.match(
			(await call("search", "session", "--lint", "--repo", fixture.root, "--compact")).lines.join(),
			/^src\/session\.ts:1-3/,
		);
	});

	test("help lists every command and every flag", async () => {
		const overview = (await call("--help")).lines.join("\n");
		for (const name of ["index", "search", "show", "map", "lint", "completion"])
			assert.match(overview, new RegExp(`^  ${name} `, "m"));
		const help = (await call("search", "--help")).lines.join("\n");
		for (const flag of Object.keys(SEARCH_FLAGS).filter((name) => name !== "--build"))
			assert.ok(help.includes(flag), flag);
	});

	test("the first search builds the index of a repository without one", async () => {
		const other = await fixtureOf({ "a.txt": "x" });
		writeFiles(other.root, { "sub/fresh.ts": "export const freshlyMade = 1;\n" });
		const { code, lines } = await call("search", "freshlyMade", "--repo", join(other.root, "sub"), "--compact");
		assert.equal(code, 0);
		assert.match(lines[0] ?? "", /^fresh\.ts:1-1/);
		await other.remove();
	});

	test("the first search says what the index it builds lacks", async () => {
		writeFiles(fixture.root, { "out/.gitignore": "*\n", "out/built.ts": "export const built = 1;\n" });
		git(join(fixture.root, "out"), "init", "-q");
		const { code, errors } = await call("search", "built", "--repo", join(fixture.root, "out"));
		assert.equal(code, 4);
		assert.equal(errors[0], "warning: nothing is found: git ignores this folder, or all that is in it");
	});

	test("on a terminal, a build tells from its beginning what it does, and clears that", async () => {
		for (const action of ["build", "update"]) {
			const told: string[] = [];
			const status = (text: string): void => void told.push(text);
			assert.equal((await runCaptured(["index", action, "--repo", fixture.root], { status })).code, 0);
			assert.deepEqual([told[0], told.at(-1)], ["listing the files", ""]);
		}
	});
});
