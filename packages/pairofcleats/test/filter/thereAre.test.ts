import assert from "node:assert/strict";
import { test } from "node:test";
import { thereAre } from "../../src/filter/thereAre.ts";

test("what there is to ask for is listed in a whole sentence, even if it is one thing or none", () => {
	assert.equal(thereAre([]), "nothing indexed has any");
	assert.equal(thereAre(["go"]), "there is go");
	assert.equal(thereAre(["go", "rust"]), "there are go, rust");
});
