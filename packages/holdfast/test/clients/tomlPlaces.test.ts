import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { findTomlPlaces } from "../../src/clients/files/tomlFile.ts";

test("each value stands where it is said to, in any text", () => {
	const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double({ noNaN: true }));
	const { table } = fc.letrec<{ table: Record<string, unknown>; value: unknown }>((tie) => ({
		value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(scalar, { maxLength: 3 }), tie("table")),
		table: fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
	}));
	fc.assert(
		fc.property(table, (value) => {
			const text = stringify(value);
			for (const place of findTomlPlaces(text)) check(text, place);
		}),
	);
});

test("each value stands where it is said to, however a person writes it", () => {
	const text = [
		"a.b . 'c d' = 1 # [no.header]",
		`text = """one "quoted" [x]`,
		`two # no comment \\""" """`,
		"raw = '''it's [1]'''''",
		"when = 1979-05-27 07:32:00.5-07:00",
		"list = [ # first",
		"  [1, 2], { in = [ 'x' ], out.side = true }, # third",
		'  "last" ]',
		"[[several]]",
		"hex = 0xFF",
		'["quoted.name"]',
		"nothing = {}",
	].join("\n");
	parse(text);
	const places = findTomlPlaces(text);
	assert.deepEqual(
		places.filter(({ path }) => path[0] !== "in" && path[0] !== "out").map(({ path }) => path),
		[["a", "b", "c d"], ["text"], ["raw"], ["when"], ["list"], ["several", "hex"], ["quoted.name", "nothing"]],
	);
	for (const place of places) check(text, place);
	assert.equal(places.find(({ path }) => path[0] === "list")?.items.length, 3);
});

/** Read alone, each value and each item is a value of TOML. */
function check(text: string, { path, value, items }: ReturnType<typeof findTomlPlaces>[number]): void {
	const read = ({ start, end }: { start: number; end: number }) => parse(`it = ${text.slice(start, end)}`).it;
	const whole = read(value);
	if (items.length > 0) assert.deepEqual(items.map(read), whole);
	let known: unknown = parse(text);
	for (const part of path) known = known instanceof Object ? Reflect.get(known, part) : undefined;
	if (known !== undefined && !Array.isArray(known)) assert.deepEqual(whole, known);
}
