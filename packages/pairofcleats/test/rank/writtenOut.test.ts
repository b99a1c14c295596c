import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Hit } from "../../src/query/result.ts";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

/** The first file contains every word more often than the file with the message. */
const FILES = {
	"src/pool.py": `class Pool:
    """A pool of connections: the pinned connection of a pool, the pinned connection of a thread, host and pool."""

    def pinned_connection(self, connection, host, pool, thread):
        # host of the pinned connection, left pool, pinned pool, left host
        return connection.pinned or pool.pinned_connection or host.left

    def left_host(self, host, connection):
        return host.left, connection.left, self.pool.left
`,
	"src/report.py": `def tell(log, pool, host):
    for entry in log:
        entry.close()
    log.write("Connection #%d to host %s left its pool, nothing is pinned" % (pool.number, host))
    log.flush()
`,
	"src/other.py": `def other(log):\n    log.write("this connection was never pinned by any pool of a host")\n`,
};

let fixture: Fixture;
before(async () => {
	fixture = await fixtureOf(FILES);
});
after(() => fixture.remove());

async function first(query: string, request: object = {}): Promise<Hit | undefined> {
	return (await fixture.repository.search({ query, context: 0, ...request })).hits[0];
}

test("a message leads to the line that says it, whatever was filled in and whatever a log puts before it", async () => {
	for (const query of [
		"host example left its pool, nothing is pinned",
		"Connection #42 to host left its pool, nothing is pinned",
		"2024-01-02 03:04:05 WARN host left its pool, nothing is pinned",
	]) {
		const hit = await first(query);
		assert.equal(hit?.path, "src/report.py", query);
		assert.deepEqual(hit.snippet.matched, [4], query);
	}
});

test("names, paths and quotes in a message are values, which the line that says it need not have", async () => {
	for (const value of [
		"db_1",
		"pinnedConnection",
		"/srv/pool/thread.sock",
		"https://pool.example/thread",
		"'thread pool'",
	])
		assert.equal((await first(`Connection #3 to host ${value} left its`))?.path, "src/report.py", value);
});

test("what a message quotes is demanded only where no text has the message with something else in it", async () => {
	const message = 'to host "pinned connection" left its pool, nothing is pinned';
	const { hits, warnings } = await fixture.repository.search({ query: message });
	assert.equal(hits[0]?.path, "src/report.py");
	assert.deepEqual(
		warnings.map(({ message }) => message),
		["the words round the quotes are found with another text in them; the text in quotes is not demanded"],
	);
	for (const query of ['host of a pool "pinned connection"', `${message} -entry`])
		assert.equal((await first(query))?.path, "src/pool.py", query);
});

test("a question that shares words with a message is ranked by its words", async () => {
	assert.equal((await first("pinned connection of a pool for the host"))?.path, "src/pool.py");
});

test("a message is searched only in documents that pass the filters", async () => {
	assert.equal((await first("host left its pool, nothing is pinned", { path: "src/pool.py" }))?.path, "src/pool.py");
});

test("what a message is worth is part of the words that explain a score", async () => {
	const hit = await first("host example left its pool, nothing is pinned", { explain: true });
	assert.ok((hit?.scoreParts?.words ?? 0) > 1);
	const sum = Object.values(hit?.scoreParts ?? {}).reduce((total, part) => total + part, 0);
	assert.ok(Math.abs(sum - (hit?.score ?? 0)) < 1e-3);
});

test("a message of few words of its own leads to the text that it was made of", async (t) => {
	const noise = Object.fromEntries(
		Array.from({ length: 12 }, (_, number) => [
			`src/noise${number}.rb`,
			`# The route of the login is defined and completed, in ms.\ndef route_${number}(login)\n  login.route.defined.completed.unknown.command.keys.missing\nend\n`,
		]),
	);
	const few = await fixtureOf({
		...noise,
		"src/a.rb": `def tell(status, took)\n  took = took.round\n  log "Completed #{status} #{NAMES[status]} in #{took}ms"\nend\n`,
		"src/b.php": `<?php\nfunction url($name) {\n\t$a = 1;\n\tthrow new Missing("Route [{$name}] not defined.");\n}\n`,
		"src/c.go": `package c\n\nfunc find(a, b string) error {\n\treturn fmt.Errorf("unknown command %q for %q%s", a, b, "")\n}\n`,
		"src/d.java": `class D {\n  void fail(Class<?> raw, String name) {\n    throw new Error("Class " + raw.getName()\n        + " declares fields named '" + name + "'");\n  }\n}\n`,
		"src/e.rb": `def start(a)\n  sprintf('Started %s "%s"%s for %s at %s', a)\nend\n`,
	});
	t.after(() => few.remove());
	for (const [query, path, line] of [
		["Completed 200 OK in 5ms", "src/a.rb", 3],
		["INFO: Completed 404 Not Found in 12ms", "src/a.rb", 3],
		["Route [login] not defined.", "src/b.php", 4],
		['unknown command "foo" for "bar"', "src/c.go", 4],
		["class com.example.Thing declares fields named 'x'", "src/d.java", 3],
		['Started GET "/users" for 127.0.0.1 at 2024-01-01 10:00:00 +0000', "src/e.rb", 2],
	] as const) {
		const { hits } = await few.repository.search({ query, context: 0 });
		assert.deepEqual([hits[0]?.path, hits[0]?.snippet.startLine], [path, line], query);
	}
});

test("a name in capitals amid a message may have been filled in", async (t) => {
	const other = (name: string) =>
		`class ${name}:\n    # A parameter of a member: the type of a parameter, the value of a member, the member type.\n    def parameter_value(self, member, type, parameter, value):\n        return member.type, parameter.value, foo, bar\n`;
	const { repository, remove } = await fixtureOf({
		"Mapper.cs":
			'class Mapper {\n  void Look(string name, Type type) {\n    Open(name); Close(name); Wait(name);\n    throw new Error($"The member {name} of type {type.FullName} cannot be used as a parameter value");\n  }\n}\n',
		"member_parameter.py": other("MemberParameter"),
		"member_type.py": other("MemberType"),
	});
	t.after(remove);
	const { hits } = await repository.search({
		query: "The member Foo of type Bar cannot be used as a parameter value",
		context: 0,
	});
	assert.deepEqual([hits[0]?.path, hits[0]?.snippet.matched], ["Mapper.cs", [4]]);
});

test("a message is found by what its text says before a colon, whatever another program said went wrong", async () => {
	const { repository, remove } = await fixtureOf({
		"src/issuer.c":
			"/* get the local issuer of a certificate, unable or not */\nint local_issuer(void) {\n  return get_issuer(certificate, local, unable);\n}\n",
		"src/connect.c": 'int connect_step(void) {\n  fail(data, "SSL certificate problem: %s", reason);\n  return 1;\n}\n',
	});
	try {
		const query = "SSL certificate problem: unable to get local issuer certificate";
		const [hit] = (await repository.search({ query, ann: false, context: 0 })).hits;
		assert.equal(hit?.path, "src/connect.c");
		assert.deepEqual(hit.snippet.matched, [2]);
	} finally {
		await remove();
	}
});

test("a message of common words is found where it is said word for word, below the name of its error", async () => {
	const files: Record<string, string> = {};
	for (let number = 0; number < 30; number++) {
		const name = `part_${number}`;
		files[`src/${name}.py`] =
			`def ${name}(session):\n    # a closed session, the session closed\n    raise RuntimeError(session.closed)\n`;
	}
	const steps = Array.from({ length: 40 }, (_, index) => `    step_${index} = prepare(${index})`);
	files["src/client.py"] =
		`def request(self):\n${steps.join("\n")}\n    if self.done:\n        raise RuntimeError("Session is closed")\n`;
	const { repository, remove } = await fixtureOf(files);
	try {
		const [hit] = (await repository.search({ query: "RuntimeError: Session is closed", ann: false })).hits;
		assert.equal(hit?.path, "src/client.py");
		assert.ok(hit.snippet.matched.includes(43));
	} finally {
		await remove();
	}
});
