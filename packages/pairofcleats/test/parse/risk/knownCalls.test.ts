import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../../src/parse/parseFile.ts";

/** The flows and sinks of a whole file. */
async function riskOf(path: string, text: string): Promise<{ flows: string[]; sinks: string[] }> {
	const { chunks } = await parseFile(path, text);
	const found = chunks.flatMap(({ facts }) => facts?.risk ?? []);
	return { flows: found.flatMap(({ flows }) => flows), sinks: found.flatMap(({ sinks }) => sinks) };
}

test("a value flows into a call with type arguments, awaited or not", async () => {
	for (const call of [
		'pool.query<User>("select " + req.query.x)',
		'await db.query<User>("select " + req.query.x)',
		'await prisma.$queryRawUnsafe<User[]>("select " + req.query.x)',
	]) {
		const { flows } = await riskOf("a.ts", `export async function run(req: Request) {\n\treturn ${call};\n}\n`);
		assert.deepEqual(flows, ["http-input->sql-query"], call);
	}
	const axios = "export async function run(req: Request) {\n\treturn await axios.get<User>(req.body.url);\n}\n";
	assert.deepEqual((await riskOf("a.ts", axios)).flows, ["http-input->request"]);
	assert.deepEqual((await parseFile("a.ts", axios)).chunks[0]?.facts?.calls, ["get", "axios.get"]);
	const java = 'class A {\n\tvoid run(Req req) {\n\t\tstmt.<User>executeQuery("x" + req.getParameter("id"));\n\t}\n}\n';
	assert.deepEqual((await riskOf("A.java", java)).flows, ["http-input->sql-query"]);
});

test("a call without the argument that matters is no sink", async () => {
	const go = 'package a\n\nfunc page(w Writer, r *http.Request) {\n\tfmt.Fprintln(w, r.URL.Query().Get("page"))\n}\n';
	assert.deepEqual(await riskOf("a.go", go), { flows: [], sinks: [] });
});

test("Go's printing functions write HTML only to the response", async () => {
	const inHandler = (body: string): string =>
		`package a\n\nfunc a(w http.ResponseWriter, r *http.Request) {\n\t${body}\n}\n`;
	for (const body of [
		'fmt.Fprintf(w, "<h1>%s", r.FormValue("q"))',
		'fmt.Fprintln(w, r.FormValue("q"))',
		'io.WriteString(w, r.FormValue("q"))',
		'each(func(name string) {\n\t\tfmt.Fprint(w, r.FormValue("q"))\n\t})',
	])
		assert.deepEqual((await riskOf("a.go", inHandler(body))).flows, ["http-input->html-write"], body);
	for (const text of [
		'package a\n\nfunc usage() {\n\tfmt.Fprintf(os.Stderr, "usage: %s file\\n", os.Args[0])\n}\n',
		'package a\n\nfunc usage(w io.Writer) {\n\tfmt.Fprintf(w, "usage: %s file\\n", os.Args[0])\n}\n',
		inHandler('fmt.Fprintf(sha256.New(), "%s", r.URL.Path)'),
		inHandler('fmt.Fprintf(w, "<h1>%d", 1)'),
	])
		assert.deepEqual(await riskOf("a.go", text), { flows: [], sinks: [] }, text);
});

test("a method whose name many libraries share is a sink only where input reaches it", async () => {
	for (const [path, text] of [
		["a.ts", 'function f() {\n\tfixture.debugElement.query(By.css("p"));\n}\n'],
		["a.ts", "function f() {\n\treturn client.query({ query: GET_USERS });\n}\n"],
		["a.ts", "const router = t.router({\n\tall: publicProcedure.query(async () => list()),\n});\n"],
		["a.rb", "def f\n  User.where(active: true).order(:name)\n  user.send(:save)\nend\n"],
	] as const)
		assert.deepEqual(await riskOf(path, text), { flows: [], sinks: [] }, text);
	for (const [path, text, flow] of [
		["a.ts", 'function f(req) {\n\ttx.query("select " + req.query.id);\n}\n', "http-input->sql-query"],
		["a.rb", "def f\n  User.order(params[:sort])\nend\n", "http-input->sql-query"],
		["a.rb", "def f\n  user.send(params[:method])\nend\n", "http-input->code-eval"],
	] as const)
		assert.deepEqual((await riskOf(path, text)).flows, [flow], text);
	assert.deepEqual((await riskOf("a.ts", 'function f() {\n\treturn db.query("select 1");\n}\n')).sinks, ["sql-query"]);
});

test("values bound to a query after a context and its text are safe", async () => {
	const text = (call: string): string => `package a\n\nfunc a(r *http.Request) {\n\t${call}\n}\n`;
	for (const call of [
		'conn.Query(ctx, "select $1", r.FormValue("q"))',
		'tx.Exec(r.Context(), "delete $1", r.FormValue("q"))',
		'db.QueryRow("select ?", r.FormValue("q"))',
	])
		assert.deepEqual(await riskOf("a.go", text(call)), { flows: [], sinks: ["sql-query"] }, call);
});

test("HTML given to an element by a key of an object or an attribute is written", async () => {
	for (const [path, html] of [
		["a.tsx", "<div dangerouslySetInnerHTML={{ __html: q }} />"],
		["a.jsx", "<div dangerouslySetInnerHTML={marked(q)} />"],
		["a.jsx", "<div innerHTML={q}></div>"],
		["a.ts", 'createElement("div", { dangerouslySetInnerHTML: { "__html": q } })'],
	] as const) {
		const text = (value: string): string => `export function A() {\n\tconst q = ${value};\n\treturn ${html};\n}\n`;
		assert.deepEqual((await riskOf(path, text("location.hash"))).flows, ["browser-input->html-write"], html);
		assert.deepEqual(await riskOf(path, text('"<b>"')), { flows: [], sinks: [] }, html);
	}
	const other = "export function A() {\n\treturn <div title={location.hash} innerHTML={text} />;\n}\n";
	assert.deepEqual((await riskOf("a.tsx", other)).flows, []);
});

/** Each statement passes a value of a request on. */
const EVERYDAY: Readonly<Record<string, readonly (readonly [statement: string, flow: string])[]>> = {
	"a.cs": [
		['conn.Query<User>("select " + id);', "http-input->sql-query"],
		['await conn.QueryAsync<User>("select " + id);', "http-input->sql-query"],
		['conn.Execute("delete " + id);', "http-input->sql-query"],
		['await db.Database.ExecuteSqlRawAsync("delete " + id);', "http-input->sql-query"],
		['var c = new NpgsqlCommand("select " + id, conn);', "http-input->sql-query"],
		['command.CommandText = "select " + id;', "http-input->sql-query"],
		["File.ReadAllBytes(id);", "http-input->file-access"],
		["var s = new FileStream(id, FileMode.Open);", "http-input->file-access"],
		["await http.GetAsync(id);", "http-input->request"],
		["return Redirect(id);", "http-input->redirect"],
		['return Content("<b>" + id, "text/html");', "http-input->html-write"],
	],
	"a.php": [
		['DB::select("select $id");', "http-input->sql-query"],
		['DB::statement("delete $id");', "http-input->sql-query"],
		['header("Location: $id");', "http-input->redirect"],
		["return redirect($id);", "http-input->redirect"],
		["file_get_contents($id);", "http-input->request"],
	],
	"a.rb": [
		["redirect_to id", "http-input->redirect"],
		["Net::HTTP.get(URI(id))", "http-input->request"],
	],
	"A.java": [
		['jdbcTemplate.update("delete " + id);', "http-input->sql-query"],
		['jdbcTemplate.query("select " + id, mapper);', "http-input->sql-query"],
		["restTemplate.getForObject(id, String.class);", "http-input->request"],
		["Files.readString(Path.of(id));", "http-input->file-access"],
	],
	"a.go": [
		['pool.Query(ctx, "select "+id)', "http-input->sql-query"],
		['conn.Query(ctx, "select "+id)', "http-input->sql-query"],
		['tx.Exec(context.Background(), "delete "+id)', "http-input->sql-query"],
		['s.db.QueryRow(r.Context(), "select "+id)', "http-input->sql-query"],
		['db.Query("select "+id, limit)', "http-input->sql-query"],
		["http.Redirect(w, r, id, 302)", "http-input->redirect"],
		["c.Redirect(302, id)", "http-input->redirect"],
		["http.ServeFile(w, r, id)", "http-input->file-access"],
		['http.NewRequest("GET", id, nil)', "http-input->request"],
		['db.QueryRowContext(ctx, "select "+chi.URLParam(r, "id"))', "http-input->sql-query"],
	],
};

const AROUND: Readonly<Record<string, (statement: string) => string>> = {
	"a.cs": (statement) => `class C {\n\tasync Task A() {\n\t\tvar id = Request.Query["id"];\n\t\t${statement}\n\t}\n}\n`,
	"a.php": (statement) => `<?php\nfunction a() {\n  $id = $_GET['id'];\n  ${statement}\n}\n`,
	"a.rb": (statement) => `def a\n  id = params[:id]\n  ${statement}\nend\n`,
	"A.java": (statement) =>
		`class A {\n\tvoid a(Req r) {\n\t\tString id = r.getParameter("id");\n\t\t${statement}\n\t}\n}\n`,
	"a.go": (statement) => `package a\n\nfunc a(r *http.Request) {\n\tid := r.PathValue("id")\n\t${statement}\n}\n`,
};

for (const [path, statements] of Object.entries(EVERYDAY)) {
	test(`the everyday ways of passing input on are known: ${path}`, async () => {
		for (const [statement, flow] of statements)
			assert.deepEqual((await riskOf(path, AROUND[path]?.(statement) ?? "")).flows, [flow], statement);
	});
}

test("a risky function is known by any name that an import gives it", async () => {
	const python = `import pickle as pk
import subprocess as sp
from os import system
from subprocess import (
    Popen,
    check_output as co,
)

def a(): system(request.args['q'])

def b(): Popen(request.args['q'], shell=True)

def c(): co(request.args['q'], shell=True)

def d(): sp.run(request.args['q'], shell=True)

def e(): pk.loads(request.data)
`;
	const exec = "http-input->command-exec";
	assert.deepEqual((await riskOf("a.py", python)).flows, [exec, exec, exec, exec, "http-input->deserialize"]);
	const script = `import * as cp from "node:child_process";
import { execSync as sh } from "child_process";
import { readFile } from "fs/promises";
const { exec: go } = require("child_process");
function a(req) { cp.exec(req.query.q); }
function b(req) { sh(req.query.q); }
function c(req) { readFile(req.query.q); }
function d(req) { go(req.query.q); }
function e(req) { require("child_process").execSync(req.query.q); }
`;
	assert.deepEqual((await riskOf("a.js", script)).flows, [exec, exec, "http-input->file-read", exec, exec]);
	const go =
		'package a\n\nimport ex "os/exec"\n\nfunc a(r *http.Request) {\n\tex.Command("sh", "-c", r.FormValue("q"))\n}\n';
	assert.deepEqual((await riskOf("a.go", go)).flows, [exec]);
});

test("an imported function is no sink because a method of its name is one", async () => {
	const text = 'import { query } from "lit/decorators.js";\n\nexport function run() {\n\treturn query("#id");\n}\n';
	assert.deepEqual(await riskOf("a.ts", text), { flows: [], sinks: [] });
});
