import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { RequestId } from "libmcp/serve";
import { writePlainFrame } from "../../src/server/frontEnd/plainFrame.ts";
import { StandingAnswers } from "../../src/server/host/hostAnswers.ts";
import { countedRequests } from "./countedRequests.ts";
import { sampleFolder } from "./sample.ts";
import { StdioClient } from "./stdioClient.ts";
import { killWorker, onLinux } from "./worker.ts";

const question = (answers: StandingAnswers, method: string, params: string): string | undefined => {
	const { plain, frame } = writePlainFrame("1" as RequestId, method, params);
	return answers.questionOf(plain, frame);
};

test("only what a worker says of its files stands, in the words it was asked in", () => {
	const answers = new StandingAnswers();
	const asked = question(answers, "get_schema", '{"name":"é"}') ?? "";
	answers.listen(asked)('{"ok":true}');
	assert.equal(answers.find(asked), '{"ok":true}');
	assert.equal(question(answers, "get_schema", '{"name":"é"}'), asked);
	assert.notEqual(question(answers, "get_schema", '{"name": "é"}'), asked);
	assert.notEqual(question(answers, "get_example", '{"name":"é"}'), asked);
	for (const method of ["validate_asset", "diff_assets", "populate_backend", "lint_schema", "nope"])
		assert.equal(question(answers, method, "{}"), undefined, method);
});

test("an answer that was on its way when the files were read anew is not remembered", () => {
	const answers = new StandingAnswers();
	const late = answers.listen("list_schemas{}");
	answers.renew();
	late('{"ok":true}');
	assert.equal(answers.find("list_schemas{}"), undefined);
});

test("no more is remembered than fits, however many questions come", () => {
	const answers = new StandingAnswers();
	assert.equal(question(answers, "get_schema", `{"name":"${"x".repeat(300)}"}`), undefined);
	answers.listen("long")("x".repeat(100_000));
	assert.equal(answers.find("long"), undefined);
	for (let i = 0; i < 20; i += 1) answers.listen(`q${i}`)("x".repeat(60_000));
	const kept = Array.from({ length: 20 }, (_, i) => answers.find(`q${i}`)).filter((result) => result !== undefined);
	assert.equal(kept.length, 8);
});

test("listings keep their place among other answers, are counted, and follow the files of a new worker", {
	skip: onLinux,
}, async (t) => {
	const cwd = sampleFolder(t);
	const client = await new StdioClient(t, { cwd }).ready();
	const names = async (): Promise<string[]> => {
		const { schemas } = (await client.call("list_schemas", {})) as { schemas: { name: string }[] };
		return schemas.map(({ name }) => name);
	};
	const before = await names();
	// The host cannot tell what is wrong with it.
	const params = { asset: { name: 1 }, schema: "synesthetic-asset" };
	for (let id = 0; id < 10; id += 1) {
		client.send({ jsonrpc: "2.0", id: `v${id}`, method: "validate_asset", params });
		client.send({ jsonrpc: "2.0", id: `l${id}`, method: "list_schemas", params: {} });
	}
	for (let id = 0; id < 10; id += 1) {
		assert.equal(JSON.parse(await client.line()).id, `v${id}`);
		assert.equal(JSON.parse(await client.line()).id, `l${id}`);
	}
	// One more was asked before the server said it was ready.
	assert.equal((await countedRequests(client)).get("list_schemas"), 12);
	writeFileSync(join(cwd, "libs/synesthetic-schemas/jsonschema/added.schema.json"), "{}");
	assert.deepEqual(await names(), before);
	await killWorker(client);
	await client.call("validate_asset", params);
	assert.deepEqual(await names(), [...before, "added"].sort());
	rmSync(join(cwd, "libs/synesthetic-schemas/jsonschema/added.schema.json"));
	assert.deepEqual(await names(), [...before, "added"].sort());
});
