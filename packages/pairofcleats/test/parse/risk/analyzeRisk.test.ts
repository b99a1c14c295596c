import assert from "node:assert/strict";
import { test } from "node:test";
import type { RiskFacts } from "../../../src/parse/chunk.ts";
import { parseFile } from "../../../src/parse/parseFile.ts";
import { readRiskRules } from "../../../src/parse/risk/rules/readRiskRules.ts";

/** One function per language family with a source that reaches a sink. */
const FLOWS: readonly {
	readonly path: string;
	readonly source: string;
	readonly flows: readonly string[];
	readonly severity: RiskFacts["severity"];
}[] = [
	{
		path: "a.ts",
		source:
			"export function run(req: Request) {\n\tconst name = req.query.name;\n\tconst sql = 'select ' + name;\n\treturn db.query(sql);\n}\n",
		flows: ["http-input->sql-query"],
		severity: "high",
	},
	{
		path: "a.js",
		source: "function show() {\n\tconst text = location.hash;\n\telement.innerHTML = text;\n\treturn 1;\n}\n",
		flows: ["browser-input->html-write"],
		severity: "high",
	},
	{
		path: "a.py",
		source: "def run():\n    name = request.args['n']\n    os.system('ls ' + name)\n    return 1\n",
		flows: ["http-input->command-exec"],
		severity: "critical",
	},
	{
		path: "A.java",
		source:
			'class A {\n\tvoid run(Req req) {\n\t\tString id = req.getParameter("id");\n\t\tstatement.executeQuery("select " + id);\n\t\tnext();\n\t}\n}\n',
		flows: ["http-input->sql-query"],
		severity: "high",
	},
	{
		path: "a.go",
		source:
			'package a\n\nfunc run(r *http.Request) {\n\tname := r.FormValue("n")\n\texec.Command("sh", name)\n\tdone()\n}\n',
		flows: ["http-input->command-exec"],
		severity: "critical",
	},
	{
		path: "a.rb",
		source: 'def run\n  name = params[:name]\n  system("ls #{name}")\n  done\nend\n',
		flows: ["http-input->command-exec"],
		severity: "critical",
	},
	{
		path: "a.php",
		source: "<?php\nfunction run() {\n  $id = $_GET['id'];\n  return mysqli_query($db, \"select $id\");\n}\n",
		flows: ["http-input->sql-query"],
		severity: "high",
	},
	{
		path: "a.c",
		source: 'void run(void)\n{\n\tchar *name = getenv("NAME");\n\tsystem(name);\n\tdone();\n}\n',
		flows: ["environment->command-exec"],
		severity: "critical",
	},
	{
		path: "copied.c",
		source: 'void run(char **argv)\n{\n\tsnprintf(line, 9, "ls %s", argv[1]);\n\tsystem(line);\n\tdone();\n}\n',
		flows: ["arguments->command-exec"],
		severity: "critical",
	},
	{
		path: "appended.c",
		source: "void run(char **argv)\n{\n\tstrncat(job->line, argv[1], 9);\n\tsystem(job->line);\n\tdone();\n}\n",
		flows: ["arguments->command-exec"],
		severity: "critical",
	},
	{
		path: "a.cs",
		source:
			"class A {\n  void Run() {\n    var name = Console.ReadLine();\n    Process.Start(name);\n    Next();\n  }\n}\n",
		flows: ["stdin->command-exec"],
		severity: "critical",
	},
	{
		path: "a.rs",
		source: 'fn run() {\n    let name = env::var("X");\n    Command::new(name);\n    done();\n}\n',
		flows: ["environment->command-exec"],
		severity: "critical",
	},
	{
		path: "a.sh",
		source: 'run() {\n  name=$1\n  eval "$name"\n  echo done\n}\n',
		flows: ["arguments->code-eval"],
		severity: "critical",
	},
];

for (const { path, source, flows, severity } of FLOWS) {
	test(`a value is followed from its source to a sink: ${path}`, async () => {
		const risk = await riskOf(path, source);
		assert.deepEqual(risk?.flows, flows);
		assert.equal(risk?.severity, severity);
	});
}

test("a value that passed a sanitizer or was overwritten is no longer tainted", async () => {
	const clean = await riskOf(
		"a.js",
		"function f(req) {\n\tconst id = Number(req.query.id);\n\tdb.query('x' + id);\n\treturn 1;\n}\n",
	);
	assert.deepEqual(
		[clean?.sources, clean?.sinks, clean?.flows, clean?.severity],
		[["http-input"], ["sql-query"], [], "medium"],
	);
	const overwritten = await riskOf(
		"a.js",
		"function f(req) {\n\tlet id = req.query.id;\n\tid = 1;\n\tdb.query('x' + id);\n}\n",
	);
	assert.deepEqual(overwritten?.flows, []);
});

test("a value that its type keeps from carrying code is not tainted", async () => {
	const texts: Readonly<Record<string, (parameter: string, text: string) => string>> = {
		"A.java": (parameter, text) =>
			`class A {\n\tvoid f(${parameter}, String o) { st.executeQuery("x" + ${text}); }\n}\n`,
		"a.kt": (parameter, text) => `fun f(${parameter}, o: String) { st.executeQuery("x" + ${text}) }\n`,
		"a.cs": (parameter, text) => `class A {\n\tvoid F(${parameter}, string o) { conn.Query("x" + ${text}); }\n}\n`,
		"a.ts": (parameter, text) => `class A {\n\tf(${parameter}, o: string) { db.query("x" + ${text}); }\n}\n`,
		"a.php": (value, text) => `<?php\nfunction f($o) { $id = ${value}; $pdo->query("x" . ${text}); }\n`,
	};
	for (const [path, parameter, text, flows] of [
		["A.java", "@PathVariable Long id", "id", 0],
		["A.java", '@Valid @RequestParam("q") final int id', "id", 0],
		["A.java", "@RequestParam @Valid List<java.util.UUID> id", "id", 0],
		["A.java", "@RequestParam Optional<String> id", "id", 1],
		["A.java", "@RequestParam Map<String, Long> id", "id", 1],
		["A.java", "@RequestParam String id", "Integer.valueOf(id)", 0],
		["a.kt", "@PathVariable id: Long?", "id", 0],
		["a.kt", "@PathVariable id: String = Long", "id", 1],
		["a.kt", "@PathVariable id: String", "id.toInt()", 0],
		["a.cs", "[FromQuery] int? id", "id", 0],
		["a.cs", "[FromRoute] Guid id", "id", 0],
		["a.cs", "[FromRoute] string id", "id", 1],
		// A framework that reads no types hands on a string.
		["a.ts", "@Query() id: boolean", "id", 1],
		["a.php", "(int) $_GET['id']", "$id", 0],
		["a.php", "( float ) $_GET['id']", "$id", 0],
		["a.php", "(string) $_GET['id']", "$id", 1],
		["a.php", "(int) $o . $_GET['id']", "$id", 1],
	] as const) {
		const found = (await riskOf(path, texts[path]?.(parameter, text) ?? ""))?.flows ?? [];
		assert.equal(found.length, flows, `${path}: ${parameter}`);
	}
	const csharp = 'if (int.TryParse(id, out var n)) conn.Query("x" + n);';
	assert.deepEqual((await riskOf("a.cs", `class A {\n\tvoid F([FromQuery] string id) { ${csharp} }\n}\n`))?.flows, []);
});

test("a default for a missing value leaves the value that was given tainted", async () => {
	for (const [path, source] of [
		["a.ts", "function f(req) {\n\tlet id = req.query.id;\n\tif (!id) id = '1';\n\tdb.query('x' + id);\n}\n"],
		["a.ts", "function f(req) {\n\tlet id = req.query.id;\n\t!id && (id = '1');\n\tdb.query('x' + id);\n}\n"],
		["a.py", "def f():\n    q = request.args['q']\n    if not q:\n        q = ''\n    cursor.execute('x' + q)\n"],
		[
			"a.go",
			'func f(r *http.Request) {\n\tq := r.FormValue("q")\n\tif q == "" {\n\t\tq = "x"\n\t}\n\tdb.Query("x" + q)\n}\n',
		],
		[
			"a.php",
			"<?php\nfunction f() {\n\t$q = $_GET['q'];\n\tif (!$q) { $q = 'x'; }\n\tmysqli_query($c, \"x $q\");\n}\n",
		],
		[
			"A.java",
			'class A {\n\tvoid f(Req r) {\n\t\tString q = r.getParameter("q");\n\t\tif (q == null) q = "";\n\t\tst.executeQuery("x" + q);\n\t}\n}\n',
		],
		["a.rb", "def f\n  q = params[:q]\n  q = '' unless q\n  db.execute(q)\nend\n"],
		["a.sh", 'f() {\n  q=$1\n  [ -z "$q" ] && q=x\n  eval "$q"\n}\n'],
	] as const)
		assert.equal((await riskOf(path, source))?.flows.length, 1, source);
});

test("a value overwritten in a branch is clean to the end of that branch only", async () => {
	const flowsOf = async (body: string): Promise<readonly string[] | undefined> =>
		(await riskOf("a.js", `function f(req) {\n\tlet id = req.query.id;\n\t${body}\n}\n`))?.flows;
	for (const body of [
		"if (a) { id = 1; } else { eval(id); }",
		"if (a) { if (b) { id = 1; } eval(id); }",
		"if (a) { id = req.body; id = 1; } eval(id);",
		"switch (a) { case 1: id = 1; break; case 2: eval(id); }",
		"switch (a) { default: id = 1; } eval(id);",
		"try { a(); } catch { id = 1; } eval(id);",
		"for (const a of b) { id = 1; } eval(id);",
		"later(() => { id = 1; }); eval(id);",
	])
		assert.deepEqual(await flowsOf(body), ["http-input->code-eval"], body);
	for (const body of [
		"if (a) { id = 1; eval(id); }",
		"if (a) { id = 1; if (b) { id = 2; } eval(id); }",
		"if (a) { let own = req.body; own = 1; } eval(own);",
		"if (a) { id = 1; } id = 2; eval(id);",
		"if ((id = next())) { eval(id); }",
		"for (id = 1; id < 2; ) { eval(id); }",
	])
		assert.deepEqual(await flowsOf(body), [], body);
});

test("a loop carries a tainted value back to a line above", async () => {
	const risk = await riskOf(
		"a.js",
		"function f(req) {\n\tlet next;\n\twhile (true) {\n\t\teval(next);\n\t\tnext = req.body;\n\t}\n}\n",
	);
	assert.deepEqual(risk?.flows, ["http-input->code-eval"]);
	const straight = await riskOf(
		"a.js",
		"function f(req) {\n\tlet next;\n\teval(next);\n\tnext = req.body;\n\treturn 1;\n}\n",
	);
	assert.deepEqual(straight?.flows, []);
});

test("taint follows an object, its parts and the collections it is added to", async () => {
	for (const [path, source, flow] of [
		["a.py", "def f(self):\n    eval(self.request.GET['x'])\n", "http-input->code-eval"],
		["a.py", "def f():\n    return [os.system(c) for c in sys.argv]\n", "arguments->command-exec"],
		["a.py", "def f():\n    with open(name) as x, take(input()) as y:\n        eval(y)\n", "stdin->code-eval"],
		["a.py", "def f(cmd):\n    cmd.append(input())\n    subprocess.run(cmd)\n", "stdin->command-exec"],
		[
			"a.js",
			"function f(req) {\n\tconst { body, query: asked } = req;\n\teval(asked.x);\n}\n",
			"http-input->code-eval",
		],
		["a.js", "function f(req) {\n\tlist.push(req.body);\n\tspawn('x', list);\n}\n", "http-input->command-exec"],
		["a.ts", "function f(req: R) {\n\tconst x = (req as any).body;\n\teval(x);\n}\n", "http-input->code-eval"],
	] as const)
		assert.deepEqual((await riskOf(path, source))?.flows, [flow], source);
	const alone = await riskOf("a.py", "def f(self):\n    return self.request.GET\n");
	assert.deepEqual(alone?.sources, ["http-input"]);
	assert.deepEqual((await riskOf("a.js", "function f(req) {\n\tconst { body } = req;\n}\n"))?.sources, ["http-input"]);
	assert.equal(await riskOf("a.py", "def f(given):\n    sys.argv = given\n"), undefined);
	const other = await riskOf(
		"a.js",
		"function f(req) {\n\tlist.push(1);\n\tconst { id } = req;\n\teval(list + id);\n}\n",
	);
	assert.deepEqual(other?.flows, []);
});

test("a text that is put together piece by piece is tainted by each of them", async () => {
	const flow = "http-input->sql-query";
	const java = (built: string): string =>
		`class A {\n\tvoid f(Req r) {\n\t\tString q = r.getParameter("q");\n\t\t${built}\n\t\tst.executeQuery(sb.toString());\n\t}\n}\n`;
	const csharp = (built: string): string =>
		`class A {\n\tvoid F([FromQuery] string q) {\n\t\t${built}\n\t\tconn.Query(sb.ToString());\n\t}\n}\n`;
	const go = (built: string): string =>
		`package a\n\nfunc f(r *http.Request) {\n\tq := r.FormValue("q")\n\tvar sb strings.Builder\n\t${built}\n\tdb.Query(sb.String())\n}\n`;
	for (const [path, text] of [
		["A.java", java('sb.append("select ").append(q).append(" x");')],
		["a.cs", csharp('sb.Append("select ").Append(q);')],
		["a.cs", csharp('sb.AppendLine($"x {q}");')],
		["a.cs", csharp('sb.AppendFormat("x {0}", q);')],
		["a.go", go("sb.WriteString(q)")],
		["a.go", go('fmt.Fprintf(&sb, "select %s", q)')],
		["a.go", go("io.WriteString(&sb, q)")],
	] as const)
		assert.deepEqual((await riskOf(path, text))?.flows, [flow], text);
	for (const [path, text] of [
		["A.java", java('sb.append("select ").append("x"); other.append("x").append(q);')],
		["A.java", java("sb.find(1).append(q);")],
		["a.go", go('sb.WriteString("x"); fmt.Fprintf(os.Stderr, "%s", q)')],
	] as const)
		assert.deepEqual((await riskOf(path, text))?.flows, [], text);
	const { chunks } = await parseFile("a.go", go('sb.WriteString("x"); io.WriteString(&sb, "y")'));
	assert.deepEqual(chunks.at(-1)?.facts?.mutates, ["sb"]);
});

test("a request that is unpacked in depth or read by a string index is input", async () => {
	const flowsOf = async (body: string): Promise<readonly string[] | undefined> =>
		(await riskOf("a.js", `function f(req) {\n\t${body}\n\treturn 1;\n}\n`))?.flows;
	for (const body of [
		"const { body: { name } } = req; eval(name);",
		"const { query: { id: asked = 1 } = {} } = req; eval(asked);",
		"const { request: { body } } = ctx; eval(body.x);",
		"const { 'body': { a: [first], ...rest } } = req; eval(rest);",
		"const name = req['body']['name']; eval(name);",
	])
		assert.deepEqual(await flowsOf(body), ["http-input->code-eval"], body);
	for (const body of [
		"const { user: { name } } = req; eval(name);",
		"const { [body]: name } = req; eval(name);",
		"const { body: { name = other } } = req; eval(other);",
		"const { name = other } = req.body; eval(other);",
		"eval(req[body]);",
	])
		assert.deepEqual(await flowsOf(body), [], body);
});

test("a call of the same name on another receiver is not a sink, and a string is not code", async () => {
	assert.equal(
		await riskOf(
			"a.js",
			"function f(text) {\n\tconst found = /x/.exec(text);\n\tconst words = 'eval(req.body)';\n\treturn found;\n}\n",
		),
		undefined,
	);
	assert.equal(
		await riskOf("a.py", "def f(model):\n    x = model.eval()\n    # os.system(request.args)\n    return x\n"),
		undefined,
	);
});

test("a decorator is a source on a parameter only, and alone is low", async () => {
	const source =
		"class A {\n\t@Query\n\tvoid g() {}\n\n\tvoid f(@RequestBody Order order) {\n\t\tkeep(order);\n\t}\n}\n";
	const { chunks } = await parseFile("A.java", source);
	assert.deepEqual(
		chunks.map(({ name, facts }) => [name, facts?.risk?.sources, facts?.risk?.severity]),
		[
			["A", undefined, undefined],
			["g", undefined, undefined],
			["f", ["http-input"], "low"],
		],
	);
});

test("a source alone is low, and tags and categories name what was seen", async () => {
	const risk = await riskOf("a.ts", "export function f() {\n\tconst home = process.env.HOME;\n\treturn home;\n}\n");
	assert.deepEqual(risk, {
		tags: ["env"],
		categories: [],
		sources: ["environment"],
		sinks: [],
		flows: [],
		severity: "low",
	});
});

test("a user's rules come before the built-in ones, or replace them", async () => {
	const source = "function f() {\n\tconst q = queue.take();\n\tlegacy.launch(q);\n\treturn 1;\n}\n";
	const rules = {
		sources: [{ name: "queue", languages: ["ecmascript"], patterns: ["queue.take()"] }],
		sinks: [{ name: "launch", category: "command", severity: "critical", patterns: ["legacy.launch()"] }],
	};
	const added = await riskOf("a.js", source, JSON.stringify(rules));
	assert.deepEqual([added?.flows, added?.categories], [["queue->launch"], ["command"]]);
	const alone = JSON.stringify({ ...rules, extends: "none" });
	assert.equal(
		await riskOf("a.js", "function f(req) {\n\tconst a = req.body;\n\teval(a);\n\treturn 1;\n}\n", alone),
		undefined,
	);
});

test("a rule names its languages as a search does", async () => {
	const source = "export function f() {\n\tsinkOf(sourceOf());\n\treturn 1;\n}\n";
	const rulesFor = (language: string): string =>
		JSON.stringify({
			sources: [{ name: "in", patterns: ["sourceOf()"], languages: [language] }],
			sinks: [{ name: "out", category: "c", patterns: ["sinkOf()"], languages: [language] }],
		});
	for (const [path, language] of [
		["a.js", "js"],
		["a.ts", "TypeScript"],
		["a.tsx", "typescript"],
		["a.js", "ECMAScript"],
	] as const)
		assert.deepEqual((await riskOf(path, source, rulesFor(language)))?.flows, ["in->out"], language);
	assert.equal(await riskOf("a.js", source, rulesFor("python")), undefined);
});

test("a mistake in a rule file names its field, the expectation and the value", () => {
	const cases: readonly (readonly [unknown, RegExp])[] = [
		[[], /risk rules: expected an object, got \[\]/],
		[{ sink: [] }, /sink: expected one of extends, sources, sinks, sanitizers/],
		[{ extends: "x" }, /extends: expected "default" or "none", got "x"/],
		[
			{ sinks: [{ name: "a", patterns: ["b()"], category: "c", severity: "huge" }] },
			/sinks\[0\]\.severity: expected one of low, medium, high, critical, got "huge"/,
		],
		[{ sinks: [{ name: "a", patterns: ["b()"] }] }, /sinks\[0\]\.category: expected a word/],
		[{ sources: [{ name: "a", patterns: ["(.*)+"] }] }, /sources\[0\]\.patterns\[0\]: expected a name such as/],
		[
			{ sources: [{ name: "a", patterns: ["b()"], languages: ["go", "typescrpt"] }] },
			/sources\[0\]\.languages\[1\]: expected a language such as go, js or ecmascript, got "typescrpt"/,
		],
		[
			{ sources: [{ name: "a", patterns: [], languages: [] }] },
			/sources\[0\]\.patterns: expected at least one pattern/,
		],
		[
			{ sanitizers: [{ name: "a", patterns: ["b()"], tags: [] }] },
			/sanitizers\[0\]\.tags: expected one of name, languages, patterns/,
		],
	];
	for (const [rules, message] of cases) assert.throws(() => readRiskRules(JSON.stringify(rules)), message);
	assert.throws(() => readRiskRules("{"), /risk rules: expected JSON/);
});

async function riskOf(path: string, source: string, rules?: string): Promise<RiskFacts | undefined> {
	const parsed = await parseFile(path, source, rules === undefined ? {} : { riskRules: readRiskRules(rules) });
	return parsed.chunks.find((chunk) => chunk.kind === "function" || chunk.kind === "method")?.facts?.risk;
}

test("rules apply to grammars that run in a separate process", async () => {
	const rules = JSON.stringify({ extends: "none", sinks: [{ name: "boom", category: "c", patterns: ["boom()"] }] });
	const source = 'fun f() {\n    val a = System.getenv("A")\n    boom(a)\n}\n';
	assert.deepEqual((await riskOf("a.kt", source))?.sources, ["environment"]);
	assert.deepEqual((await riskOf("a.kt", source, rules))?.sinks, ["boom"]);
});

test("vulnerable code is reported as a flow, and its safe variant is not", async () => {
	const pairs: readonly [path: string, flow: string, vulnerable: string, safe: string][] = [
		[
			"a.js",
			"http-input->sql-query",
			"function f(req) { db.query('select ' + req.query.id); }",
			"function f(req) { db.query('select ?', [req.query.id]); }",
		],
		[
			"a.py",
			"http-input->sql-query",
			"def f(request):\n    cursor.execute('select %s' % request.GET['id'])\n",
			"def f(request):\n    cursor.execute('select %s', [request.GET['id']])\n",
		],
		[
			"a.rb",
			"http-input->sql-query",
			"def f\n  User.where(\"name = '#{params[:n]}'\")\nend\n",
			"def f\n  User.where(name: params[:n])\nend\n",
		],
		[
			"b.rb",
			"http-input->command-exec",
			"def f\n  list = []\n  list << params[:q]\n  exec(list.first)\nend\n",
			"def f\n  list = []\n  list == params[:q]\n  exec(list.first)\nend\n",
		],
		[
			"a.php",
			"http-input->html-write",
			"<?php function f() { foreach ($_GET as $k => $v) { echo $v; } }",
			"<?php function f() { foreach ($_GET as $k => $v) { echo htmlspecialchars($v); } }",
		],
		[
			"b.php",
			"http-input->file-include",
			"<?php function f() { include $_GET['page']; }",
			"<?php function f() { include 'page.php'; log($_GET['page']); }",
		],
		[
			"a.c",
			"input->format-string",
			"void f(void) { char line[9]; fgets(line, 9, stdin); printf(line); }",
			'void f(void) { char line[9]; fgets(line, 9, stdin); printf("%s", line); }',
		],
		[
			"a.rs",
			"arguments->command-exec",
			'fn f() { let n = std::env::args().nth(1); Command::new("sh").arg(n).spawn(); }',
			'fn f() { let n = std::env::args().nth(1); Command::new("sh").arg("-l").spawn(); }',
		],
		[
			"a.go",
			"http-input->sql-query",
			'package a\nfunc F(req *http.Request) { db.QueryContext(ctx, "select "+req.URL.Path) }\n',
			'package a\nfunc F(req *http.Request) { db.QueryContext(ctx, "select ?", req.URL.Path) }\n',
		],
		[
			"a.kt",
			"http-input->sql-query",
			'fun f(call: Call) { val id = call.request.queryParameters["id"]; st.executeQuery("select $id") }',
			'fun f(call: Call) { val id = call.request.queryParameters["id"]; st.executeQuery("select 1"); log(id) }',
		],
		[
			"B.java",
			"http-input->sql-query",
			'class A { String f(@RequestParam("q") String query, int page) { return jdbc.queryForList("select " + query); } }',
			'class A { String f(@RequestParam("q") String query, int page) { return jdbc.queryForList("select " + page); } }',
		],
		[
			"b.kt",
			"http-input->sql-query",
			'fun f(@Valid @PathVariable("id") id: String, page: Int = 1) { st.executeQuery("select $id") }',
			'fun f(@Valid @PathVariable("id") id: String, page: Int = 1) { st.executeQuery("select $page") }',
		],
		[
			"a.cs",
			"http-input->command-exec",
			"class A { void F([FromBody] Order order, int n) { Process.Start(order.Name); } }",
			"class A { void F([FromBody] Order order, int n) { Process.Start(n); } }",
		],
		[
			"b.ts",
			"http-input->sql-query",
			"class A { f(@Body() { id }: Dto, n: number) { return this.db.query('select ' + id); } }",
			"class A { f(@Body() { id }: Dto, n: number) { return this.db.query('select ' + n); } }",
		],
		[
			"c.rb",
			"http-input->command-exec",
			"def f\n  `ls #{params[:d]}`\nend\n",
			"def f\n  `ls`\n  log(params[:d])\nend\n",
		],
		[
			"d.rb",
			"http-input->command-exec",
			"def f\n  %x(ls #{params[:d]})\nend\n",
			"def f\n  %x(ls)\n  log(params[:d])\nend\n",
		],
		[
			"c.php",
			"http-input->command-exec",
			"<?php function f() { $d = $_GET['d']; return `ls $d`; }",
			"<?php function f() { log($_GET['d']); return `ls`; }",
		],
		[
			"a.cc",
			"stdin->command-exec",
			"void f() { std::string a, b; std::cin >> a >> b; system(b.c_str()); }",
			"void f() { std::string a, b; int n = x >> b; std::cin >> a; system(b.c_str()); }",
		],
		[
			"c.js",
			"browser-input->html-write",
			"function f() { document.getElementById('x').innerHTML = location.hash; }",
			"function f() { document.getElementById('x').textContent = location.hash; }",
		],
		[
			"d.js",
			"browser-input->html-write",
			"function f() { $('#x').html(location.hash); }",
			"function f() { $('#x').html('plain'); log(location.hash); }",
		],
		[
			"e.ts",
			"http-input->sql-query",
			"export async function POST(request: Request) { const b = await request.json(); return db.query('select ' + b.id); }",
			"export async function POST(request: Request) { const b = await request.json(); return db.query('select ?', [b.id]); }",
		],
		[
			"e.rb",
			"http-input->code-eval",
			"def f\n  name = params[:k]\n  name.constantize\nend\n",
			"def f\n  log(params[:k])\n  'User'.constantize\nend\n",
		],
		[
			"C.java",
			"http-input->deserialize",
			"class A { void f(Req req) { var in = new ObjectInputStream(req.getInputStream()); in.readObject(); } }",
			"class A { void f(Req req) { var in = new ObjectInputStream(file); in.readObject(); log(req.getInputStream()); } }",
		],
		[
			"b.go",
			"http-input->command-exec",
			'package a\nfunc F(c *gin.Context) { var in In; c.ShouldBindJSON(&in); exec.Command("sh", "-c", in.Cmd) }\n',
			'package a\nfunc F(c *gin.Context) { var in In; c.ShouldBindJSON(&in); exec.Command("sh", "-c", "ls") }\n',
		],
		[
			"f.ts",
			"http-input->sql-query",
			"function f(req) { client.query({ text: 'select ' + req.query.id, values: [] }); }",
			"function f(req) { client.query({ text: 'select $1', values: [req.query.id] }); }",
		],
		[
			"g.ts",
			"http-input->sql-query",
			"function f(req) { const sql = 'select ' + req.query.id; return db.query({ sql, values: [] }); }",
			"function f(req) { const sql = 'select ?', values = [req.query.id]; return db.query({ sql, values }); }",
		],
		[
			"h.ts",
			"http-input->sql-query",
			`function f(req) { db.query(\`select \${req.query.id}\`); }`,
			`function f(req) { db.query(sql\`select \${req.query.id}\`); }`,
		],
		[
			"f.rb",
			"http-input->sql-query",
			'def f\n  User.where(["name = #{params[:n]}", 1])\nend\n',
			"def f\n  User.where(['name = ?', params[:n]])\n  User.where({ name: params[:n] })\nend\n",
		],
		[
			"d.php",
			"http-input->sql-query",
			"<?php function f() { $db->prepare('select ' . $_GET['id'])->execute(); }",
			"<?php function f() { $db->query($db->prepare('select %s', $_GET['id'])); }",
		],
		[
			"c.go",
			"http-input->sql-query",
			'package a\nfunc F(c *gin.Context) { db.Where("name = " + c.Query("n")).Find(&u) }\n',
			'package a\nfunc F(c *gin.Context) { db.Where("name = ?", c.Query("n")).Where(&User{Name: c.Query("n")}).Find(&u) }\n',
		],
		["a.sh", "arguments->command-exec", 'f() {\n  bash -c "$1"\n}\n', 'f() {\n  bash -c ls\n  echo "$1"\n}\n'],
	];
	for (const [path, flow, vulnerable, safe] of pairs) {
		const flowsOf = async (text: string): Promise<string[]> =>
			(await parseFile(path, text)).chunks.flatMap((chunk) => chunk.facts?.risk?.flows ?? []);
		assert.deepEqual(await flowsOf(vulnerable), [flow], `${path}, vulnerable`);
		assert.deepEqual(await flowsOf(safe), [], `${path}, safe`);
	}
});

test("a rule file may say which argument counts, what fills its arguments and what is quiet", () => {
	const rules = readRiskRules(
		JSON.stringify({
			extends: "none",
			sources: [{ name: "take", patterns: ["take()"], fills: true }],
			sinks: [{ name: "launch", category: "command", patterns: ["launch()"], argument: 1, quiet: true }],
		}),
	);
	assert.equal(rules.sources[0]?.fills, true);
	assert.deepEqual([rules.sinks[0]?.argument, rules.sinks[0]?.quiet], [1, true]);
	for (const [field, rule] of [
		["argument", { argument: -1 }],
		["quiet", { quiet: "yes" }],
	] as const) {
		const text = JSON.stringify({ sinks: [{ name: "x", category: "y", patterns: ["x()"], ...rule }] });
		assert.throws(() => readRiskRules(text), new RegExp(`sinks\\[0\\]\\.${field}`));
	}
});

test("a function or block given to a method of a tainted value takes the value, and nothing outside of it does", async () => {
	const inside: Readonly<Record<string, string>> = {
		"a.ts": "function f(req) {\n\t(req.query.ids ?? []).filter(Boolean).forEach((id) => eval(id));\n}\n",
		"a.js": "function f(req) {\n\treq.query.ids.map(function (id) {\n\t\treturn eval(id);\n\t});\n}\n",
		"a.rb": "def f\n  params[:ids].map(&:strip).each do |id|\n    system(id)\n  end\nend\n",
		"A.java":
			'class A {\n\tvoid f(Req req) {\n\t\treq.getParameter("id").lines().forEach(id -> runtime.exec(id));\n\t}\n}\n',
		"a.kt": 'fun f(req: Req) {\n\treq.getParameterValues("id").forEach { Runtime.getRuntime().exec(it) }\n}\n',
		"a.cs": 'class A\n{\n\tvoid F()\n\t{\n\t\tRequest.Query["id"].ToList().ForEach(id => Process.Start(id));\n\t}\n}\n',
	};
	for (const [path, text] of Object.entries(inside)) {
		const flows = (await riskOf(path, text))?.flows ?? [];
		assert.match(flows.join(), /^http-input->(?:code-eval|command-exec)$/, path);
	}
	const outside =
		"function f(req, safe) {\n\treq.query.ids.forEach((id) => log(id));\n\tsafe.forEach((id) => eval(id));\n\teval(id);\n}\n";
	assert.deepEqual((await riskOf("a.js", outside))?.flows, []);
	const given = "function f(req, app) {\n\tapp.get(req.query.path, (name) => eval(name));\n}\n";
	assert.deepEqual((await riskOf("a.js", given))?.flows, []);
});

test("a call that reads the request is no sink for another's sake", async () => {
	const parsed = await parseFile(
		"a.go",
		'package a\nfunc F(c *gin.Context) { name := c.Query("name"); c.JSON(200, name) }\n',
	);
	const [risk] = parsed.chunks.flatMap(({ facts }) => facts?.risk ?? []);
	assert.deepEqual([risk?.sources, risk?.sinks], [["http-input"], []]);
});
