import assert from "node:assert/strict";
import { test } from "node:test";
import { isObject, mapTexts } from "../../src/contract/json.ts";

const upper = (text: string): string => text.toUpperCase();

test("every text in a value is changed, names too, and everything else stays", () => {
	const value = JSON.parse('{"a":["b",{"__proto__":"c"}],"n":1,"t":true,"z":null}');
	assert.equal(JSON.stringify(mapTexts(value, upper)), '{"A":["B",{"__PROTO__":"C"}],"N":1,"T":true,"Z":null}');
	assert.equal(mapTexts(undefined, upper), undefined);
});

test("what is nested without end is cut, and not walked", () => {
	const deep = 100_000;
	let inner = mapTexts(JSON.parse(`${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`), upper);
	while (isObject(inner)) inner = inner.A;
	assert.equal(inner, "[nested more than 200 levels deep]");
});
