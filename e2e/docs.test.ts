// Every command line that a page shows is run here, on a reader's machine made for it.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { blocksOf, commandsOf, PAGES, ROOT } from "./docs/pages.ts";
import { newScene, shakeHands } from "./docs/scene.ts";
import { until } from "./until.ts";

type Check = (line: string) => Promise<void> | void;

const scene = newScene();
const seen = new Map<string, Promise<void>>();
let product: Promise<string> | undefined;
let finding: Promise<string> | undefined;

after(async () => {
	scene.stop();
	await until(() => scene.living().length === 0, "nothing of these commands lives");
	scene.remove();
});

/** Commands that are not run here, why not, and what is checked of them instead. */
const NOT_RUN: readonly (readonly [command: RegExp, why: string, check: Check])[] = [
	[/^npm ci/, "whoever runs this has run it; freshClone.soak.ts does in an empty home", () => undefined],
	[
		/^npm start/,
		"product.test.ts starts what it starts, freshClone.soak.ts the very command",
		() => isScript("start", "holdfast up"),
	],
	[
		/^npm (?:pack|install)/,
		"packaging.test.ts packs and installs all packages",
		() => assert.ok(existsSync(join(ROOT, "scripts/prepack.ts"))),
	],
	[/^npm test/, "this is part of it", () => isScript("test", "node scripts/test.ts")],
	[
		/^npm run (?:verify|requirements|soak)/,
		"takes minutes; CI and the long run do",
		(line) => isScript(line.split(" ")[2]),
	],
	[/^npm run dev/, "waits for edits", () => isScript("dev")],
	[
		/^npm run mutate --/,
		"takes minutes; scripts/mutate has its tests",
		(line) => {
			isScript("mutate");
			assert.ok(existsSync(join(ROOT, line.split(" ")[4] ?? "")));
		},
	],
	[/^npm run contracts$/, "npm run verify does", () => isScript("contracts")],
	[
		/^npx node examples\//,
		"npm run verify runs every example",
		(line) => assert.ok(existsSync(join(ROOT, line.split(" ")[2] ?? ""))),
	],
	[/^npm run contracts -- --write/, "would change the tree", () => isScript("contracts")],
	[/^npx node scripts\/docs\.ts/, "would change the tree", () => assert.ok(existsSync(join(ROOT, "scripts/docs.ts")))],
	[/^npm run bench --/, "takes minutes", (line) => hasBench(line.split(" ")[4])],
	[
		/^node scripts\/release\.ts/,
		"release.test.ts makes a whole release",
		() => assert.ok(existsSync(join(ROOT, "scripts/release.ts"))),
	],
	[
		/^(?:cp|systemctl) /,
		"needs a systemd; deploy.test.ts has the unit judged",
		() => assert.ok(existsSync(join(ROOT, "deploy/holdfast@.service"))),
	],
	[
		/^docker /,
		"needs an engine; deploy.test.ts builds where there is one",
		() => assert.ok(existsSync(join(ROOT, "deploy/Dockerfile"))),
	],
	[
		/^(?:metatools|holdfast) log(?:in|out)/,
		"needs a person at a browser; the tests of metatools log in without one",
		isKnown,
	],
];

/** What a page leaves to its reader, filled in. */
const FILLED: readonly (readonly [RegExp, string | (() => Promise<string>)])[] = [
	[/^npx holdfast/, "holdfast"],
	[/^holdfast doctor$/, "holdfast doctor --port 0"],
	[/npx (?:-y @modelcontextprotocol\/server-filesystem \.|some-mcp-server)|<command>/, scene.filesServer],
	[/openSession|open a session|where is the session id checked/, "lightLantern"],
	[/ --path src/, ""],
	[/~\/work\/thing/, scene.repository],
	[/<query>/, "lightLantern"],
	[/<name>/, "files"],
	[/<client>/, "cursor"],
	[/<finding>/, firstFinding],
	[/(--port[ =])\d+/, "$10"],
	[/127\.0\.0\.1:9000/, "127.0.0.1:0"],
];

/** What each command must show for itself; a command that is not here has to succeed and say something. */
const SHOWN: readonly (readonly [command: RegExp, check: Check])[] = [
	[/^holdfast host$/, (line) => fails(line, /command: expected the server's command after --/)],
	[/^holdfast host --name/, hostsFiles],
	[/^holdfast host --http|^metatools serve .*--transport|^pairofcleats api/, listens],
	[/^(?:holdfast|metatools) serve|^holdfast host -- |^pairofcleats mcp$|^synesthetic(?: --direct)?$/, speaks],
	[/^holdfast up/, comesUp],
	[/^holdfast logs .*--follow/, (line) => shows(line, /initialize|ready|tools\/list/)],
	[/^pairofcleats index watch/, (line) => shows(line, /indexed/, "watched.ts")],
	[/^synesthetic --validate .*--watch/, (line) => shows(line, /"ok":true/)],
	[/^curl/, asksTheProduct],
	[/^npm run bench$/, (line) => succeeds(`cd ${ROOT} && ${line}`, /usage: npm run bench -- </)],
	[/^echo .*\| synesthetic/, (line) => succeeds(line, /"schemas":\[\{"name":"haptic"/)],
	[/^echo .*> package\.json$/, (line) => succeeds(`cd "$(mktemp -d)" && ${line} && cat package.json`, /"module"/)],
	[/^pairofcleats search --help/, (line) => succeeds(line, /--type/)],
	[/^pairofcleats search/, (line) => succeeds(line, /lantern\.ts/)],
	[/^pairofcleats (?:map|show)/, (line) => succeeds(line, /Harbour/)],
	[/^pairofcleats triage ingest/, (line) => succeeds(line, /finding-[0-9a-f]{32}/)],
	[/^pairofcleats triage context/, (line) => succeeds(line, /CVE-2024-37890/)],
	[/^pairofcleats download/, fetches],
	[/^holdfast install claude-code --print/, (line) => succeeds(line, /"mcpServers"/)],
	[/^holdfast wrap .*--undo/, (line) => succeeds(line, /mcp\.json/)],
	[/^holdfast wrap/, (line) => succeeds(line, /mcp\.json: files/)],
	[/^holdfast import .*--yes/, (line) => succeeds(line, /added files[\s\S]*took out of .*mcp\.json: files/)],
	[/^holdfast import$/, (line) => fails(line, /not a terminal; --yes/)],
	[/^holdfast doctor/, (line) => succeeds(line, /^ok +node /m)],
	[/^holdfast status/, (line) => succeeds(line, /^files +\d+ +\d+ +\d+ +ready/m)],
	[/^holdfast logs/, (line) => succeeds(line, /initialize|ready/)],
	[/^holdfast rollout .*--host/, (line) => afterProbation(() => succeeds(line, /^files: /))],
	[/^holdfast rollout/, (line) => succeeds(line, /generation \d+ serves/)],
	[/^metatools tools search/, (line) => succeeds(line, /^files:\w+ /)],
	[/^(?:metatools|holdfast) approve$/, (line) => succeeds(`${line} 2>&1`, /nothing waits for approval$/m)],
	[/^metatools approve '/, (line) => fails(line, /nothing by that name waits/)],
	[/^metatools config schema/, (line) => succeeds(line, /"\$schema"/)],
];

for (const page of PAGES) {
	for (const line of commandsOf(page)) {
		test(`${page}: ${line}`, { timeout: 120_000 }, async (t) => {
			const not = NOT_RUN.find(([pattern]) => pattern.test(line));
			if (not !== undefined) {
				t.diagnostic(`not run: ${line}: ${not[1]}`);
				await not[2](line);
				return;
			}
			const filled = await fill(line);
			const check = SHOWN.find(([pattern]) => pattern.test(filled))?.[1] ?? ((command) => succeeds(command, /./));
			// What several pages show is run once.
			const outcome = seen.get(filled) ?? Promise.resolve(check(filled));
			seen.set(filled, outcome);
			await outcome;
		});
	}
}

test("the pages show commands at all, and each reason not to run one has its use", () => {
	const all = PAGES.flatMap(commandsOf);
	assert.ok(all.length >= 70, `${all.length} commands`);
	for (const [pattern] of [...NOT_RUN, ...SHOWN].filter(([one]) => !/watch|bench\$/.test(one.source)))
		assert.ok(
			all.some((line) => pattern.test(line.replace(/^npx holdfast/, "holdfast").replace(/<name>/, "files"))),
			String(pattern),
		);
});

test("the page of figures has some of every benchmark", () => {
	const names = readdirSync(join(ROOT, "bench")).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);
	assert.deepEqual([...new Set(measured())].sort(), names.sort());
});

for (const [page, language] of [
	["docs/metatools.md", "json"],
	["docs/http.md", "yaml"],
] as const) {
	test(`${page}: the configuration that is shown is one`, async () => {
		const [shown = ""] = blocksOf(page, language);
		assert.notEqual(shown, "");
		const script = `cat > shown.${language} <<'END'\n${shown}END\nALICE_KEY=sixteen-characters TICKETS_TOKEN=t metatools config validate --config shown.${language}`;
		await succeeds(script.replace("~/.cursor", `${scene.environment.HOME}/.cursor`), /./);
	});
}

test("every program that the pages show has types that fit, in a strict project", async () => {
	const programs = PAGES.flatMap((page) => blocksOf(page, "ts"));
	assert.ok(programs.length >= 5, `${programs.length} programs`);
	for (const [i, text] of programs.entries()) writeFileSync(join(scene.repository, `shown-${i}.mts`), text);
	const types = `${join(ROOT, "node_modules/.bin/tsc")} --noEmit --strict --skipLibCheck --module nodenext --target es2024 --types node`;
	await succeeds(`${types} shown-*.mts && echo fit`, /fit/);
});

async function fill(line: string): Promise<string> {
	let filled = line;
	for (const [pattern, by] of FILLED)
		if (pattern.test(filled)) filled = filled.replace(pattern, typeof by === "string" ? by : await by());
	assert.doesNotMatch(filled, /<[a-z_]+>/, "every placeholder has something to stand for");
	return filled;
}

function firstFinding(): Promise<string> {
	finding ??= (async () => {
		await scene.run("pairofcleats triage ingest osv findings.json && pairofcleats triage export found.jsonl");
		const found = readFileSync(join(scene.repository, "found.jsonl"), "utf8");
		return /"recordId":"(finding-[0-9a-f]+)"/.exec(found)?.[1] ?? "";
	})();
	return finding;
}

async function succeeds(line: string, shown: RegExp): Promise<void> {
	const { code, out, err } = await scene.run(line);
	assert.equal(code, 0, `${line}: ${out}${err}`);
	assert.match(out, shown);
}

/** A release that a page before has rolled out may be on probation, for half a minute. */
async function afterProbation(run: () => Promise<void>): Promise<void> {
	const until = Date.now() + 60_000;
	for (;;) {
		try {
			return await run();
		} catch (error) {
			if (Date.now() > until || !String(error).includes("on probation")) throw error;
			await wait(5_000);
		}
	}
}

async function fails(line: string, said: RegExp): Promise<void> {
	const { code, out, err } = await scene.run(line);
	assert.notEqual(code, 0);
	assert.match(out + err, said);
}

/** Something that goes on until Ctrl-C: waits for what it must show, then presses it. */
async function shows(line: string, shown: RegExp, edited?: string): Promise<void> {
	const live = scene.start(line);
	const edit = () =>
		edited !== undefined && writeFileSync(join(scene.repository, edited), `export const at = ${Date.now()};\n`);
	const editing = setInterval(edit, 500);
	await until(
		() => shown.test(live.said.out + live.said.err) || live.child.exitCode !== null,
		`${line} shows ${shown}`,
	);
	assert.match(live.said.out + live.said.err, shown);
	clearInterval(editing);
	live.interrupt();
	await live.exited;
}

/** A server on stdin and stdout: it answers a client and ends with it. */
async function speaks(line: string): Promise<void> {
	const live = scene.start(line);
	await shakeHands(live);
	live.child.stdin?.end();
	assert.equal(await live.exited, 0, live.said.err);
}

/** A server at an address that it names: it answers there and ends with Ctrl-C. */
async function listens(line: string): Promise<void> {
	const live = scene.start(line);
	const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(live.said.out + live.said.err)?.[0];
	await until(() => address() !== undefined, `${line} names its address`);
	assert.ok((await fetch(`${address()}/nothing`)).status >= 400);
	live.interrupt();
	assert.equal(await live.exited, 0, live.said.err);
}

async function comesUp(line: string): Promise<void> {
	const live = scene.start(/--port/.test(line) ? line : `${line} --port 0`);
	await until(() => live.said.out.includes("Ctrl-C stops everything"), "the product is up");
	const address = /Holdfast is up at (\S+)/.exec(live.said.out)?.[1] ?? "";
	assert.equal((await fetch(`${address}/healthz`)).status, 200);
	live.interrupt();
	assert.equal(await live.exited, 0, live.said.err);
}

/** Kept running: the pages' commands after it look at it. */
async function hostsFiles(line: string): Promise<void> {
	const live = scene.start(line);
	await shakeHands(live);
	await until(async () => /ready/.test((await scene.run("holdfast status")).out), "the host is ready");
}

async function asksTheProduct(line: string): Promise<void> {
	product ??= (async () => {
		// Without the imported servers: the pages' commands speak of one host called files, which is another.
		writeFileSync(join(scene.repository, "nothing.json"), "{}");
		const live = scene.start("holdfast up --port 0 --config nothing.json");
		await until(() => live.said.out.includes("Ctrl-C stops everything"), "the product is up");
		return /Holdfast is up at (\S+)/.exec(live.said.out)?.[1] ?? "";
	})();
	const { out } = await scene.run(
		`${line.replace("http://127.0.0.1:8080", await product)} --silent --max-time 3 --globoff`,
	);
	assert.match(out, /^(?:\{|\[|event: |: |data: |id: )/m);
}

/** With a network it succeeds; without, it says so at once. */
async function fetches(line: string): Promise<void> {
	const { code, out, err } = await scene.run(line);
	if (code !== 0) assert.match(out + err, /registry\.npmjs\.org/);
}

/** The command exists, with every option that is named. */
async function isKnown(line: string): Promise<void> {
	const [program = ""] = line.split(" ");
	const { out } = await scene.run(`${program} --help`);
	for (const word of line.split(" ").filter((one) => /^[a-z]|^--/.test(one))) assert.ok(out.includes(word), word);
}

function isScript(name: string | undefined, does?: string): void {
	const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
	assert.ok(typeof scripts[name ?? ""] === "string", `no script ${name}`);
	if (does !== undefined) assert.equal(scripts[name ?? ""], does);
}

/** Every name that a page has behind it, also in a column of its own. */
function hasBench(name: string | undefined): void {
	const names = name === undefined ? measured() : [name];
	assert.ok(names.length > 0);
	for (const one of names) assert.ok(existsSync(join(ROOT, `bench/${one}.bench.ts`)), `no bench ${one}`);
}

/** The benchmarks whose figures the page has. */
function measured(): string[] {
	const page = readFileSync(join(ROOT, "docs/performance.md"), "utf8");
	return [...page.matchAll(/\| `([\w-]+)` \|$/gm)].map(([, name = ""]) => name);
}
