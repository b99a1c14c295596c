import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../../src/parse/parseFile.ts";

/** Names of chunks and symbols, with their lines. */
async function namesOf(path: string, text: string): Promise<string[]> {
	const { chunks } = await parseFile(path, text);
	return chunks.flatMap(({ name, startLine, symbols = [] }) => [
		...(name === "" ? [] : [`${name} ${startLine}`]),
		...symbols.map((symbol) => `${symbol.name} ${symbol.line}`),
	]);
}

test("all keys of a data file have names, those that share a line among them", async () => {
	assert.deepEqual(await namesOf("a.json", '{"a": 1, "b\\u0041": {"c": 2}, "d": [3]}\n'), ["a 1", "bA 1", "d 1"]);
	assert.deepEqual(await namesOf("a.yaml", "{ a: 1, b: 2 }\n"), ["a 1", "b 1"]);
	assert.deepEqual(await namesOf("a.json5", "{\n  a: 1,\n  'b c': 'don\\'t', // it's\n  \"d\": /* e: */ 2,\n}\n"), [
		...["a 2", "b c 3", "d 4"],
	]);
});

test("a dictionary of very many keys in one line keeps some of their names", async () => {
	const keys = Array.from({ length: 50_000 }, (_, index) => `"k${index}": ${index}`);
	assert.equal((await namesOf("a.json", `{${keys.join(",")}}\n`)).includes("k999 1"), true);
	assert.equal((await namesOf("a.json", `{${keys.join(",")}}\n`)).includes("k1001 1"), false);
});

test("a TOML table is distinguished from nested arrays, strings and comments", async () => {
	const text = `title = "a" # it's """ here
pairs = [
  [1, 2],
  ["a"], # [no]
]
about = """
[not.a.table]
key = 1 \\"""
"""

[tool."x.y"]
inner = 1
[[bin]]
list = [
  [true],
]
`;
	assert.deepEqual(await namesOf("a.toml", text), ["title 1", "pairs 2", "about 6", "tool.x.y 11", "bin 13"]);
	assert.deepEqual(await namesOf("a.toml", "a = [\n  1,\n[table]\nb = 1\n"), ["a 1", "table 3"]);
});

test("a heading or a fence inside a Markdown comment is ignored", async () => {
	const text =
		"# One\n<!--\n## Hidden\n```\n-->\n## Two\n```md\n<!--\n## Code\n```\n## Three <!-- x -->\n<!-- y -->\n## Four\n";
	assert.deepEqual(await namesOf("a.md", text), ["One 1", "Two 6", "Three <!-- x --> 11", "Four 13"]);
});

test("nested rules of a style sheet are symbols of the outer rule", async () => {
	const { chunks } = await parseFile("a.css", ".card {\n  color: red;\n  &:hover {\n    color: blue;\n  }\n}\n");
	assert.deepEqual(
		chunks.map(({ name, symbols }) => [name, symbols]),
		[[".card", [{ kind: "rule", name: "&:hover", line: 3 }]]],
	);
});

test("routines of a MySQL script end where its delimiter says, semicolons and dollars aside", async () => {
	const text = `DELIMITER $$
CREATE PROCEDURE add_user(IN n VARCHAR(20))
BEGIN
  INSERT INTO users(name) VALUES (n);
END$$
CREATE FUNCTION one() RETURNS INT
BEGIN
  RETURN 1;
END$$
DELIMITER ;
CREATE TABLE t (
  id INT
);
delimiter //
CREATE TRIGGER kept BEFORE INSERT ON t FOR EACH ROW
BEGIN
  IF NEW.id > 1 THEN SET NEW.id = 2; END IF;
END //
DELIMITER ;
CREATE VIEW v AS SELECT * FROM t;
`;
	const { chunks } = await parseFile("a.sql", text);
	assert.deepEqual(
		chunks
			.filter(({ name }) => name !== "")
			.map(({ kind, name, startLine, endLine }) => [kind, name, startLine, endLine]),
		[
			["function", "add_user", 2, 5],
			["function", "one", 6, 9],
			["table", "t", 11, 13],
			["function", "kept", 15, 18],
			["table", "v", 20, 20],
		],
	);
});

test("the data rows in a dump belong to the COPY statement before them", async () => {
	const text = `CREATE TABLE a (id int);
COPY public.a (id, note) FROM stdin;
1	don't
2	-- no; remark
\\.

CREATE TABLE b (id int);
COPY b TO stdout;
CREATE TABLE c (id int);
COPY c FROM STDIN;
CREATE TABLE d (id int);
`;
	assert.deepEqual(await namesOf("a.sql", text), ["a 1", "id 1", "b 7", "id 7", "c 9", "id 9", "d 11", "id 11"]);
});

test("every piece of one long line of SQL reads and writes what the line does", async () => {
	const { chunks } = await parseFile("a.sql", "INSERT INTO sessions SELECT * FROM users; ".repeat(2_000));
	assert.ok(chunks.length > 4);
	for (const { facts } of chunks) assert.deepEqual(facts, { reads: ["users"], writes: ["sessions"] });
});

test("a Markdown heading is named by its rendered text", async () => {
	const titles = [
		"# Request Files { #request-files }",
		"## Using `.concat()` {#concat}",
		'## <a name="rules"></a> Coding Rules',
		"## [1.2.3](https://example.com/compare/a...b) (2024-06-15)",
		"## ![logo](a.png) `{ id }` of [both][1]",
		"Timeouts {: .note #timeouts }\n---",
	];
	const { chunks } = await parseFile("a.md", `${titles.join("\n\ntext\n\n")}\n`);
	assert.deepEqual(
		chunks.map(({ name }) => name),
		[
			"Request Files",
			"Using `.concat()`",
			"Coding Rules",
			"1.2.3 (2024-06-15)",
			"logo `{ id }` of [both][1]",
			"Timeouts",
		],
	);
});

test("an SQL routine ends with its own END, and an Oracle package contains its routines", async () => {
	const text = `CREATE OR REPLACE PACKAGE BODY hr.staff AS
  total NUMBER;
  FUNCTION hire(a NUMBER) RETURN NUMBER IS
  BEGIN
    FOR r IN c LOOP
      x := CASE WHEN a > 1 THEN 1 ELSE 2 END;
    END LOOP;
    RETURN 1;
  END;
  PROCEDURE fire IS
  BEGIN
    NULL;
  END fire;
END staff;
/
CREATE PROCEDURE p()
BEGIN
  IF 1 THEN
    SELECT 1;
  END IF;
  CASE a WHEN 1 THEN SELECT 2; END CASE;
  UPDATE t SET a = 1;
END;
CREATE PROCEDURE q AS
BEGIN
  IF @a = 1
  BEGIN
    SELECT 1;
  END
  IF @a = 2 SELECT 3;
END;
CREATE TABLE z (a int);
`;
	const { chunks } = await parseFile("a.sql", text);
	assert.deepEqual(
		chunks
			.filter(({ name }) => name !== "")
			.map((chunk) => `${chunk.startLine}-${chunk.endLine} ${chunk.kind} ${chunk.qualifiedName}`),
		["1-14 module hr.staff", "16-23 function p", "24-31 function q", "32-32 table z"],
	);
});

test("SQL reads every table of a list, but no subquery, call or argument beside them", async () => {
	const tables = async (text: string): Promise<unknown> => (await parseFile("a.sql", text)).chunks[0]?.facts;
	assert.deepEqual(await tables("SELECT * FROM a, public.b AS c, (SELECT 1 FROM d) e, unnest(f) g, h;"), {
		reads: ["a", "public.b", "h", "d"],
		writes: [],
	});
	assert.deepEqual(await tables("SELECT extract(year FROM day), a IS DISTINCT FROM b, c FROM t ORDER BY x, y;"), {
		reads: ["t"],
		writes: [],
	});
	assert.deepEqual(await tables("WITH a AS (SELECT 1 FROM t), b (id) AS (SELECT 2 FROM a) SELECT * FROM A JOIN b;"), {
		reads: ["t"],
		writes: [],
	});
	assert.deepEqual(await tables("WITH orders AS (SELECT * FROM orders) SELECT * FROM orders;"), {
		reads: ["orders"],
		writes: [],
	});
	assert.deepEqual(await tables("WITH RECURSIVE tree AS (SELECT 1 FROM node JOIN tree) SELECT * FROM tree;"), {
		reads: ["node"],
		writes: [],
	});
});

test("a variable that a routine fills is no table that it writes", async () => {
	const body = `BEGIN
  SELECT count(*) INTO total FROM orders;
  SELECT * INTO STRICT u FROM users;
  INSERT INTO audit(x) VALUES (1) RETURNING id INTO total;
  FETCH c INTO u;
END`;
	const written = async (text: string): Promise<unknown> =>
		(await parseFile("a.sql", text)).chunks.flatMap(({ facts }) => facts?.writes ?? []);
	assert.deepEqual(await written(`CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ ${body} $$;`), ["audit"]);
	assert.deepEqual(await written(`CREATE PROCEDURE m(OUT n INT)\n${body};`), ["audit"]);
	assert.deepEqual(await written("CREATE PROCEDURE m()\nBEGIN INSERT IGNORE INTO log VALUES (1); END;"), ["log"]);
	assert.deepEqual(await written("SELECT id INTO archive FROM orders;"), ["archive"]);
});

test("SQL writes the tables that it alters or copies rows into", async () => {
	const text = "ALTER TABLE ONLY public.users ADD x int, ADD y int;\nCOPY orders (id, n) FROM stdin;\n1\t2\n\\.\n";
	const { chunks } = await parseFile("a.sql", text);
	assert.deepEqual(chunks[0]?.facts, { reads: [], writes: ["public.users", "orders"] });
});

test("SQL writes the tables that it empties or drops", async () => {
	const text = "TRUNCATE TABLE a, b;\nTRUNCATE ONLY c;\nDROP TABLE IF EXISTS d, e CASCADE;\nSELECT TRUNCATE(f, 2);\n";
	const { chunks } = await parseFile("a.sql", text);
	assert.deepEqual(chunks[0]?.facts, { reads: [], writes: ["a", "b", "c", "d", "e"] });
});

test("SQL knows tables behind ONLY and USING, and no other word there", async () => {
	const tables = async (body: string): Promise<unknown> => {
		const text = `CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${body}; END $$;`;
		const { reads, writes } = (await parseFile("a.sql", text)).chunks[0]?.facts ?? {};
		return { reads, writes };
	};
	assert.deepEqual(await tables("UPDATE ONLY x SET y = 1 FROM z"), { reads: ["z"], writes: ["x"] });
	assert.deepEqual(await tables("DELETE FROM ONLY a USING b, c WHERE a.i = b.i"), { reads: ["b", "c"], writes: ["a"] });
	assert.deepEqual(await tables("MERGE INTO t USING src s ON true WHEN MATCHED THEN DELETE"), {
		...{ reads: ["src"], writes: ["t"] },
	});
	assert.deepEqual(await tables("DELETE FROM a; EXECUTE 'x' USING id"), { reads: [], writes: ["a"] });
	assert.deepEqual(await tables("SELECT 1 FROM a JOIN b USING (id)"), { reads: ["a", "b"], writes: [] });
});

test("each document of a YAML file is a chunk of its own, with the comments above its first key", async () => {
	const one = (name: string): string => `# ${name}\nkind: Service\nmetadata:\n  name: ${name}\n`;
	const long = `---\nlong:\n${"  - some text of a list\n".repeat(5_000)}`;
	for (const rest of ["", long]) {
		const { chunks } = await parseFile("a.yaml", `${one("a")}---\n${one("b")}---\n\n${one("c")}${rest}`);
		assert.deepEqual(
			chunks
				.slice(0, 4)
				.map(({ startLine, endLine, name, nameLine, symbols }) => [
					...[startLine, endLine, name, nameLine],
					symbols?.map((symbol) => `${symbol.line} ${symbol.name}`).join(),
				]),
			[
				[1, 1, "", undefined, undefined],
				[2, 4, "kind", undefined, "3 metadata"],
				[6, 9, "kind", 7, "8 metadata"],
				[12, 15, "kind", 13, "14 metadata"],
			],
		);
	}
});
