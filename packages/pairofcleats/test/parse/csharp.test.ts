import assert from "node:assert/strict";
import { test } from "node:test";
import { named, parsed } from "./soundFile.ts";

test("an operator of C# has the name that is written, compound ones too", async () => {
	const file = await parsed(
		"A.cs",
		`class Money {
    public static Money operator +(Money a, Money b) => a;
    public void operator +=(Money other) { Value += other.Value; }
    public void operator checked -= (Money other) { Value -= other.Value; }
    public void operator >>>=(int by) { }
    public void operator ++() { }
    public static bool operator true(Money a) => a == b;
    public static bool operator ==(Money a, Money b) => true;
    public static bool operator >=(Money a, Money b) => true;
}
`,
	);
	assert.deepEqual(
		named(file).map((line) => line.replace(/^\S+ /, "")),
		[
			...[
				"class Money",
				"method Money.+",
				"method Money.+=",
				"method Money.-=",
				"method Money.>>>=",
				"method Money.++",
			],
			...["method Money.true", "method Money.==", "method Money.>="],
		],
	);
	assert.equal(file.chunks[2]?.facts?.signature, "public void operator +=(Money other)");
});

test("a member that C# initialises is used, and neither written nor an alias", async () => {
	const { chunks } = await parsed(
		"A.cs",
		`class A {
    void Build(Item item) {
        var a = new User { Name = item.Name, Home = { Street = street }, Tags = { one } };
        Use(new() { Size = size }, item with { Kind = kind }, new List<int> { count++, last });
    }
}
`,
	);
	const facts = chunks[1]?.facts;
	assert.deepEqual(facts?.writes, ["a", "count"]);
	assert.deepEqual(facts?.aliases, []);
	assert.deepEqual(facts?.reads, ["item", "street", "one", "size", "kind", "count", "last"]);
	for (const name of ["Name", "Home", "Street", "Tags", "Size", "Kind"]) assert.ok(facts?.uses?.includes(name), name);
});

test("a type parameter that C# constrains is not read", async () => {
	const { chunks } = await parsed("A.cs", "class A<T>(Db db) : Base(db) where T : class {\n    int size;\n}\n");
	assert.deepEqual(chunks[0]?.facts?.reads, ["db"]);
});

test("an enum of C# extends nothing, whatever its values are stored as", async () => {
	const { chunks } = await parsed("A.cs", "enum Kind : byte { A, B }\ninterface Store : IStore { }\n");
	assert.deepEqual(
		chunks.map(({ facts }) => facts?.extends),
		[[], ["IStore"]],
	);
});

test("the length of a fixed buffer of C# is no value that the field is given", async () => {
	const { chunks } = await parsed("A.cs", "unsafe struct A {\n    fixed byte buf[3];\n    int size = 1, other;\n}\n");
	assert.deepEqual(chunks[0]?.facts?.writes, ["size"]);
});
