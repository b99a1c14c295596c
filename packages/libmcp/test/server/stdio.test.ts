import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text as streamText } from "node:stream/consumers";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { bundled } from "../../../../e2e/bundled.ts";
import { ECHO_SERVER, INITIALIZE, MODERN_META, RawClient } from "./rawClient.ts";

const ECHO = await bundled(ECHO_SERVER);
const posixOnly = process.platform === "win32" ? "a POSIX shell" : false;

const call = (id: unknown, name: string, given: Record<string, unknown> = {}): unknown => ({
	jsonrpc: "2.0",
	id,
	method: "tools/call",
	params: { name, ...given },
});

function errorOf(line: { value: Record<string, unknown> }): { code: number; data: { code: string } } {
	return line.value.error as { code: number; data: { code: string } };
}

// A few at once, since each mostly waits for its server.
for (const [entry, flags] of [
	["our own entry", []],
	["over the SDK", ["--sdk"]],
] as const) {
	void describe(entry, { concurrency: 3 }, () => serves(entry, flags));
}

function serves(entry: string, flags: readonly string[]): void {
	const start = (environment?: NodeJS.ProcessEnv): RawClient => new RawClient([ECHO, ...flags], environment);

	test(`${entry}: a handshake is answered with the revision it asks for, an unknown one with 2025-11-25`, async () => {
		for (const [protocolVersion, answered] of [
			["2025-11-25", "2025-11-25"],
			["2025-06-18", "2025-06-18"],
			["2025-03-26", "2025-03-26"],
			["2024-11-05", "2024-11-05"],
			["2026-07-28", "2025-11-25"],
			["1999-01-01", "2025-11-25"],
		]) {
			const client = start();
			client.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { ...INITIALIZE, protocolVersion } });
			const { value } = await client.find((line) => line.value.id === 1);
			assert.deepEqual(value.result, {
				protocolVersion: answered,
				capabilities: { tools: { listChanged: false }, experimental: { sample: { schemaVersion: "2.0.0" } } },
				serverInfo: { name: "echo", version: "1.2.3" },
				instructions: "Echoes.",
			});
			assert.equal(await client.close(), 0);
		}
	});

	test(`${entry}: it ends when a client that had closed its input has read the rest`, { skip: posixOnly }, async () => {
		const text = "x".repeat(1_000);
		const handshake = { jsonrpc: "2.0", id: 0, method: "initialize", params: INITIALIZE };
		// A little more than a pipe holds.
		const calls = Array.from({ length: 65 }, (_, n) => call(n + 1, "echo", { arguments: { text } }));
		const lines = [handshake, ...calls].map((message) => `${JSON.stringify(message)}\n`).join("");
		const command = [process.execPath, ECHO, ...flags];
		const pipeline = spawn("/bin/sh", ["-c", '"$0" "$@" | { sleep 2; wc -l; }', ...command], {
			stdio: ["pipe", "pipe", "inherit"],
		});
		pipeline.stdin.end(lines);
		assert.equal((await streamText(pipeline.stdout)).trim(), "66");
	});

	test(`${entry}: a host's worker advertises list changes`, async () => {
		const client = start({ ...process.env, LIBMCP_HOSTED: "1" });
		const { value } = await client.handshake();
		assert.deepEqual((value.result as { capabilities: { tools: unknown } }).capabilities.tools, { listChanged: true });
		client.send(call(1, "change"));
		await client.find((line) => line.value.method === "notifications/tools/list_changed");
		await client.close();
	});

	test(`${entry}: list changes that the server describes are advertised without a host too`, async () => {
		const client = new RawClient([ECHO, "--changing", ...flags]);
		const { value } = await client.handshake();
		assert.deepEqual((value.result as { capabilities: { tools: unknown } }).capabilities.tools, { listChanged: true });
		await client.close();
	});

	test(`${entry}: a malformed handshake is refused by field and the process lives`, async () => {
		const client = start();
		client.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 5 } });
		const refused = await client.find((line) => line.value.id === 1);
		assert.equal(errorOf(refused).code, -32602);
		assert.equal(errorOf(refused).data.code, "INVALID_PARAMS");
		assert.match(refused.text, /params\.protocolVersion: expected a string, got number/);
		await client.handshake();
		client.send({ jsonrpc: "2.0", id: 2, method: "initialize", params: INITIALIZE });
		assert.equal(errorOf(await client.find((line) => line.value.id === 2)).data.code, "ALREADY_INITIALIZED");
		await client.close();
	});

	test(`${entry}: a handshake that only a validator finds fault with is refused by field, and the next one counts`, async () => {
		const client = start();
		const params = { ...INITIALIZE, capabilities: { roots: 3 } };
		client.send({ jsonrpc: "2.0", id: 1.5, method: "initialize", params });
		const answer = await client.find((line) => line.value.id === 1.5);
		// Our own entry leaves capabilities to whoever needs them.
		if (flags.length === 0) assert.notEqual(answer.value.result, undefined);
		else {
			assert.equal(errorOf(answer).code, -32602);
			assert.equal(errorOf(answer).data.code, "INVALID_PARAMS");
			assert.match(
				answer.text,
				/"initialize: params\.capabilities\.roots: Invalid input: expected object, received number"/,
			);
			await client.handshake();
			client.send(call(2, "echo", { arguments: { text: "served" } }));
			assert.match((await client.find((line) => line.value.id === 2)).text, /served/);
		}
		await client.close();
	});

	test(`${entry}: what is no message is answered by what is wrong with it, and the next one works`, async () => {
		const client = start();
		const cases = [
			["not json", -32700, "PARSE_ERROR"],
			["[]", -32600, "INVALID_REQUEST"],
			['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, "INVALID_REQUEST"],
			['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, "INVALID_REQUEST"],
			['{"jsonrpc":"2.0","id":2,"method":"ping","method":"pong"}', -32600, "INVALID_REQUEST"],
			['{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":{"b":1,"b":2}}}', -32600, "INVALID_REQUEST"],
			['{"jsonrpc":"2.0","id":4,"method":"tools/list"}', -32600, "NOT_INITIALIZED"],
		] as const;
		for (const [index, [text, code, name]] of cases.entries()) {
			client.sendText(text);
			const line = await client.until(() => client.lines[index], text);
			assert.equal(errorOf(line).code, code, text);
			assert.equal(errorOf(line).data.code, name, text);
		}
		await client.handshake();
		client.send(call(9, "echo", { arguments: { text: "still here" } }));
		assert.match((await client.find((line) => line.value.id === 9)).text, /still here/);
		await client.close();
	});

	test(`${entry}: a client may begin what it writes with a byte order mark`, async () => {
		const client = start();
		client.child.stdin?.write("\ufeff");
		await client.handshake();
		assert.equal(client.lines.length, 1);
		await client.close();
	});

	test(`${entry}: ids come back as they were sent`, async () => {
		const client = start();
		await client.handshake();
		for (const id of [
			"1.0",
			"1.5",
			"12345678901234567890",
			"100000000000000000000",
			'"1"',
			"1",
			"-0",
			'"a\\u0062c"',
			"1e2",
		]) {
			client.sendText(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo"}}`);
			await client.until(
				() => client.lines.some((line) => [`"id":${id},`, `"id":${id}}`].some((text) => line.text.includes(text))),
				id,
			);
		}
		await client.close();
	});

	test(`${entry}: a request is answered whatever stands beside its members or in its _meta`, async () => {
		const client = start();
		await client.handshake();
		const ask = async (id: string, more: string, meta: string): Promise<Record<string, unknown>> => {
			const params = `{"name":"echo","arguments":{"text":"${id}"},"_meta":${meta}}`;
			client.sendText(`{${more}"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":${params}}`);
			return (await client.find((line) => line.value.id === id)).value;
		};
		for (const [id, more, meta] of [
			["a", '"extra":{"method":"ping"},', "{}"],
			["b", "", '{"progressToken":1.5}'],
			["c", "", '{"progressToken":100000000000000000000}'],
			["d", "", '{"progressToken":1e400,"anything":[null]}'],
		] as const) {
			assert.deepEqual((await ask(id, more, meta)).result, { content: [{ type: "text", text: id }] }, id);
		}
		for (const [id, meta, field] of [
			["e", "3", "params._meta"],
			["f", "null", "params._meta"],
			["g", '{"progressToken":[]}', "params._meta.progressToken"],
			["h", '{"io.modelcontextprotocol/related-task":{}}', 'params._meta["io.modelcontextprotocol/related-task"]'],
		] as const) {
			const { error, result } = await ask(id, "", meta);
			// Our own entry makes nothing of a `_meta` that it does not need.
			if (flags.length === 0) assert.notEqual(result, undefined, id);
			else assert.ok(String(Object(error).message).startsWith(`${field}: expected `), JSON.stringify(error));
		}
		// A cancellation with something beside its members counts.
		client.send(call("slow", "slow"));
		await client.until(() => client.stderr.includes("slow started"), "the slow call");
		client.sendText('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"},"extra":1}');
		await client.until(() => client.stderr.includes("slow aborted"), "the cancellation");
		await client.close();
	});

	test(`${entry}: a result written already arrives as the same one that was not, in both eras and under any id`, async () => {
		const client = start();
		await client.handshake();
		const text = 'quotes " and \\ and $& and $1, \ud83d\ude00 and\nlines';
		const ask = async (id: string, name: string, meta: object): Promise<unknown> => {
			const params = JSON.stringify({ name, arguments: { text }, ...meta });
			client.sendText(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`);
			const named = (line: { text: string }): boolean => line.text.includes(`"id":${id}`);
			return (await client.until(() => client.lines.find(named), id)).value.result;
		};
		const plain = await ask("11", "echo", {});
		assert.deepEqual(plain, { content: [{ type: "text", text }] });
		assert.deepEqual(await ask("12", "written", {}), plain);
		assert.deepEqual(await ask("13.0", "written", {}), plain);
		const modern = { _meta: MODERN_META };
		assert.deepEqual(await ask("14", "written", modern), await ask("15", "echo", modern));
		await client.close();
	});

	test(`${entry}: what a later revision took out is not there for it, and costs nobody the handshake`, async () => {
		const client = start();
		await client.handshake();
		for (const [id, method] of ["initialize", "ping", "logging/setLevel"].entries()) {
			client.send({ jsonrpc: "2.0", id, method, params: { _meta: MODERN_META } });
			assert.equal(errorOf(await client.find((line) => line.value.id === id)).code, -32601, method);
		}
		client.send(call("after", "echo"));
		assert.ok("result" in (await client.find((line) => line.value.id === "after")).value);
		await client.close();
	});

	test(`${entry}: a request that is too large is refused by its own id`, async () => {
		const client = start();
		await client.handshake();
		client.send(call("huge", "echo", { arguments: { text: "x".repeat(10 * 1024 * 1024) } }));
		const refused = await client.find((line) => line.value.id === "huge");
		assert.equal(errorOf(refused).data.code, "FRAME_TOO_LARGE");
		await client.close();
	});

	test(`${entry}: a client that does not read is not listened to, and cannot keep the server from ending`, async () => {
		const client = start();
		await client.handshake();
		client.deafen();
		const text = "x".repeat(50_000);
		for (let n = 0; n < 500; n++) client.send(call(n, "echo", { arguments: { text } }));
		// Most of it must still be waiting when nothing moves any more.
		let before = -1;
		for (let left = client.unsent; left !== before; left = client.unsent) {
			before = left;
			await delay(500);
		}
		assert.ok(client.unsent > 12_500_000, `${client.unsent} bytes were not taken`);
		client.child.kill("SIGTERM");
		assert.equal(await client.exited, 0);
	});

	test(`${entry}: an id in flight is refused a second time, in any spelling, and the first is not disturbed`, async () => {
		const client = start();
		await client.handshake();
		client.sendText(
			'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"slow","arguments":{"text":"300"}}}',
		);
		client.sendText('{"jsonrpc":"2.0","id":"\\u0061","method":"tools/call","params":{"name":"echo"}}');
		const refused = await client.find((line) => line.value.error !== undefined);
		assert.equal(refused.value.id, null);
		assert.deepEqual(errorOf(refused).data, {
			code: "DUPLICATE_ID",
			message: 'id: a request with id "\\u0061" is in flight',
			id: "a",
		});
		await client.find((line) => line.text.includes("slept"));
		client.send(call("a", "echo"));
		await client.until(
			() => client.lines.filter((line) => line.value.id === "a").length === 2,
			"the id to be free again",
		);
		await client.close();
	});

	test(`${entry}: a cancelled request is aborted and gets no answer, also when its id comes back as a string`, async () => {
		const client = start();
		await client.handshake();
		for (const [id, requestId] of [
			["c", "c"],
			[7, "7"],
		]) {
			client.send(call(id, "slow"));
			client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
			await client.until(() => client.stderr.includes("slow aborted"), "the abort");
			client.stderr = "";
		}
		client.send(call("after", "echo"));
		await client.find((line) => line.value.id === "after");
		assert.deepEqual(
			client.lines.filter((line) => line.value.id === "c" || line.value.id === 7),
			[],
		);
		await client.close();
	});

	test(`${entry}: only the protocol reaches standard output`, async () => {
		const client = start();
		await client.handshake();
		client.send(call(1, "noisy"));
		await client.find((line) => line.value.id === 1);
		await client.until(() => client.stderr.includes("stray write"), "the stray output");
		assert.match(client.stderr, /stray log\n[\s\S]*stray: true/);
		assert.equal(client.lines.length, 2);
		await client.close();
	});

	test(`${entry}: progress comes only for a token, keeps the token's type, rises, and stays under four a second`, async () => {
		const client = start();
		await client.handshake();
		client.sendText(
			'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps","_meta":{"progressToken":12345678901234567890}}}',
		);
		client.send(call(2, "steps"));
		await client.find((line) => line.value.id === 1);
		await client.find((line) => line.value.id === 2);
		const answered = client.lines.findIndex((line) => line.value.id === 1);
		const progress = client.lines.filter((line) => line.value.method === "notifications/progress");
		assert.ok(progress.every((line) => line.text.includes('"progressToken":12345678901234567890,')));
		const values = progress.map((line) => (line.value.params as { progress: number }).progress);
		assert.deepEqual(
			values,
			[...values].sort((a, b) => a - b),
		);
		assert.ok(values.length >= 2 && values.length <= 40, `${values.length} notifications for 200 steps`);
		assert.ok(client.lines.slice(answered).every((line) => line.value.method !== "notifications/progress"));
		await client.close();
	});

	test(`${entry}: an unforeseen failure says nothing of its inside to the client and everything on standard error`, async () => {
		const client = start();
		await client.handshake();
		client.send(call(1, "broken"));
		const line = await client.find((found) => found.value.id === 1);
		assert.deepEqual([errorOf(line).code, errorOf(line).data.code], [-32603, "INTERNAL"]);
		assert.doesNotMatch(line.text, /secret/);
		await client.until(() => client.stderr.includes("secret internal detail"), "the report");
		await client.close();
	});

	test(`${entry}: a server may ask a client that shook hands, and the answer finds the question`, async () => {
		const client = start();
		await client.handshake();
		client.send(call(1, "ask"));
		const question = await client.find((line) => line.value.method === "roots/list");
		client.send({ jsonrpc: "2.0", id: question.value.id, result: { roots: [{ uri: "file:///r" }] } });
		assert.match((await client.find((line) => line.value.id === 1 && "result" in line.value)).text, /file:\/\/\/r/);
		await client.close();
	});

	test(`${entry}: an answer that cannot be read fails its question, and is refused under no id, for the id is the server's`, async () => {
		const client = start();
		await client.handshake();
		client.send(call(9, "ask"));
		const question = await client.find((line) => line.value.method === "roots/list");
		client.sendText(`{"jsonrpc":"2.0","id":${JSON.stringify(question.value.id)},"result":{"roots":NaN}}`);
		assert.equal(errorOf(await client.find((line) => line.value.id === 9)).code, -32603);
		assert.equal(errorOf(await client.find((line) => line.value.id === null)).code, -32700);
		assert.deepEqual(
			client.lines.filter((line) => line.value.id === question.value.id),
			[question],
		);
		await client.close();
	});

	test(`${entry}: what cannot be read does not end the call in flight whose id it bears`, async () => {
		const client = start();
		await client.handshake();
		client.send(call(9, "slow", { arguments: { text: "300" } }));
		client.sendText('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":NaN}');
		assert.equal(errorOf(await client.find((line) => line.value.id === null)).code, -32700);
		assert.match((await client.find((line) => line.value.id === 9)).text, /slept/);
		await client.close();
	});

	test(`${entry}: a client without a handshake is served beside one with it`, async () => {
		const client = start();
		const meta = { _meta: MODERN_META };
		client.send({ jsonrpc: "2.0", id: 1, method: "server/discover", params: meta });
		const discovered = (await client.find((line) => line.value.id === 1)).value.result;
		assert.deepEqual(discovered, {
			supportedVersions: ["2026-07-28"],
			capabilities: { tools: { listChanged: false }, experimental: { sample: { schemaVersion: "2.0.0" } } },
			instructions: "Echoes.",
			_meta: { "io.modelcontextprotocol/serverInfo": { name: "echo", version: "1.2.3" } },
			resultType: "complete",
			ttlMs: 0,
			cacheScope: "private",
		});
		client.send(call(2, "echo", { arguments: { text: "modern" }, ...meta }));
		assert.deepEqual((await client.find((line) => line.value.id === 2)).value.result, {
			content: [{ type: "text", text: "modern" }],
			resultType: "complete",
			_meta: { "io.modelcontextprotocol/serverInfo": { name: "echo", version: "1.2.3" } },
		});
		client.send({ jsonrpc: "2.0", id: 3, method: "ping", params: meta });
		assert.equal(errorOf(await client.find((line) => line.value.id === 3)).code, -32601);
		const ahead = { ...MODERN_META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
		client.send({ jsonrpc: "2.0", id: 4, method: "tools/list", params: { _meta: ahead } });
		const refused = errorOf(await client.find((line) => line.value.id === 4));
		assert.equal(refused.code, -32022);
		assert.deepEqual((refused.data as unknown as { supported: unknown }).supported, ["2026-07-28"]);
		client.send({
			jsonrpc: "2.0",
			id: 5,
			method: "tools/list",
			params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
		});
		assert.match(
			(await client.find((line) => line.value.id === 5)).text,
			/clientCapabilities\\"\]: expected an object, got nothing/,
		);
		await client.handshake();
		client.send(call(6, "ask", meta));
		assert.equal(errorOf(await client.find((line) => line.value.id === 6)).data.code, "MISSING_CAPABILITY");
		await client.close();
	});

	test(`${entry}: a subscription is acknowledged, told of what it asked for, and answered when the server goes`, async () => {
		const client = start({ ...process.env, LIBMCP_HOSTED: "1" });
		const listen = (id: string, notifications: unknown): void =>
			client.send({
				jsonrpc: "2.0",
				id,
				method: "subscriptions/listen",
				params: { notifications, _meta: MODERN_META },
			});
		listen("s", { toolsListChanged: true, promptsListChanged: true });
		const acknowledged = await client.find((line) => line.value.method === "notifications/subscriptions/acknowledged");
		assert.deepEqual(acknowledged.value.params, {
			notifications: { toolsListChanged: true },
			_meta: { "io.modelcontextprotocol/subscriptionId": "s" },
		});
		client.send(call(1, "change", { _meta: MODERN_META }));
		const changed = await client.find((line) => line.value.method === "notifications/tools/list_changed");
		assert.deepEqual(changed.value.params, { _meta: { "io.modelcontextprotocol/subscriptionId": "s" } });
		listen("bad", { toolsListChanged: "yes" });
		assert.match((await client.find((line) => line.value.id === "bad")).text, /"code":-32602/);
		await client.close();
		const last = client.lines.find((line) => line.value.id === "s");
		assert.match(last?.text ?? "", /"resultType":"complete"/);
	});

	test(`${entry}: a subscription is known by the id that opened it, as it was sent`, async () => {
		const client = start({ ...process.env, LIBMCP_HOSTED: "1" });
		const meta = JSON.stringify(MODERN_META);
		client.sendText(
			`{"jsonrpc":"2.0","id":12345678901234567890,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":${meta}}}`,
		);
		await client.find((line) => line.value.method === "notifications/subscriptions/acknowledged");
		client.send(call(1, "change", { _meta: MODERN_META }));
		await client.find((line) => line.value.method === "notifications/tools/list_changed");
		await client.close();
		const named = client.lines.flatMap(({ text }) => text.match(/subscriptionId":[^,}]*/g) ?? []);
		assert.deepEqual(named, Array(3).fill('subscriptionId":12345678901234567890'));
	});

	test(`${entry}: the end of input lets a call of seconds answer, and ends the process whatever keeps it alive`, async () => {
		const client = start();
		await client.handshake();
		client.send(call(1, "slow", { arguments: { text: "2500" } }));
		await delay(50);
		assert.equal(await client.close(), 0);
		assert.ok(client.lines.some((line) => line.text.includes("slept")));
	});

	test(`${entry}: a signal lets a short call answer, and a longer one is answered that it may have taken effect`, async () => {
		const client = start();
		await client.handshake();
		client.send(call(1, "slow", { arguments: { text: "500" } }));
		client.send(call(2, "slow"));
		await client.until(() => client.stderr.match(/slow started/g)?.length === 2, "both calls");
		client.child.kill("SIGTERM");
		assert.equal(await client.exited, 0);
		const answers = client.lines.filter((line) => line.value.id === 1 || line.value.id === 2);
		assert.deepEqual(
			answers.map(({ value, text }) => [value.id, /slept|ambiguous_outcome/.exec(text)?.[0]]),
			[
				[1, "slept"],
				[2, "ambiguous_outcome"],
			],
		);
		assert.match(client.stderr, /slow aborted/);
	});

	test(`${entry}: a second signal takes no answer away`, { skip: posixOnly }, async () => {
		const client = start();
		await client.handshake();
		client.send(call(1, "slow", { arguments: { text: "500" } }));
		await client.until(() => client.stderr.includes("slow started"), "the call");
		client.child.kill("SIGINT");
		await delay(50);
		client.child.kill("SIGINT");
		assert.equal(await client.exited, 0);
		assert.ok(client.lines.some((line) => line.text.includes("slept")));
	});

	test(`${entry}: a host's worker leaves a call that it cannot finish to the host`, async () => {
		const client = start({ ...process.env, LIBMCP_HOSTED: "1" });
		await client.handshake();
		client.send(call(1, "slow"));
		await client.until(() => client.stderr.includes("slow started"), "the call");
		client.child.kill("SIGTERM");
		assert.equal(await client.exited, 0);
		assert.ok(client.lines.every((line) => line.value.id !== 1));
	});
}
