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
