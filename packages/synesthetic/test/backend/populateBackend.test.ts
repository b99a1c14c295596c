import assert from "node:assert/strict";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { Assets } from "../../src/assets.ts";
import { createBackendUrl, POST_LIMITS, populateBackend } from "../../src/backend/populateBackend.ts";
import type { JsonValue } from "../../src/json/jsonValue.ts";
import { readSettings } from "../../src/settings.ts";
import { folder } from "../folder.ts";
import { sampleFolder } from "../server/sample.ts";
import { StdioClient } from "../server/stdioClient.ts";

type Seen = { method: string; url: string; type: string | undefined; body: string };

async function listen(t: TestContext, server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.after(() => server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A real backend that notes each request and lets the test answer it. */
async function backend(t: TestContext, answer: (response: ServerResponse, request: IncomingMessage) => void) {
	const seen: Seen[] = [];
	const server = createHttpServer((request, response) => {
		let body = "";
		request.setEncoding("utf8").on("data", (text: string) => {
			body += text;
		});
		request.on("end", () => {
			seen.push({ method: request.method ?? "", url: request.url ?? "", type: request.headers["content-type"], body });
			answer(response, request);
		});
	});
	t.after(() => server.closeAllConnections());
	return { url: await listen(t, server), seen };
}

async function rawBackend(t: TestContext, onConnection: (socket: Socket) => void) {
	let connections = 0;
	const server = createTcpServer((socket) => {
		connections += 1;
		socket.on("error", () => {});
		t.after(() => socket.destroy());
		onConnection(socket);
	});
	return { url: await listen(t, server), connections: () => connections };
}

const json = (status: number, body: string) => (response: ServerResponse) => void response.writeHead(status).end(body);
const assetsWith = (t: TestContext, environment: Record<string, string>): Assets =>
	new Assets(
		readSettings(
			{ SYN_SCHEMAS_DIR: "s", ...environment },
			folder(t, {
				"s/synesthetic-asset.schema.json": {
					type: "object",
					required: ["name"],
					properties: { name: { type: "string" } },
				},
				"s/tone.schema.json": { required: ["frequency"] },
			}),
		),
	);
const brokenOff = (status: number) => ({
	ok: false,
	reason: "backend_error",
	status: 502,
	detail: `the backend said ${status}, but its answer broke off; it may have taken the asset`,
});
const UNREACHABLE = { ok: false, reason: "backend_error", status: 503, detail: "network_unreachable" };

verifies(
	["003-4-populate-success", "003-7-syn-backend-assets-path"],
	"an accepted asset is answered with its id and where it went, as strings",
	async (t) => {
		const { url, seen } = await backend(t, json(201, '{"id":42}'));
		const result = await assetsWith(t, { SYN_BACKEND_URL: url }).populateBackend(
			{ name: "é", $schemaRef: "synesthetic-asset" },
			undefined,
		);
		assert.deepEqual(result, { ok: true, asset_id: "42", backend_url: `${url}/synesthetic-assets/` });
		assert.deepEqual(seen, [
			{
				method: "POST",
				url: "/synesthetic-assets/",
				type: "application/json",
				body: '{"name":"é","$schemaRef":"synesthetic-asset"}',
			},
		]);
		await assetsWith(t, { SYN_BACKEND_URL: `${url}/api/v1/`, SYN_BACKEND_ASSETS_PATH: "assets" }).populateBackend(
			{ name: "x" },
			true,
		);
		assert.equal(seen[1]?.url, "/api/v1/assets");
		assert.equal(createBackendUrl("http://user:secret@h/", "/a")?.pathname, "/a");
		assert.equal(createBackendUrl("http://h/api/", "a?draft=1&of=b?c")?.href, "http://h/api/a?draft=1&of=b?c");
	},
);

test("an id is the backend's own text, and no id is the empty string", async (t) => {
	const bodies: [string, string][] = [
		['{"id":"a-1"}', "a-1"],
		['{"id":12345678901234567890}', "12345678901234567890"],
		['{"id":1.0}', "1.0"],
		['{"asset_id":"a-2"}', "a-2"],
		['{"asset_id":"a-2","id":"a-1"}', "a-1"],
		['{"id":null}', ""],
		["{}", ""],
		["[]", ""],
		["garbage", ""],
		["", ""],
	];
	for (const [body, expected] of bodies) {
		const { url } = await backend(t, json(200, body));
		const result = await populateBackend({}, createBackendUrl(url, "/"));
		assert.equal("asset_id" in result && result.asset_id, expected, body);
	}
});

test("secrets in the backend's address reach the backend and not the client", async (t) => {
	const { url, seen } = await backend(t, json(200, "{}"));
	const address = `${url.replace("http://", "http://user:secret@")}/?api_key=secret#secret`;
	const result = await populateBackend({}, createBackendUrl(address, "/a"));
	assert.deepEqual(result, { ok: true, asset_id: "", backend_url: `${url}/a` });
	assert.equal(seen[0]?.url, "/a?api_key=secret");
});

verifies(
	["003-1-validate-before-persist", "003-6-validation-error"],
	"an invalid asset is refused and no request is made, unless the caller says so",
	async (t) => {
		const { url, seen } = await backend(t, json(200, '{"id":"x"}'));
		const assets = assetsWith(t, { SYN_BACKEND_URL: url });
		for (const validateFirst of [undefined, null, true]) {
			const result = await assets.populateBackend({ title: "no name" }, validateFirst);
			assert.deepEqual(result, {
				ok: false,
				reason: "validation_failed",
				errors: [{ path: "", msg: 'expected property "name", which is missing' }],
			});
		}
		const byReference = await assets.populateBackend({ $schemaRef: "jsonschema/tone.schema.json" }, true);
		assert.equal(byReference.ok, false);
		for (const wrong of ["false", 0]) assert.equal((await assets.populateBackend({ name: "x" }, wrong)).ok, false);
		assert.equal((await assets.populateBackend(undefined, false)).ok, false);
		assert.deepEqual(seen, []);
		assert.equal((await assets.populateBackend("anything", false)).ok, true);
		assert.equal(seen.length, 1);
	},
);

verifies(
	"003-7-syn-backend-url",
	"without a backend address the tool is unsupported, and with one it posts",
	async (t) => {
		const { url, seen } = await backend(t, json(201, '{"id":"a1"}'));
		for (const [environment, expected] of [
			[{}, { ok: false, reason: "unsupported", detail: "backend disabled" }],
			[{ SYN_BACKEND_URL: "" }, { ok: false, reason: "unsupported", detail: "backend disabled" }],
			[{ SYN_BACKEND_URL: url }, { ok: true, asset_id: "a1", backend_url: `${url}/synesthetic-assets/` }],
		] as const) {
			seen.length = 0;
			assert.deepEqual(await assetsWith(t, environment).populateBackend({ name: "x" }, true), expected);
			for (const args of [[], ["--direct"]]) {
				const client = await new StdioClient(t, { cwd: sampleFolder(t), env: environment, args }).ready();
				assert.deepEqual(await client.call("populate_backend", { asset: { name: "x" } }), expected);
				await client.end();
			}
			assert.equal(seen.length, expected.ok ? 3 : 0);
		}
	},
);

verifies(
	["003-6-backend-error", "003-2-backend-no-retries"],
	"an answer that is no success carries the backend's status and text, after one request",
	async (t) => {
		for (const status of [302, 400, 404, 422, 500, 503]) {
			const { url, seen } = await backend(
				t,
				(response) => void response.writeHead(status, { location: "http://127.0.0.1:9/" }).end("went wrong"),
			);
			assert.deepEqual(await populateBackend({}, createBackendUrl(url, "/")), {
				ok: false,
				reason: "backend_error",
				status,
				detail: "went wrong",
			});
			assert.equal(seen.length, 1);
		}
	},
);

verifies(
	["003-6-network-error", "003-2-backend-no-retries"],
	"a backend that is away, hangs up or speaks no HTTP is unreachable, after one connection",
	async (t) => {
		const broken: [string, (socket: Socket) => void][] = [
			["hangs up", (socket) => void socket.once("data", () => socket.destroy())],
			["resets", (socket) => void socket.once("data", () => socket.resetAndDestroy())],
			["speaks garbage", (socket) => void socket.once("data", () => socket.end("not http at all\r\n\r\n"))],
		];
		for (const [says, onConnection] of broken) {
			const { url, connections } = await rawBackend(t, onConnection);
			assert.deepEqual(await populateBackend({}, createBackendUrl(url, "/")), UNREACHABLE, says);
			assert.equal(connections(), 1, says);
		}
		assert.deepEqual(await populateBackend({}, createBackendUrl("http://127.0.0.1:1", "/")), UNREACHABLE);
		for (const address of ["ftp://127.0.0.1/", "not a url", "file:///etc/passwd"])
			assert.deepEqual(await populateBackend({}, createBackendUrl(address, "/")), UNREACHABLE, address);
	},
);

verifies(
	["003-2-backend-timeout", "003-6-network-error"],
	"a backend that never answers, or drips, is given up after one deadline for everything",
	async (t) => {
		assert.equal(POST_LIMITS.totalMs, 5_000);
		const limits = { totalMs: 400, maxBodyBytes: 1_000 };
		const silent = await backend(t, () => {});
		assert.deepEqual(await populateBackend({}, createBackendUrl(silent.url, "/"), limits), UNREACHABLE);
		const dripping = await backend(t, (response) => {
			response.writeHead(200);
			const timer = setInterval(() => response.write(" "), 20);
			t.after(() => clearInterval(timer));
		});
		const started = Date.now();
		assert.deepEqual(await populateBackend({}, createBackendUrl(dripping.url, "/"), limits), brokenOff(200));
		assert.ok(Date.now() - started >= 390);
		assert.deepEqual([silent.seen.length, dripping.seen.length], [1, 1]);
	},
);

test("a backend that has said yes is not called unreachable when the rest of its answer is lost", async (t) => {
	for (const [status, expected] of [
		["201 Created", brokenOff(201)],
		["400 Bad Request", { ok: false, reason: "backend_error", status: 400, detail: '{"id":' }],
	] as const) {
		const head = `HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\n{"id":`;
		const { url, connections } = await rawBackend(t, (socket) => void socket.once("data", () => socket.end(head)));
		assert.deepEqual(await populateBackend({}, createBackendUrl(url, "/")), expected);
		assert.equal(connections(), 1);
	}
});

test("an answer without end is cut off", async (t) => {
	const { url } = await backend(t, (response) => void response.writeHead(200).end("x".repeat(2_000)));
	const result = await populateBackend({} as JsonValue, createBackendUrl(url, "/"), {
		totalMs: 5_000,
		maxBodyBytes: 1_000,
	});
	assert.deepEqual(result, {
		ok: false,
		reason: "backend_error",
		status: 502,
		detail: "the backend said 200, but its answer is larger than 1 MiB; it may have taken the asset",
	});
});

test("a failure keeps its status and how its text begins, however long that is", async (t) => {
	const { url } = await backend(t, (response) => void response.writeHead(500).end("x".repeat(200_000)));
	const result = await populateBackend({}, createBackendUrl(url, "/"), { totalMs: 5_000, maxBodyBytes: 100_000 });
	assert.ok(!result.ok && result.reason === "backend_error");
	assert.equal(result.status, 500);
	assert.match(result.detail, /^x{1,4096}$/);
});

test("a backend that changes the protocol is answered with at once, as the error it is", async (t) => {
	for (const head of [
		"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\n\r\n",
	]) {
		const { url } = await rawBackend(t, (socket) => socket.once("data", () => socket.write(head)));
		// The deadline is far off, so it is not what ends this.
		const result = await populateBackend({}, createBackendUrl(url, "/"), { ...POST_LIMITS, totalMs: 600_000 });
		assert.deepEqual(result, { ok: false, reason: "backend_error", status: 101, detail: "" }, head);
	}
});
