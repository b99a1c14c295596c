import assert from "node:assert/strict";
import dns from "node:dns";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { verifies } from "../../../../../e2e/verifies.ts";
import { createGuardedFetch, isPrivateAddress, lookUpPublic } from "../../../src/upstream/login/guardedFetch.ts";
import { TokenStore } from "../../../src/upstream/login/tokenStore.ts";
import { authorizationServer } from "../../auth/authorizationServer.ts";
import { metatools } from "../../transport/command.ts";

const folder = mkdtempSync(join(tmpdir(), "metatools-login-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
	const { port } = probe.address() as AddressInfo;
	await new Promise((resolve) => probe.close(resolve));
	return port;
}

function config(name: string, content: unknown): string {
	const file = join(folder, name);
	writeFileSync(file, JSON.stringify(content));
	return file;
}

/** Does what a person does in a browser: follows links, logs in, agrees, and is sent back. */
async function agree(address: string): Promise<number> {
	const cookies = new Map<string, string>();
	let next: { url: string; form?: URLSearchParams } = { url: address };
	for (let step = 0; step < 12; step++) {
		const response = await fetch(next.url, {
			redirect: "manual",
			headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
			...(next.form === undefined ? {} : { method: "POST", body: next.form }),
		});
		for (const cookie of response.headers.getSetCookie()) {
			const [pair = ""] = cookie.split(";");
			cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
		}
		const location = response.headers.get("location");
		if (location !== null) next = { url: new URL(location, next.url).href };
		else if (new URL(next.url).pathname === "/callback") return response.status;
		else {
			const page = await response.text();
			const action = /action="([^"]+)"/.exec(page)?.[1] ?? next.url;
			const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1] ?? "";
			next = {
				url: new URL(action, next.url).href,
				form: new URLSearchParams({ prompt, login: "ada", password: "any" }),
			};
		}
	}
	throw new Error("the login went round in circles");
}

async function until<T>(look: () => T | undefined): Promise<T> {
	const deadline = performance.now() + 20_000;
	for (;;) {
		const found = look();
		if (found !== undefined) return found;
		if (performance.now() > deadline) throw new Error("waited too long");
		await new Promise((resolve) => setTimeout(resolve, 25));
	}
}

verifies(
	["mcp-client-pkce", "mcp-client-resource"],
	"a gateway logs in to a protected server, keeps the tokens to itself, and uses them",
	async () => {
		const issuer = await authorizationServer();
		const port = await freePort();
		const audience = `http://127.0.0.1:${port}/mcp`;
		const auth = { oauth: { issuer: issuer.issuer, audience, scopes: ["tools:run"] } };
		const guarded = metatools([
			"serve",
			"--transport=streamable",
			`--port=${port}`,
			"-c",
			config("guarded.json", { auth }),
		]);
		assert.equal(await guarded.address, audience);

		const state = join(folder, "state");
		const outer = config("outer.json", { mcpServers: { guarded: { url: audience } } });
		const environment = { XDG_STATE_HOME: state };
		const before = metatools(["tools", "run", "guarded:list_namespaces", "-c", outer], environment);
		const login = metatools(["login", "guarded", "-c", outer], environment);
		let shown = "";
		login.child.stdout?.on("data", (chunk: Buffer) => {
			shown += chunk.toString();
		});
		const address = await until(() => /^https?:\S+/.exec(shown)?.[0]);
		assert.equal(await before.exited, 1, "nobody has logged in yet");
		// As a gateway does that tries the server, and registers, while the person is in the browser.
		const other = { client_id: "another", redirect_uris: ["http://127.0.0.1/callback"] };
		new TokenStore(environment).write(audience, { client: other });
		const asked = new URL(address).searchParams;
		assert.equal(asked.get("code_challenge_method"), "S256");
		assert.equal(asked.get("resource"), audience);
		const { origin } = new URL(asked.get("redirect_uri") ?? "");
		for (const stray of ["//", `/callback?state=${"é".repeat(32)}`])
			assert.equal((await fetch(`${origin}${stray}`)).status, 404, "a page of the browser sends something else");
		assert.equal(await agree(address), 200);
		assert.equal(await login.exited, 0, login.stderr());

		const [file = ""] = readdirSync(join(state, "holdfast", "oauth"));
		const path = join(state, "holdfast", "oauth", file);
		assert.equal(statSync(path).mode & 0o777, 0o600);
		assert.match(readFileSync(path, "utf8"), /"access_token"/);

		const ran = metatools(["tools", "run", "guarded:list_namespaces", "-c", outer, "--json"], environment);
		let answer = "";
		ran.child.stdout?.on("data", (chunk: Buffer) => {
			answer += chunk.toString();
		});
		assert.equal(await ran.exited, 0, ran.stderr());
		assert.match(answer, /local/);

		const logout = metatools(["logout", "guarded", "-c", outer], environment);
		assert.equal(await logout.exited, 0);
		assert.deepEqual(readdirSync(join(state, "holdfast", "oauth")), []);
	},
	{
		timeout: 90_000,
	},
);

test("a name is not connected to if any of its addresses is private, whichever comes first", async (t) => {
	const answers = { public: "93.184.216.34", private: "10.0.0.8" };
	let answer: readonly (keyof typeof answers)[] = [];
	t.mock.method(dns, "lookup", (_name: string, _options: unknown, found: (...given: unknown[]) => void) =>
		found(
			null,
			answer.map((kind) => ({ address: answers[kind], family: 4 })),
		),
	);
	syncBuiltinESMExports();
	t.after(() => {
		t.mock.restoreAll();
		syncBuiltinESMExports();
	});
	for (const [order, refused] of [
		[["public", "public"], false],
		[["public", "private"], true],
		[["private", "public"], true],
	] as const) {
		answer = order;
		const error = await new Promise((resolve) => lookUpPublic("tools.example", { all: true }, resolve));
		assert.equal(error instanceof Error && /it is on a private network/.test(error.message), refused, String(order));
	}
});

verifies(
	"mcp-client-ssrf",
	"addresses a server names are followed only over https into the public network",
	async () => {
		const reached: string[] = [];
		const inner = async (url: string | URL): Promise<Response> => {
			reached.push(String(url));
			return new Response("{}");
		};
		const remote = createGuardedFetch(new URL("https://tools.example/mcp"), inner);
		const resolved = (name: string) =>
			new Promise<unknown>((resolve) => lookUpPublic(name, {}, (error, address) => resolve(error?.message ?? address)));
		assert.match(String(await resolved("localhost")), /localhost is not reached: it is on a private network/);
		await remote("https://tools.example/.well-known/oauth-protected-resource");
		assert.equal(reached.length, 1, "the server itself");
		for (const address of [
			"http://93.184.216.34/",
			"https://169.254.169.254/latest",
			"https://127.0.0.1/",
			"https://[::1]/",
			"https://10.0.0.8/",
			"https://localhost/",
			"https://api.localhost./",
			"https://[::ffff:127.0.0.1]/",
			"https://0x7f.1/",
		]) {
			await assert.rejects(remote(address), /is not reached/, address);
		}
		const redirecting = (location: string) => {
			const followed: string[] = [];
			const first = async (url: string | URL, init?: RequestInit): Promise<Response> => {
				assert.equal(init?.redirect, "manual");
				followed.push(String(url));
				return followed.length > 1 ? new Response("{}") : new Response(null, { status: 302, headers: { location } });
			};
			return { followed, fetch: createGuardedFetch(new URL("https://tools.example/mcp"), first) };
		};
		for (const location of [
			"http://169.254.169.254/",
			"https://other.example/",
			"http://tools.example/",
			"javascript:alert(1)",
		])
			await assert.rejects(
				redirecting(location).fetch("https://tools.example/metadata"),
				/redirects elsewhere/,
				location,
			);
		const inside = redirecting("/metadata/");
		assert.equal((await inside.fetch("https://tools.example/metadata")).status, 200);
		assert.deepEqual(inside.followed, ["https://tools.example/metadata", "https://tools.example/metadata/"]);
		await assert.rejects(
			redirecting("/token/").fetch("https://tools.example/token", { method: "POST" }),
			/redirects elsewhere/,
			"what is posted is not posted again elsewhere",
		);
		const local = createGuardedFetch(new URL("http://127.0.0.1:3000/mcp"), inner);
		await local("http://127.0.0.1:4000/token");
		await local("http://192.168.1.60/token");
		await assert.rejects(local("http://93.184.216.34/"), /expected https/);
		const near = createGuardedFetch(new URL("http://192.168.1.50/mcp"), inner);
		await near("http://192.168.1.60:8080/token");
		for (const host of ["127.0.0.1:4000", "localhost", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "0.0.0.0"])
			await assert.rejects(near(`https://${host}/token`), /on a private network/, host);
		assert.deepEqual(
			["192.168.1.1", "172.20.0.1", "100.64.0.1", "::ffff:10.0.0.1", "fd00::1", "fe80::1"].map(isPrivateAddress),
			Array(6).fill(true),
		);
		assert.deepEqual(
			["::ffff:7f00:1", "::7f00:1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "ff02::1"].map(isPrivateAddress),
			Array(6).fill(true),
			"addresses that stand for others",
		);
		assert.deepEqual(["93.184.216.34", "2606:4700::1111"].map(isPrivateAddress), [false, false]);
	},
);
