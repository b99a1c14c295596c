import assert from "node:assert/strict";
import { test } from "node:test";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { Channel } from "../../src/passthrough/links/channel.ts";
import { createMasker } from "../../src/upstream/secrets/maskSecrets.ts";
import { memorySpec } from "../fixtures/inProcess.ts";

test("an error without a message is told as what came in its place", async () => {
	let error: unknown;
	const transport: Transport = {
		start: async () => {},
		close: async () => {},
		send: async (message) => {
			if ("id" in message) transport.onmessage?.({ jsonrpc: "2.0", id: message.id, error } as JSONRPCMessage);
		},
	};
	const channel = new Channel(
		transport,
		{ masker: createMasker(memorySpec("demo")), login: "metatools login demo" },
		{ onRequest: async () => ({}), onNotification: () => {} },
	);
	for (const [given, code, message] of [
		["boom", -32603, 'The server\'s answer is unusable: error: expected a code and a message, got "boom"'],
		[
			{ code: -32000 },
			-32000,
			'The server\'s answer is unusable: error: expected a code and a message, got {"code":-32000}',
		],
		[{ code: -32000, message: "no such row" }, -32000, "no such row"],
	] as const) {
		error = given;
		await assert.rejects(channel.request("tools/call", { name: "it" }), { code, message });
	}
});

test("an answer without a result is told as such, and never becomes an empty result", async () => {
	for (const [answer, got] of [
		[{ result: null }, "null"],
		[{}, "none"],
	] as const) {
		const transport: Transport = {
			start: async () => {},
			close: async () => {},
			send: async (message) => {
				if ("id" in message) transport.onmessage?.({ jsonrpc: "2.0", id: message.id, ...answer } as JSONRPCMessage);
			},
		};
		const channel = new Channel(
			transport,
			{ masker: createMasker(memorySpec("demo")), login: "metatools login demo" },
			{ onRequest: async () => ({}), onNotification: () => {} },
		);
		await channel.start();
		const message = `The server's answer is unusable: result: expected an object, got ${got}`;
		await assert.rejects(channel.request("tools/call", {}), { code: -32603, message });
	}
});
