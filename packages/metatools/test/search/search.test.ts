import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { Catalog } from "../../src/catalog/catalog.ts";
import type { ToolDefinition } from "../../src/catalog/tool.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Settings } from "../../src/config/settings.ts";
import { CatalogSearch } from "../../src/search/catalogSearch.ts";
import type { Hit, SearchDocument, SearchStrategy } from "../../src/search/strategy.ts";
import { clausesOf } from "../../src/search/text/clauses.ts";
import { stem } from "../../src/search/text/stem.ts";
import { WordParts } from "../../src/search/text/wordParts.ts";
import { terms, words } from "../../src/search/text/words.ts";
import { bm25 } from "../../src/search/words/bm25.ts";
import { lexical } from "../../src/search/words/lexical.ts";
import { chooseStrategy } from "../../src/server/strategyFor.ts";
import { collectGarbage } from "../fixtures/collectGarbage.ts";
import { testGateway } from "../fixtures/gateway.ts";

const document = (id: string, parts: Partial<SearchDocument> = {}): SearchDocument => {
	const [namespace = "", name = ""] = id.split(":");
	return { id, name, namespace, description: "", tags: [], parameters: [], server: "", ...parts };
};

const ranked = async (
	strategy: SearchStrategy,
	documents: readonly SearchDocument[],
	...queries: string[]
): Promise<string[]> => (await strategy.build(documents).search(queries)).map((hit) => hit.id);

test("stems are Porter's", () => {
	const pairs =
		"caresses:caress ponies:poni cats:cat feed:feed agreed:agre plastered:plaster motoring:motor sing:sing conflated:conflat sized:size hopping:hop falling:fall filing:file happy:happi relational:relat digitizer:digit operator:oper hopefulness:hope formalize:formal electrical:electr revival:reviv allowance:allow adjustable:adjust replacement:replac adoption:adopt effective:effect probate:probat rate:rate controll:control roll:roll directories:directori directory:directori";
	for (const pair of pairs.split(" ")) {
		const [word = "", expected] = pair.split(":");
		assert.equal(stem(word), expected);
	}
});

test("a word that is remembered does not keep the text it stood in", () => {
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	for (const letter of "abcdefghijklmnopqrst") terms(`${"no ".repeat(300_000)}${letter.repeat(20)}`);
	collectGarbage();
	assert(process.memoryUsage().heapUsed - before < 5_000_000);
});

test("identifiers are split at cases, digits and marks", () => {
	assert.deepEqual(words("createHTTPServer_v2-x.y"), ["create", "http", "server", "v", "2", "x", "y"]);
	assert.deepEqual(words("listURLs, mergePRs, IDsOf, isSet"), "list urls merge prs ids of is set".split(" "));
	assert.deepEqual(terms("What is the weather in Oslo?"), ["weather", "oslo"]);
	assert.deepEqual(terms("what is it"), ["what", "is", "it"]);
});

test("a long task is split into its steps, a short query is not", () => {
	assert.deepEqual(clausesOf("find the cheapest flight"), []);
	const task =
		"Download the quarterly report from the storage bucket, then extract every table it contains. Email a summary to the finance team and open a ticket for follow-up work";
	const steps = clausesOf(task);
	assert(!steps.includes(task));
	assert(
		steps.some((step) => step.startsWith("Download") && !step.includes("extract")),
		steps.join("|"),
	);
	assert(steps.some((step) => step.startsWith("Email")));
});

const SHOP = [
	document("mail:send_email", { description: "Send a message to a recipient." }),
	document("store:create_ticket", { description: "Open a new ticket." }),
	document("store:delete_ticket", { description: "Remove a ticket." }),
	document("files:upload", {
		description: "Put a document into a bucket.",
		parameters: [{ name: "bucket_name", description: "target of the upload" }],
	}),
	document("db:query", { description: "Run SQL.", server: "warehouse of invoices" }),
];

test("every field can find a tool: name, description, parameter, server", async () => {
	assert.equal((await ranked(bm25(), SHOP, "send email"))[0], "mail:send_email");
	assert.equal((await ranked(bm25(), SHOP, "bucketName"))[0], "files:upload");
	assert.equal((await ranked(bm25(), SHOP, "invoices"))[0], "db:query");
	assert.equal((await ranked(bm25(), SHOP, "erase tickets"))[0], "store:delete_ticket");
});

test("words that fill a sentence find nothing, and phrases are understood", async () => {
	const documents = [
		...SHOP,
		document("files:size", { description: "Says what a document weighs. Does not open the actual content." }),
		document("files:roots", { description: "List what folders are allowed." }),
	];
	assert.equal((await ranked(bm25(), documents, "Which folders am I actually permitted to touch?"))[0], "files:roots");
	assert.equal(
		(await ranked(bm25(), documents, "I don't need that ticket anymore, get rid of it"))[0],
		"store:delete_ticket",
	);
});

test("a tool that its server advises against comes behind its like, unless it is named", async () => {
	const advice = ["DEPRECATED: use the other.", "Deprecated. Use the other.", "[DEPRECATED]"];
	for (const said of advice) {
		const documents = [
			document("a:read_page", { description: `${said} Read a page.` }),
			document("b:read_whole_page", { description: "Read a page, whole and at once." }),
		];
		assert.deepEqual(await ranked(bm25(), documents, "read a page"), ["b:read_whole_page", "a:read_page"], said);
		assert.equal((await ranked(bm25(), documents, "read_page"))[0], "a:read_page");
	}
	const about = [
		document("a:find_deprecated", { description: "Find deprecated methods." }),
		document("b:find_other", { description: "Find methods that may be deprecated, among others." }),
	];
	assert.equal((await ranked(bm25(), about, "deprecated methods"))[0], "a:find_deprecated");
});

test("a tool is found by what its server calls it, where that cannot be its name", async () => {
	const documents = [document("jp:_0a1b2c", { declaredName: "天気 検索" }), document("jp:read_file"), ...SHOP];
	for (const strategy of [bm25(), lexical()])
		for (const query of ["天気", "天気 検索"])
			assert.deepEqual(await ranked(strategy, documents, query), ["jp:_0a1b2c"]);
});

test("what a tool can do is told by the choices it offers, too", async () => {
	const catalog = new Catalog();
	const tool = (name: string, subCommand: object): ToolDefinition => ({
		name,
		description: "Manage a deployment.",
		inputSchema: { type: "object", properties: { subCommand } },
	});
	catalog.set({
		namespace: "k8s",
		definitions: [tool("look", {}), tool("rollout", { enum: ["pause", "restart", 3] }), tool("scale", {})],
		backendOf: () => ({ kind: "mcp", mcp: { serverName: "k8s" } }),
	});
	const found = await new CatalogSearch(catalog, bm25()).find(["restart the deployment"]);
	assert.equal(found[0]?.id, "k8s:rollout");
});

test("who asks to remember something finds what keeps knowledge", async () => {
	const memory = document("memory:create_entities", { description: "Create entities in the knowledge graph." });
	const documents = [...SHOP, memory, document("web:fill_form", { description: "Fill in what is to be remembered." })];
	assert.equal((await ranked(bm25(), documents, "memorize a fact"))[0], "memory:create_entities");
});

test("a word nobody uses finds the word it is made of, and no word by chance", async () => {
	const documents = [document("a:list_folders"), document("b:stay_late"), document("c:boot_machine")];
	assert.equal((await ranked(bm25(), documents, "subfolders"))[0], "a:list_folders");
	assert.equal((await ranked(bm25(), documents, "reboot"))[0], "c:boot_machine");
	assert.deepEqual(await ranked(bm25(), documents, "chocolate"), []);
});

test("tools are found in Chinese, Japanese and Korean, which have no spaces between words or add endings to them", async () => {
	const described = (id: string, description: string) => document(id, { description });
	const catalog = [
		described("fs:read", "读取文件内容"),
		described("fs:remove", "删除指定目录"),
		described("wx:forecast", "查询城市天气预报"),
		described("mail:send", "发送电子邮件给联系人"),
		described("jp:load", "ファイルの内容を読み込む"),
		described("jp:weather", "天気予報を取得する"),
		described("ko:open", "파일을 읽습니다"),
	];
	for (const [query, found] of [
		["文件", "fs:read"],
		["删除目录", "fs:remove"],
		["查询天气", "wx:forecast"],
		["帮我查一下北京的天气", "wx:forecast"],
		["发送邮件", "mail:send"],
		["ファイルを読む", "jp:load"],
		["天気", "jp:weather"],
		["파일 읽기", "ko:open"],
	] as const)
		assert.equal((await ranked(bm25(), catalog, query))[0], found, query);
	assert.deepEqual(await ranked(bm25(), catalog, "飛行機を予約"), []);
	assert.deepEqual(words("HTTPサーバーの設定file"), ["http", "サー", "ーバ", "バー", "ーの", "の設", "設定", "file"]);
});

test("a query that finds nothing as it is written is read as what it nearly says", async () => {
	assert.deepEqual(await ranked(bm25(), SHOP, "recipeint"), ["mail:send_email"]);
	assert.equal((await ranked(bm25(), SHOP, "delte tikcet"))[0], "store:delete_ticket");
	assert.equal((await ranked(bm25(), SHOP, "sendemail"))[0], "mail:send_email");
	assert.deepEqual(await ranked(bm25(), SHOP, "weather"), []);
	assert.deepEqual(await ranked(bm25(), SHOP, "билет"), []);
});

test("who asks for tools as such, or says nothing, is shown them all, unless a tool is called that", async () => {
	const all = SHOP.map(({ id }) => id).sort();
	for (const query of ["*", "?", "all", "tools", "what can you do", "List all available tools", "show me the tools"])
		assert.deepEqual(await ranked(bm25(), SHOP, query), all, query);
	const own = [...SHOP, document("mcp:list_tools", { description: "Lists them." }), document("mcp:everything")];
	assert.equal((await ranked(bm25(), own, "list_tools"))[0], "mcp:list_tools");
	assert.deepEqual(await ranked(bm25(), own, "everything"), ["mcp:everything"]);
	assert.deepEqual(await ranked(bm25(), SHOP, "tools for a ticket"), ["store:delete_ticket", "store:create_ticket"]);
});

test("parts of words are those that begin or end with most of one another", () => {
	const word = fc.stringMatching(/^[ab\u{1F600}]{1,9}$/u);
	const holds = (long: string, short: string) =>
		(short.length / long.length >= 0.5 && long.startsWith(short)) ||
		(short.length / long.length >= 0.6 && long.endsWith(short));
	fc.assert(
		fc.property(fc.array(word, { maxLength: 40 }), word, (known, asked) => {
			const parts = new WordParts();
			for (const one of known) parts.add(one);
			const expected = known.filter(
				(one) => one.length >= 4 && asked.length >= 4 && (holds(one, asked) || holds(asked, one)),
			);
			assert.deepEqual(new Set(parts.of(asked)), new Set(expected));
		}),
		{ numRuns: 500 },
	);
});

test("thousands of words that nobody uses are looked up, not compared with every word there is", async () => {
	const letters = (seed: number) =>
		Array.from({ length: 6 }, (_, at) => String.fromCharCode(97 + ((seed >> (at * 4)) & 15)));
	const name = (seed: number) => letters(Math.imul(seed, 2654435761) >>> 0).join("");
	const index = bm25().build(
		Array.from({ length: 5_000 }, (_, at) =>
			document(`a:tool${at}`, { description: Array.from({ length: 10 }, (_, word) => name(at * 10 + word)).join(" ") }),
		),
	);
	const question = (from: number) => Array.from({ length: 1_400 }, (_, at) => `z${name(from + at)}`).join(" ");
	const began = process.cpuUsage().user;
	await index.search(Array.from({ length: 16 }, (_, at) => question(at * 2_000)));
	const seconds = (process.cpuUsage().user - began) / 1e6;
	assert(seconds < 20, `${seconds} s of processor time`);
});

test("a question for a number or a size finds what counts and measures", async () => {
	const documents = [
		document("db:count", { description: "Gets the number of documents in a collection." }),
		document("db:delete-many", { description: "Removes all documents that match a filter." }),
		document("db:storage-size", { description: "Gets the size of a collection." }),
		document("db:list", { description: "Lists big collections and much more." }),
	];
	assert.equal((await ranked(bm25(), documents, "how many documents are there"))[0], "db:count");
	assert.equal((await ranked(bm25(), documents, "How big is the collection?"))[0], "db:storage-size");
	assert.equal((await ranked(bm25(), documents, "remove many documents"))[0], "db:delete-many");
});

test("two words for one thing side by side ask for it once, so that what is done with it decides", async () => {
	const server = "Everything about the code of a repository";
	const documents = [
		document("code:search", { description: "Ranked hits with snippets.", server }),
		document("code:ingest", {
			description: "Takes in records that a search finds.",
			parameters: [{ name: "source", description: "" }],
			server,
		}),
		document("code:compact", { description: "Gives back space. No search changes.", server }),
		document("code:build_index", { description: "Brings the index up to the disk; a search goes on.", server }),
	];
	assert.equal((await ranked(bm25(), documents, "search source code"))[0], "code:search");
	assert.equal((await ranked(bm25(), documents, "search the source of records"))[0], "code:ingest");
});

test("findings are not what finds, and settings not what sets", async () => {
	const documents = [
		document("scan:pack", { description: "A finding, with the settings it was made under." }),
		document("code:search", { description: "Ranked hits." }),
		document("lamp:set", { description: "Turns it to a colour." }),
	];
	assert.equal((await ranked(bm25(), documents, "find a hit"))[0], "code:search");
	assert.equal((await ranked(bm25(), documents, "set the lamp"))[0], "lamp:set");
	assert.equal((await ranked(bm25(), documents, "findings"))[0], "scan:pack");
	assert.equal((await ranked(bm25(), documents, "configuration"))[0], "scan:pack");
});

test("the words of a whole task count for more than those of one clause of it", async () => {
	const films = document("film:get_ratings", { description: "Ratings and genres of the films of a studio." });
	const genres = document("tv:genres", { description: "All genres." });
	const others = [document("x:one"), document("x:two"), document("x:three")];
	const task =
		"I collect what critics write about a studio, so get me the ratings of the films of the studio, including their genres";
	assert.equal((await ranked(bm25(), [genres, films, ...others], task))[0], "film:get_ratings");
});

test("several needs each bring their tool to the top", async () => {
	const found = await ranked(bm25(), SHOP, "send an email", "delete a ticket");
	assert.deepEqual(new Set(found.slice(0, 2)), new Set(["mail:send_email", "store:delete_ticket"]));
});

test("ranking is a pure function: same documents in any order, same answer; scores fall", () => {
	fc.assert(
		fc.property(
			fc.shuffledSubarray(SHOP, { minLength: SHOP.length }),
			fc.string({ maxLength: 60 }),
			(documents, query) => {
				const hits = bm25().build(documents).search([query]) as readonly Hit[];
				const again = bm25().build(SHOP).search([query]) as readonly Hit[];
				assert.deepEqual(
					hits.map((hit) => hit.id),
					again.map((hit) => hit.id),
				);
				for (const [index, hit] of hits.entries())
					assert(hit.score > 0 && hit.score <= (hits[index - 1]?.score ?? Infinity));
			},
		),
	);
});

verifies(
	["004-search-config-env-strategy-lexical", "004-search-config-env-strategy-bm25"],
	"the environment selects the strategy, and one that is neither is an error at start",
	async () => {
		const strategy = (name: string) =>
			chooseStrategy(
				loadConfig({ flags: {}, configFile: "", environment: { METATOOLS_SEARCH_STRATEGY: name } }).settings,
			);
		assert.equal(strategy("lexical").name, "lexical");
		assert.equal(strategy("bm25").name, "bm25");
		assert.deepEqual(await ranked(strategy("lexical"), SHOP, "ticket"), ["store:create_ticket", "store:delete_ticket"]);
		assert.deepEqual(await ranked(strategy("lexical"), SHOP, "remove tickets please"), []);
		assert.equal((await ranked(strategy("bm25"), SHOP, "remove tickets please"))[0], "store:delete_ticket");
		assert.throws(
			() => strategy("semantic"),
			/METATOOLS_SEARCH_STRATEGY: expected one of blend, bm25, lexical, got "semantic"/,
		);
	},
);

const wordsAlone = (environment: Record<string, string>) =>
	loadConfig({ flags: {}, configFile: "", environment: { ...environment, METATOOLS_SEARCH_STRATEGY: "bm25" } })
		.settings;

verifies("004-search-config-env-bm25-weights", "weights from the environment change the ranking", async () => {
	const documents = [
		document("a:ticket", { description: "Something else entirely." }),
		document("b:other", { description: "Ticket ticket ticket, about a ticket." }),
	];
	const top = async (environment: Record<string, string>) =>
		(await ranked(chooseStrategy(wordsAlone(environment)), documents, "ticket now"))[0];
	assert.equal(await top({ METATOOLS_SEARCH_BM25_NAME_BOOST: "9" }), "a:ticket");
	assert.equal(
		await top({ METATOOLS_SEARCH_BM25_NAME_BOOST: "0.01", METATOOLS_SEARCH_BM25_HEADLINE_BOOST: "9" }),
		"b:other",
	);
	const spaces = [document("ticket:x"), document("y:z", { tags: ["ticket"] })];
	const first = async (environment: Record<string, string>) =>
		(await ranked(chooseStrategy(wordsAlone(environment)), spaces, "ticket now"))[0];
	assert.equal(
		await first({ METATOOLS_SEARCH_BM25_NAMESPACE_BOOST: "9", METATOOLS_SEARCH_BM25_TAGS_BOOST: "0.1" }),
		"ticket:x",
	);
	assert.equal(
		await first({ METATOOLS_SEARCH_BM25_NAMESPACE_BOOST: "0.1", METATOOLS_SEARCH_BM25_TAGS_BOOST: "9" }),
		"y:z",
	);
});

verifies(
	"004-search-config-env-bm25-caps",
	"caps from the environment bound the documents and the text that are indexed",
	async () => {
		const found = async (settings: Settings, query: string) => ranked(chooseStrategy(settings), SHOP, query);
		const inAll = (environment: Record<string, string>) =>
			loadConfig({ flags: {}, configFile: "", environment }).settings;
		for (const read of [wordsAlone, inAll]) {
			assert((await found(read({}), "sql")).includes("db:query"));
			assert(!(await found(read({ METATOOLS_SEARCH_BM25_MAX_DOCS: "4" }), "sql")).includes("db:query"));
			assert((await found(read({}), "recipient")).includes("mail:send_email"));
		}
		assert.deepEqual(await found(wordsAlone({ METATOOLS_SEARCH_BM25_MAX_DOCTEXT_LEN: "10" }), "recipient"), []);
	},
);

verifies("004-extension-points-search-strategy", "a strategy of one's own ranks search_tools", async (t) => {
	const shortest: SearchStrategy = {
		name: "shortest",
		build: (documents) => ({
			search: async () =>
				documents.map(({ id }) => ({ id, score: 1 / id.length })).toSorted((a, b) => b.score - a.score),
		}),
	};
	const demo = await testGateway({ search: shortest });
	t.after(() => demo.stop());
	const { tools } = await demo.data("search_tools", { query: "anything", limit: 1 });
	assert.equal((tools as { id: string }[])[0]?.id, "demo:big");
});

test("hostile queries are answered", async () => {
	const index = bm25().build(SHOP);
	for (const query of [
		"",
		"   ",
		"\u0000\uffff",
		"a".repeat(100_000),
		"constructor __proto__ toString",
		"(((((",
		"😀".repeat(500),
	])
		assert(Array.isArray(await index.search([query])));
	assert.deepEqual(await bm25().build([]).search(["x"]), []);
	assert.deepEqual(await lexical().build(SHOP).search([""]), []);
});

test("what people call a thing finds what servers call it", async () => {
	const tools = [
		document("code:create_pull_request", { description: "Create a new pull request in a repository." }),
		document("code:merge_pull_request", { description: "Merge a pull request." }),
		document("code:add_issue_comment", { description: "Add a comment to an issue." }),
		document("graph:delete_observations", { description: "Delete observations that were stored." }),
		document("graph:list_observations", { description: "List observations that were stored." }),
		document("web:monitor_create", { description: "Monitor a page for changes." }),
		document("web:map", { description: "Map the pages of a website." }),
		document("demo:get_sum", { description: "Returns the sum of two numbers." }),
		document("demo:echo", { description: "Echoes back the input." }),
		document("web:evaluate_script", { description: "Evaluate JavaScript inside the page." }),
		document("auth:whoami", { description: "Identify the authenticated user." }),
	];
	for (const [need, id] of [
		["merge the pull request", "code:merge_pull_request"],
		["open a pull request", "code:create_pull_request"],
		["forget something I stored", "graph:delete_observations"],
		["watch a page for changes", "web:monitor_create"],
		["add two numbers", "demo:get_sum"],
		["make a PR", "code:create_pull_request"],
		["who am I?", "auth:whoami"],
		["run js", "web:evaluate_script"],
		["repeat what I say", "demo:echo"],
	] as const)
		assert.equal((await ranked(bm25(), tools, need))[0], id, need);
});
