// The gateway's own connector as the client under test of the official suite: connects, logs in when asked to, lists the
// tools and calls each with what its schema asks for.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAuthorized } from "../../src/auth/authorizedUpstreams.ts";
import { login } from "../../src/auth/login.ts";
import { TokenStore } from "../../src/auth/tokenStore.ts";
import { isObject, type JsonObject } from "../../src/contract/json.ts";
import { type Connection, connect } from "../../src/upstream/connection.ts";
import type { HttpSpec } from "../../src/upstream/spec.ts";
import { failureOf } from "../../src/upstream/upstreamError.ts";

const url = process.argv.at(-1) ?? "";
const revision = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? "2025-11-25";
const environment = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "metatools-conformance-")) };
const context: unknown = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const { client_id: id, client_secret: secret } = isObject(context) ? context : {};
const spec: HttpSpec = {
	kind: "http",
	name: "suite",
	namespace: "suite",
	protocol: revision >= "2026-07-28" ? "modern" : "legacy",
	url,
	headers: {},
	...(typeof id === "string" && { oauthClient: { id, ...(typeof secret === "string" && { secret }) } }),
};

const open = (): Promise<Connection> =>
	connect(spec, {
		open: openAuthorized(environment),
		onToolsChanged: () => {},
		onStderr: () => {},
		timeoutMs: 120_000,
		signal: AbortSignal.timeout(60_000),
	});

/** The person who agrees: the suite's authorization servers send whoever asks straight back. */
async function agree(address: string): Promise<void> {
	await (await fetch(address)).text();
}

async function opened(): Promise<Connection> {
	for (let attempt = 0; ; attempt++) {
		try {
			return await open();
		} catch (thrown) {
			if (attempt >= 2 || failureOf(thrown).kind !== "unauthorized") throw thrown;
			await login(spec, new TokenStore(environment), (address) => void agree(address));
		}
	}
}

function sample(schema: unknown): JsonObject {
	const { properties } = isObject(schema) ? schema : {};
	return Object.fromEntries(
		Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
			const { type } = isObject(property) ? property : {};
			return [name, type === "number" || type === "integer" ? 5 : type === "boolean" ? true : "sample"];
		}),
	);
}

try {
	const connection = await opened();
	const { definitions } = await connection.list();
	for (const definition of definitions) {
		const options = { signal: AbortSignal.timeout(120_000), timeoutMs: 110_000 };
		await connection
			.call(definition, sample(definition.inputSchema), options)
			.catch((thrown: unknown) => console.error(definition.name, String(thrown)));
	}
	await connection.close();
} finally {
	rmSync(environment.XDG_STATE_HOME, { recursive: true, force: true });
}
process.exit(0);
