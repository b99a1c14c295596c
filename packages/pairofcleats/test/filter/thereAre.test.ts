import assert from "node:assert/strict";
import { test } from "node:test";
import { describeChoices } from "../../src/filter/filterContext.ts";

test("what there is to ask for is listed in a whole sentence, even if it is one thing or none", () => {
	assert.equal(describeChoices([]), "nothing indexed has any");
	assert.equal(describeChoices(["go"]), "there is go");
	assert.equal(describeChoices(["go", "rust"]), "there are go, rust");
});
