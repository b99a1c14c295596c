import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { verifies } from "../../../../e2e/verifies.ts";
import { run } from "../../src/cli/main.ts";
import { type Api, startApi } from "../../src/http/startApi.ts";
import { buildIndex } from "../../src/index/indexer.ts";
import { SEARCH_ARGUMENTS, type SearchArgument } from "../../src/index.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { loadEmbedder } from "../../src/vectors/loadEmbedder.ts";
import { commit, git } from "../filter/fixtureRepository.ts";
import { LegacyClient, payloadOf } from "../legacy/legacyClient.ts";
import { at, type Served, serve } from "../server/serving.ts";
import { type TestWorkspace, workspaceOf } from "../tools/workspace.ts";
import { type Arguments, CHANGES, FILES, flagsOf, REFUSED, REQUESTS, wrongValue } from "./requests.ts";

/** The answer of a surface: the payload, or the error code. */
type Outcome = { readonly result?: unknown; readonly code?: unknown };
type Surface = (args: Arguments) => Promise<Outcome>;

describe("one request over every surface", () => {
	const cleanUp: (() => unknown)[] = [];
	let space: TestWorkspace;
	let api: Api;
	let first: Served;
	/** Those that must answer as the first does. */
	let surfaces: Readonly<Record<string, Surface>>;

	before(async () => {
		const t = { after: (undo: () => unknown) => void cleanUp.unshift(undo) };
		space = await workspaceOf(t, FILES, { indexed: false });
		git(space.root, "init", "-q", "-b", "main");
		commit(space.root, "Ada Lovelace", "2024-01-02T03:04:05Z");
		const { embedder } = await loadEmbedder(undefined);
		const folder = openIndexFolder(space.cacheRoot, space.root);
		await buildIndex({ root: space.root, folder, build: { blame: true }, ...(embedder && { embedder }) });
		process.env.PAIROFCLEATS_CACHE_ROOT = space.cacheRoot;
		api = await startApi({ repositories: [space.root], open: { cacheRoot: space.cacheRoot }, port: 0 });
		cleanUp.unshift(() => api.close());
		first = await serve(t, space);
		const modern = await serve(t, space, { modern: true });
		const hosted = await serve(t, space, { hosted: true });
		const legacy = new LegacyClient(t, space);
		surfaces = {
			modern: overMcp(modern),
			hosted: overMcp(hosted),
			legacy: overLegacy(legacy),
			http: overHttp(api),
			stream: overStream(api),
			cli: overCommandLine(space),
		};
	});
	after(async () => {
		for (const undo of cleanUp) await undo();
		delete process.env.PAIROFCLEATS_CACHE_ROOT;
	});

	verifies(
		["001-8-search-parity", "001-9-flags-one-to-one"],
		"every argument of search gives the same payload over both eras, hosted, legacy, HTTP, its stream and the command line",
		async () => {
			for (const args of REQUESTS) {
				const expected = await settled(overMcp(first), args);
				assert.ok(expected.result !== undefined, JSON.stringify([args, expected]));
				for (const [name, surface] of Object.entries(surfaces)) {
					assert.deepEqual(await settled(surface, args), expected, `${name}: ${JSON.stringify(args)}`);
				}
			}
		},
	);

	verifies("001-8-error-parity", "the same bad request has the same code everywhere", async () => {
		for (const [args, code] of REFUSED) {
			for (const [name, surface] of Object.entries({ first: overMcp(first), ...surfaces })) {
				if (name === "cli" && args.repoPath !== undefined) continue;
				assert.equal((await surface(args)).code, code, `${name}: ${JSON.stringify(args)}`);
			}
		}
	});

	verifies(
		["000-10-test-argument-mapping", "001-9-mapped-or-reserved"],
		"each argument of search changes the answer, and a value of the wrong kind is refused by name",
		async () => {
			const unchanged = new Map<string, unknown>();
			for (const [name, { value, base = { query: "session" } }] of Object.entries(CHANGES)) {
				const key = JSON.stringify(base);
				const plain = unchanged.get(key) ?? (await answerOf(first, { top: 20, ...base }));
				unchanged.set(key, plain);
				const changed = await answerOf(first, { top: 20, ...base, [name]: value });
				assert.notDeepEqual(changed, plain, `${name} changes nothing`);
			}
			for (const [name, argument] of Object.entries<SearchArgument>(SEARCH_ARGUMENTS)) {
				const { error } = await first.client.call("search", { query: "session", [name]: wrongValue(argument) });
				assert.equal(error?.code, -32602, name);
				assert.ok(JSON.stringify(error.data).includes(`"/${name}`), `${name}: ${JSON.stringify(error)}`);
			}
		},
	);

	verifies(
		"001-8-envelope-parity",
		"MCP and HTTP give one envelope for one request, time and duration apart",
		async () => {
			const meta = { "pairofcleats/requestId": "same" };
			const headers = { "content-type": "application/json", "x-request-id": "same" };
			const body = JSON.stringify({ query: "session", ann: true });
			const pairs = [
				[
					await first.client.call("search", { query: "session", ann: true }, meta),
					await fetch(`${api.address}/search`, { method: "POST", headers, body }),
				],
				[await first.client.call("index_status", {}, meta), await fetch(`${api.address}/status`, { headers })],
				[
					await first.client.call("index_status", { repoPath: "/" }, meta),
					await fetch(`${api.address}/status?repo=/`, { headers }),
				],
			] as const;
			for (const [answer, response] of pairs) {
				assert.deepEqual(timeless(answer.result?.structuredContent), timeless(await response.json()));
			}
		},
	);
});

async function answerOf({ client }: Served, args: Arguments): Promise<unknown> {
	const answer = await client.call("search", args);
	return at(answer.result, "/structuredContent/result/search") ?? answer;
}

/** On a busy machine an answer may not have waited for the files; it says so, and is asked for again. */
async function settled(surface: Surface, args: Arguments): Promise<Outcome> {
	for (;;) {
		const outcome = await surface(args);
		if (!JSON.stringify(outcome).includes("the files are still being read")) return outcome;
	}
}

function overMcp({ client }: Served): Surface {
	return async (args) => {
		const { error, result } = await client.call("search", args);
		if (error !== undefined) return { code: at(error, "/data/code") };
		return outcomeOf(at(result, "/structuredContent"));
	};
}

function overLegacy(client: LegacyClient): Surface {
	return async (args) => {
		const answer = await client.call("search", args);
		const payload = payloadOf(answer);
		return at(answer.result, "/isError") === true ? { code: payload.code } : outcomeOf(payload);
	};
}

function overHttp({ address }: Api): Surface {
	return async (args) => outcomeOf(await (await post(`${address}/search`, args)).json());
}

function overStream({ address }: Api): Surface {
	return async (args) => {
		const response = await post(`${address}/search/stream`, args);
		const text = await response.text();
		if (response.status !== 200) return outcomeOf(JSON.parse(text));
		const event = /event: (?:result|error)\ndata: (.*)/.exec(text)?.[1];
		return outcomeOf(JSON.parse(event ?? "null"));
	};
}

function post(url: string, args: Arguments): Promise<Response> {
	return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(args) });
}

/** The command's JSON is the engine's result; timings are removed, as every server does. */
function overCommandLine(space: TestWorkspace): Surface {
	return async (args) => {
		const printed: string[] = [];
		const terminal = {
			out: (text: string) => void printed.push(text),
			error: () => {},
			status: () => {},
			watched: false,
			colour: false,
			errorColour: false,
			columns: 80,
			interrupted: new AbortController().signal,
		};
		const json =
			args.output === "full" || args.output === "json" || args.output === "compact"
				? ["--json"]
				: ["--json", "--compact"];
		const code = await run(["search", "--repo", space.root, ...json, ...flagsOf(args)], terminal);
		if (printed.length === 0) return { code: code === 2 ? "INVALID_REQUEST" : code };
		const answer = JSON.parse(printed.join("\n"));
		if (answer.ok === false) return { code: answer.error.code };
		const { timings: _, checkedAt: __, ...search } = answer;
		return { result: { repo: "repo", search } };
	};
}

function outcomeOf(envelope: unknown): Outcome {
	return at(envelope, "/ok") === true ? { result: at(envelope, "/result") } : { code: at(envelope, "/error/code") };
}

function timeless(envelope: unknown): unknown {
	const { _meta, ...rest } = Object(envelope);
	const { ts: _, durationMs: __, ...meta } = Object(_meta);
	return { ...rest, _meta: meta };
}
