import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type RequestId, scanEnvelope } from "libmcp/serve";
import { Assets } from "../../src/assets.ts";
import { writePlainFrame } from "../../src/server/frontEnd/plainFrame.ts";
import { HandedRules, writeHandedRules } from "../../src/server/host/handedRules.ts";
import { readSettings } from "../../src/settings.ts";
import { NO_DOUBT } from "../../src/validate/rules/doubts.ts";
import type { WrittenRules } from "../../src/validate/rules/surelyValid.ts";
import { countedRequests } from "./countedRequests.ts";
import { sampleFolder } from "./sample.ts";
import { StdioClient } from "./stdioClient.ts";
import { onLinux, workerOf } from "./worker.ts";

const SCHEMAS = "libs/synesthetic-schemas/jsonschema";
const VALID = '{"asset":{"frequency":440},"schema":"tone"}';
const INVALID = '{"asset":{"frequency":-1},"schema":"tone"}';

const line = (id: string, params: string): string =>
	`{"jsonrpc":"2.0","id":${id},"method":"validate_asset","params":${params}}\n`;
const answer = (id: string, result: string): string => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;

test("behind the host every answer is, to the byte, the one of a single process", async (t) => {
	const cwd = sampleFolder(t);
	writeFileSync(join(cwd, SCHEMAS, "coded.schema.json"), '{"type":"string","pattern":"^a"}');
	writeFileSync(join(cwd, SCHEMAS, "broken.schema.json"), '{"type":"strange"}');
	writeFileSync(join(cwd, SCHEMAS, "__proto__.schema.json"), '{"type":"integer"}');
	const questions = [
		VALID,
		INVALID,
		'{"asset":{"name":"x","$schemaRef":1},"schema":"synesthetic-asset"}',
		'{"asset":{"name":"x","$schemaRef":1,"tone":{"frequency":0}},"schema":"nested-synesthetic-asset"}',
		'{"asset":{"name":"x","tone":{"frequency":0,"$schemaRef":1}},"schema":"synesthetic-asset","detailed":true}',
		'{"asset":{"name":"x","zz":1},"schema":"nested-synesthetic-asset","detailed":true}',
		' { "asset" : { "frequency" : 4.40e2 } , "schema" : "tone" } ',
		'{"asset":{"frequency":-1,"frequency":1},"schema":"tone"}',
		'{"asset":{"frequency":1,"frequency":-1},"schema":"tone"}',
		'{"asset":{"\\u0066requency":1},"schema":"t\\u006fne"}',
		'{"asset":{"frequency":1},"schema":"tone","schema":"synesthetic-asset"}',
		'{"asset":{"frequency":-1e-400},"schema":"tone"}',
		'{"asset":{"frequency":0},"schema":"toString"}',
		'{"asset":1,"schema":"__proto__"}',
		'{"asset":1.5,"schema":"__proto__"}',
		'{"asset":"abc","schema":"coded"}',
		'{"asset":"bbc","schema":"coded"}',
		'{"asset":1,"schema":"broken"}',
		'{"asset":1,"schema":"none"}',
		'{"asset":{"frequency":1}}',
		'{"schema":"tone"}',
		'{"asset":{"frequency":1},"schema":["tone"]}',
		'{"asset":{"frequency":1,},"schema":"tone"}',
		'{"asset":{"frequency":1},"schema":"tone"}}',
		`{"asset":{"frequency":1,"long":"${"x".repeat(300_000)}"},"schema":"tone"}`,
		`{"asset":{"frequency":1,"long":"${"x".repeat(1_100_000)}"},"schema":"tone"}`,
		`{"asset":{"frequency":1,"deep":${"[".repeat(2_000)}${"]".repeat(2_000)}},"schema":"tone"}`,
	];
	const ids = ["1", '"a"', "-0.5", `"${"i".repeat(300)}"`, '"\\u0061"'];
	// Twice over each, as the first one may teach the host what it needs for the second.
	const frames = ids.flatMap((id) => questions.flatMap((question) => [line(id, question), line(id, question)]));
	const [hosted, direct] = await Promise.all(
		[[], ["--direct"]].map(async (args) => {
			const client = await new StdioClient(t, { args, cwd }).ready();
			const answers: string[] = [];
			for (const frame of frames) {
				client.send(frame);
				answers.push(await client.line());
			}
			client.send(frames.join(""));
			for (const _ of frames) answers.push(await client.line());
			assert.equal(await client.end(), 0);
			return answers;
		}),
	);
	for (const [index, expected] of (direct ?? []).entries())
		assert.equal(hosted?.[index], expected, frames[index % frames.length]?.slice(0, 200));
});

test("a valid asset is told without the worker, in its turn, and counted", { skip: onLinux }, async (t) => {
	const client = await new StdioClient(t, { cwd: sampleFolder(t) }).ready();
	client.send(line("0", VALID));
	await client.line();
	const worker = await workerOf(client);
	process.kill(worker, "SIGSTOP");
	client.send(line("1", VALID));
	assert.equal(await client.line(), answer("1", '{"ok":true}'));
	client.send(`${line("2", INVALID)}${line("3", VALID)}{"jsonrpc":"2.0","id":"here","method":"ping"}\n`);
	assert.equal(JSON.parse(await client.line()).id, "here");
	process.kill(worker, "SIGCONT");
	assert.match(await client.line(), /^\{"jsonrpc":"2.0","id":2,"result":\{"ok":false/);
	assert.equal(await client.line(), answer("3", '{"ok":true}'));
	assert.deepEqual(Object.fromEntries(await countedRequests(client)), {
		list_schemas: 1,
		"tools/call holdfast_telemetry": 1,
		validate_asset: 4,
	});
});

test("the verdicts follow the files of a new worker, each way", { skip: onLinux }, async (t) => {
	const cwd = sampleFolder(t);
	const client = await new StdioClient(t, { cwd }).ready();
	const isValid = async (params: string): Promise<boolean> => {
		client.send(line("1", params));
		return JSON.parse(await client.line()).result.ok;
	};
	let worker = await workerOf(client);
	for (const minimum of [0, 1_000, -1_000]) {
		const schema = { type: "object", properties: { frequency: { minimum } }, required: ["frequency"] };
		writeFileSync(join(cwd, SCHEMAS, "tone.schema.json"), JSON.stringify(schema));
		process.kill(worker, "SIGKILL");
		worker = await workerOf(client, worker);
		// Nothing the host knows of: it is answered by the new one.
		await client.call("lint_schema", { schema: "tone" });
		for (let i = 0; i < 4; i += 1) {
			for (const frequency of [5_000, 440, -440])
				assert.equal(
					await isValid(`{"asset":{"frequency":${frequency}},"schema":"tone"}`),
					frequency >= minimum,
					`${frequency} of ${minimum}`,
				);
		}
	}
});

test("the rules go from worker to host, and no client takes part in it", async (t) => {
	const cwd = sampleFolder(t);
	const notice = writeHandedRules(rulesFor(cwd, VALID));
	// By these the other schema's assets would be valid.
	const forged = notice.replace('"tone"', '"synesthetic-asset"');
	const asset = '{"asset":{"frequency":440},"schema":"synesthetic-asset"}';
	const [hosted, direct] = await Promise.all(
		[[], ["--direct"]].map(async (args) => {
			const client = await new StdioClient(t, { args, cwd }).ready();
			const asked = forged.replace("{", '{"id":7,');
			client.send(line("1", VALID) + line("2", VALID));
			client.send(`${forged}\n${asked}\n${line("3", asset)}${line("4", asset)}`);
			assert.equal(await client.end(), 0);
			return client.unread.join("\n");
		}),
	);
	assert.equal(hosted, direct);
	assert.equal(hosted?.split("\n").length, 5);
	assert.match(hosted ?? "", /"id":3,"result":\{"ok":false/);
});

function rulesFor(cwd: string, params: string): WrittenRules {
	const assets = new Assets(readSettings({}, cwd));
	const bytes = Buffer.from(params);
	assert.equal(assets.readDoubts(bytes, 0, bytes.length), NO_DOUBT);
	const rules = assets.newRules();
	assert.ok(rules !== undefined && assets.newRules() === undefined);
	return rules;
}

function take(rules: HandedRules, written: WrittenRules): void {
	const frame = Buffer.from(writeHandedRules(written));
	const envelope = scanEnvelope(frame);
	assert.ok(envelope.kind === "notification" && rules.take(envelope, frame));
}

const verdict = (rules: HandedRules, params: string): string | undefined => {
	const { plain, frame } = writePlainFrame("1" as RequestId, "validate_asset", params);
	return rules.verdictIn(plain, frame);
};

test("rules are gone with their worker, and those of a module of other code are not taken", (t) => {
	const rules = new HandedRules();
	const written = rulesFor(sampleFolder(t), VALID);
	take(rules, { ...written, memory: { ...written.memory, code: "other" } });
	assert.equal(verdict(rules, VALID), undefined);
	take(rules, written);
	assert.equal(verdict(rules, VALID), '{"ok":true}');
	rules.renew();
	assert.equal(verdict(rules, VALID), undefined);
});

test("where assets are tried in vain few are, until one is valid again", (t) => {
	const rules = new HandedRules();
	take(rules, rulesFor(sampleFolder(t), VALID));
	const told = (count: number, params: (index: number) => string): number =>
		Array.from({ length: count }, (_, i) => verdict(rules, params(i))).filter((one) => one !== undefined).length;
	assert.equal(
		told(1_000, () => INVALID),
		0,
	);
	assert.ok(told(200, () => VALID) > 130);
	assert.equal(
		told(100, () => VALID),
		100,
	);
	// Every other one.
	assert.ok(told(1_000, (i) => (i % 2 === 0 ? INVALID : VALID)) > 100);
});
