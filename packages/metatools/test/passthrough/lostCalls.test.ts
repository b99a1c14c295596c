import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createFront, type HttpListener, LOOPBACK_NAMES, listen } from "libmcp/http";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { MountedUpstreams } from "../../src/passthrough/mountedUpstreams.ts";
import { openTransport } from "../../src/upstream/transport.ts";
import { type FaultName, type FaultyRemote, faultyRemote } from "../fixtures/faultyRemote.ts";
import { type TestGateway, testGateway } from "../fixtures/gateway.ts";
import { ask } from "./conversations.ts";

const options = { timeout: 120_000 };
let remote: FaultyRemote;
let demo: TestGateway;
let mounted: MountedUpstreams;
let listener: HttpListener;

before(async () => {
	remote = await faultyRemote();
	demo = await testGateway({ openTransport, config: { servers: [remote.spec] } });
	mounted = new MountedUpstreams(demo.gateway, { open: openTransport });
	const front = createFront({
		endpoint: (path) => mounted.at(path),
		origins: { hosts: LOOPBACK_NAMES, origins: [] },
	});
	listener = await listen(front);
});
after(async () => {
	await listener.close(mounted.all(), 0);
	await demo.stop();
	await remote.close();
});

/** The error of a call at the server's own path. */
async function failureOf(name: string): Promise<JsonObject> {
	const url = `${listener.address}/mcp/remote`;
	const { session } = await ask(url);
	const { error } = (await ask(url, session, "tools/call", { name, arguments: {} })).body;
	assert(isObject(error) && isObject(error.data), name);
	return { message: error.message, code: error.code, ...error.data };
}

const UNANSWERED = {
	http500: "UPSTREAM_LOST",
	http502: "UPSTREAM_LOST",
	cut: "UPSTREAM_LOST",
	half: "UPSTREAM_LOST",
	empty_stream: "UPSTREAM_LOST",
	page: "UPSTREAM_UNREADABLE",
	other_id: "UPSTREAM_UNREADABLE",
	half_json: "UPSTREAM_UNREADABLE",
	bad_gzip: "UPSTREAM_UNREADABLE",
	bad_encoding: "UPSTREAM_UNREADABLE",
	accepted: "UPSTREAM_UNREADABLE",
} as const satisfies Partial<Record<FaultName, string>>;

for (const [name, code] of Object.entries(UNANSWERED))
	test(
		`a call that ran without an answer (${name}) is in doubt, unless its tool declares that harmless`,
		options,
		async () => {
			remote.runs.length = 0;
			const { message, fault, ...others } = await failureOf(name);
			assert.match(String(message), /\(.*\); it may or may not have taken effect, so check before repeating it$/);
			assert(isObject(fault));
			assert.deepEqual([fault.class, fault.code, fault.retry], ["ambiguous_outcome", "outcome_unknown", "unsafe"]);
			assert.equal(others.code, code);
			const safely = await failureOf(`${name}_safely`);
			assert.doesNotMatch(String(safely.message), /taken effect|could not be reached/);
			assert.deepEqual([safely.code, safely.fault], [code, undefined]);
			assert.deepEqual(remote.runs, [name, `${name}_safely`]);
		},
	);

test("a call that the server refused before it ran is not in doubt", options, async () => {
	const { message, code, fault } = await failureOf("http429");
	assert.match(String(message), /^The server could not be reached: POST failed with HTTP 429/);
	assert.deepEqual([code, fault], ["UPSTREAM_UNREACHED", undefined]);
});
