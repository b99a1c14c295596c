import assert from "node:assert/strict";
import { test } from "node:test";
import { generateKeyPair, SignJWT } from "jose";
import { verifies } from "../../../../e2e/verifies.ts";
import { createPolicyGate, readPolicy } from "../../src/auth/policy.ts";
import { readAuth } from "../../src/auth/readAuth.ts";
import { testGateway } from "../fixtures/gateway.ts";
import { inProcessPeers } from "../fixtures/inProcess.ts";
import { authorizationServer } from "./authorizationServer.ts";
import { ask, door, seen } from "./door.ts";

const AUDIENCE = "https://tools.example/mcp";
const METADATA = "https://tools.example/.well-known/oauth-protected-resource/mcp";

verifies(
	["mcp-auth-resource-metadata", "mcp-auth-audience", "mcp-auth-statuses"],
	"tokens of the issuer for this address come in; the rest are told where to get one",
	async () => {
		const server = await authorizationServer();
		const url = await door({ auth: { oauth: { issuer: server.issuer, audience: AUDIENCE, scopes: ["tools:run"] } } });
		const origin = new URL(url).origin;

		const bare = await ask(url);
		assert.equal(bare.status, 401);
		assert.equal(bare.headers.get("www-authenticate"), `Bearer resource_metadata="${METADATA}", scope="tools:run"`);
		for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
			assert.deepEqual(await (await fetch(`${origin}${path}`)).json(), {
				resource: AUDIENCE,
				authorization_servers: [server.issuer],
				bearer_methods_supported: ["header"],
				scopes_supported: ["tools:run"],
			});
		}
		const good = await ask(url, await server.token({ resource: AUDIENCE, scope: "tools:run" }));
		assert.equal(good.status, 200);
		const elsewhere = await ask(url, await server.token({ resource: "https://other.example/mcp", scope: "tools:run" }));
		assert.equal(elsewhere.status, 401, "a token for another server");
		assert.match(elsewhere.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
		const narrow = await ask(url, await server.token({ resource: AUDIENCE, scope: "tools:read" }));
		assert.equal(narrow.status, 403);
		assert.match(narrow.headers.get("www-authenticate") ?? "", /scope="tools:run", error="insufficient_scope"/);
	},
);

test("while the issuer cannot be reached, callers are told so, and to come again", async () => {
	const gone = await authorizationServer();
	const { issuer } = gone;
	const token = await gone.token({ resource: AUDIENCE, scope: "tools:run" });
	await gone.close();
	const url = await door({ auth: { oauth: { issuer, audience: AUDIENCE } } });
	const refused = await ask(url, token);
	assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "2"]);
	const { error } = (await refused.json()) as { error: { message: string } };
	assert.equal(error.message, `the token cannot be checked: the issuer ${issuer} cannot be reached (ECONNREFUSED)`);
});

verifies("mcp-auth-audience", "forged, expired and unsigned tokens are refused alike", async () => {
	const server = await authorizationServer();
	const url = await door({ auth: { oauth: { issuer: server.issuer, audience: AUDIENCE } } });
	const { privateKey } = await generateKeyPair("ES256");
	const claims = (issued: SignJWT): SignJWT =>
		issued.setIssuer(server.issuer).setAudience(AUDIENCE).setSubject("mallory");
	const forged = await claims(new SignJWT({ scope: "tools:run" }))
		.setProtectedHeader({ alg: "ES256", kid: "test" })
		.setExpirationTime("1h")
		.sign(privateKey);
	const symmetric = await claims(new SignJWT({}))
		.setProtectedHeader({ alg: "HS256", kid: "test" })
		.setExpirationTime("1h")
		.sign(new TextEncoder().encode("guess"));
	const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
	const unsigned = `${encode({ alg: "none" })}.${encode({ iss: server.issuer, aud: AUDIENCE, sub: "mallory", exp: 9_999_999_999 })}.`;
	for (const token of [forged, symmetric, unsigned, "garbage"]) {
		const refused = await ask(url, token);
		assert.equal(refused.status, 401);
		assert.doesNotMatch(await refused.text(), /signature|alg|expired/i, "why is not said");
	}
});

test("API keys come in by name, beside OAuth or alone, and each sees its own toolset and policy", async () => {
	const server = await authorizationServer();
	const url = await door({
		auth: {
			keys: { alice: { key: "alice-key-0123456789", scopes: ["ops"] }, bob: "bob-key-0123456789xx" },
			oauth: { issuer: server.issuer, audience: AUDIENCE },
		},
		policy: { alice: { allow: ["demo:*"] }, "*": { allow: ["local:*"], deny: ["demo:secret*"] } },
	});
	assert.equal((await ask(url, "nobody-key-0123456789")).status, 401);
	assert.ok((await seen(url, "alice-key-0123456789")).some((id) => id.startsWith("demo:")));
	const bobs = await seen(url, "bob-key-0123456789xx");
	assert.ok(bobs.length > 0 && bobs.every((id) => id.startsWith("local:")));
	const robots = await seen(url, await server.token({ resource: AUDIENCE, scope: "tools:run" }));
	assert.deepEqual(robots, bobs, "the rule for everybody");
});

test("what policy hides cannot be found, described or run", async () => {
	const keys = { alice: "alice-key-0123456789", bob: "bob-key-0123456789xx" };
	const url = await door({ auth: { keys }, policy: { alice: {}, bob: { deny: ["demo:*"] } } });
	const [tool = ""] = (await seen(url, keys.alice)).filter((id) => id.startsWith("demo:"));
	assert.notEqual(tool, "");
	const name = tool.split(":")[1] ?? "";
	for (const [metatool, args] of [
		["describe_tool", { tool_id: tool, detail_level: "schema" }],
		["run_tool", { tool_id: tool, args: {} }],
		["run_chain", { steps: [{ tool_id: tool, args: {} }] }],
		["list_tool_examples", { tool_id: tool }],
	] as const) {
		assert.doesNotMatch(await (await ask(url, keys.alice, metatool, args)).text(), /not_found/, metatool);
		assert.match(await (await ask(url, keys.bob, metatool, args)).text(), /not_found|no tool/i, metatool);
	}
	const found = await (await ask(url, keys.bob, "search_tools", { query: name })).text();
	assert.doesNotMatch(found, new RegExp(`"id":"${tool}"`));
});

test("a rule for everybody that only denies widens nobody's rights", async () => {
	const keys = { alice: "alice-key-0123456789", bob: "bob-key-0123456789xx", carol: "carol-key-0123456789" };
	const url = await door({
		auth: { keys },
		policy: { alice: { allow: ["local:*"] }, carol: {}, "*": { deny: ["demo:secret*"] } },
	});
	const alices = await seen(url, keys.alice);
	assert.ok(alices.length > 0 && alices.every((id) => id.startsWith("local:")));
	for (const key of [keys.bob, keys.carol]) assert.ok((await seen(url, key)).some((id) => id.startsWith("demo:")));
});

test("a rule that cannot be understood is refused by its place", () => {
	const refused: [() => unknown, RegExp][] = [
		[() => readAuth({ key: {} }), /^Error: auth\.key: expected one of keys, oauth/],
		[
			() => readAuth({ keys: { a: "0123456789abcdef", b: { key: "0123456789abcdef" } } }),
			/auth\.keys\.b\.key: expected a key of its own, got that of another/,
		],
		[
			() => readAuth({ keys: { local: "0123456789abcdef" } }),
			/auth\.keys\.local: expected another name, because callers that need no key have this one/,
		],
		[() => readAuth({ keys: { a: "short" } }), /auth\.keys\.a\.key: expected at least 16 characters, got 5/],
		[
			() => readAuth({ keys: { a: { key: "0123456789abcdef", scope: [] } } }),
			/auth\.keys\.a\.scope: expected one of key, scopes, toolset/,
		],
		[
			() => readAuth({ oauth: { issuer: "http://idp.example", audience: AUDIENCE } }),
			/auth\.oauth\.issuer: expected https, got "http:\/\/idp\.example"/,
		],
		[() => readAuth({ oauth: { issuer: "https://idp.example" } }), /auth\.oauth\.audience: expected text, got/],
		[
			() => readAuth({ rate_limit: { per_second: 0 } }),
			/auth\.rate_limit\.per_second: expected a number above zero, got 0/,
		],
		[() => readAuth({ rate_limit: { per_second: 10, burst: 0.5 } }), /rate_limit\.burst: expected 1 or more, got 0\.5/],
		...["tools.example:8443", "https://tools.example", "tools.example/mcp", "*.example", "::1", "a b"].map(
			(name): [() => unknown, RegExp] => [
				() => readAuth({ allowed_hosts: ["tools.example", name] }),
				/auth\.allowed_hosts\.1: expected a host name without scheme, port or path, such as tools\.example, got "/,
			],
		),
		...["app.example", "https://app.example/page", "https://*.example", "localhost:5173", "https://"].map(
			(origin): [() => unknown, RegExp] => [
				() => readAuth({ allowed_origins: [origin] }),
				/auth\.allowed_origins\.0: expected scheme and host without a path, such as https:\/\/app\.example, got "/,
			],
		),
		[() => readPolicy({ alice: { allows: [] } }), /policy\.alice\.allows: expected one of allow, deny/],
		[() => readPolicy({ alice: { deny: "x" } }), /policy\.alice\.deny: expected a list of texts, got/],
	];
	for (const [read, message] of refused)
		assert.throws(read, (error: Error) => message.test(String(error)), String(message));
});

test("hosts and origins are let in however they are written", () => {
	const { allowedHosts, allowedOrigins } = readAuth({
		allowed_hosts: ["Tools.Example", "10.0.0.7", "[FD00::1]", "my_box"],
		allowed_origins: ["https://App.Example/", "http://localhost:5173", "vscode-webview://ab12", "null"],
	});
	assert.deepEqual(allowedHosts, ["tools.example", "10.0.0.7", "[fd00::1]", "my_box"]);
	assert.deepEqual(allowedOrigins, ["https://app.example", "http://localhost:5173", "vscode-webview://ab12", "null"]);
});

test("a token's subject does not pass for the holder of a key of that name", async () => {
	const server = await authorizationServer();
	const url = await door({
		auth: { keys: { robot: "robot-key-0123456789" }, oauth: { issuer: server.issuer, audience: AUDIENCE } },
	});
	assert.equal((await ask(url, "robot-key-0123456789")).status, 200);
	const namesake = await ask(url, await server.token({ resource: AUDIENCE, scope: "tools:run" }));
	assert.equal(namesake.status, 403);
	assert.match(await namesake.text(), /has the name of a key here/);
});

test("a token's subject does not pass for a caller that needs no token", async () => {
	const server = await authorizationServer("local");
	const url = await door({ auth: { oauth: { issuer: server.issuer, audience: AUDIENCE } }, policy: { local: {} } });
	const namesake = await ask(url, await server.token({ resource: AUDIENCE, scope: "tools:run" }));
	assert.equal(namesake.status, 403);
	assert.match(await namesake.text(), /has the name of callers that need no token here/);
});

test("a caller under a policy hears of no server that none of its rules speaks of, nor why one failed", async (t) => {
	const peers = inProcessPeers();
	peers.failing.add("payments");
	const demo = await testGateway({
		peers,
		servers: ["git", "payments"],
		gates: [createPolicyGate(() => ({ alice: { allow: ["git:*"] }, bob: {} }))],
	});
	t.after(() => demo.stop());
	const seenBy = (id: string) => demo.gateway.namespaces({ id }).map(({ namespace }) => namespace);
	assert.deepEqual(seenBy("alice"), ["git"]);
	assert.deepEqual(seenBy("bob"), ["git", "payments", "local"]);
	assert.deepEqual(seenBy("mallory"), []);
	await assert.rejects(
		demo.gateway.runner.run({
			toolId: "payments:pay",
			args: {},
			viewer: { id: "alice" },
			signal: new AbortController().signal,
		}),
		/No tool is called payments:pay/,
	);
});
