// Every command line that the README and the first page show is run here, in a home of its own.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newPlace } from "./place.ts";
import { eventually } from "./runningProduct.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES_SERVER = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"));
const OURS = /^(?:holdfast|pairofcleats|synesthetic|metatools|npm|npx)\b/;

type Outcome = { readonly code: number | null; readonly out: string; readonly err: string };
type Check = (command: readonly string[]) => Promise<void> | void;

const place = newPlace();
const home = place.environment.HOME ?? "";
const background: ChildProcess[] = [];

before(() => {
	// An agent with one server in its list, for the commands that look for such.
	mkdirSync(join(home, ".cursor"));
	const files = { command: process.execPath, args: [FILES_SERVER, place.repository] };
	writeFileSync(join(home, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { files } }));
});
after(async () => {
	for (const child of background) child.stdin?.end();
	await eventually("nothing of these commands lives", () => place.living().length === 0);
	place.remove();
});

/** What each command must show for itself; a command that is not here only has to succeed. */
const SHOWN: readonly (readonly [command: RegExp, check: Check])[] = [
	[/^npm ci/, () => undefined], // Whoever runs this test has run it.
	[/^npm start/, () => assert.equal(manifest().scripts.start, "holdfast up")], // Which product.test.ts starts and stops.
	[/^npm test/, () => assert.equal(manifest().scripts.test, "node scripts/test.ts")],
	[/^holdfast host /, startHost],
	[/^npx holdfast /, ([, ...command]) => assert.ok(command.length > 0)],
	[/^pairofcleats search/, (command) => succeeds(command.map(knownHere), /lantern\.ts/)],
	[/^pairofcleats map/, (command) => succeeds(command, /Harbour/)],
	[/^holdfast install claude-code --print/, (command) => succeeds(command, /"mcpServers"/)],
	[/^holdfast import/, (command) => succeeds(command, /added files/)],
	[/^holdfast doctor/, (command) => succeeds(command, /^ok +server files +14 tools/m)],
	[/^holdfast status/, (command) => succeeds(command, /^files +\d+ +1 +ready/m)],
	[/^holdfast logs/, (command) => succeeds(command, /initialize|ready/)],
	[/^holdfast rollout/, (command) => succeeds(command, /generation 2 serves/)],
	[/^metatools tools search/, (command) => succeeds(command, /^files:list_directory /)],
];

for (const page of ["README.md", "docs/getting-started.md"]) {
	const commands = commandsOf(readFileSync(join(ROOT, page), "utf8"));
	test(`${page} shows commands`, () => assert.ok(commands.length >= 2));
	for (const line of commands) {
		test(`${page}: ${line}`, { timeout: 120_000 }, async () => {
			const check = SHOWN.find(([pattern]) => pattern.test(line))?.[1] ?? ((command) => succeeds(command, /./));
			await check(words(line));
		});
	}
}

test("every command and option that a page names in its text exists", async () => {
	const known = new Map<string, string>();
	for (const page of ["README.md", "docs/getting-started.md", "docs/operating.md", "docs/http.md"]) {
		const text = readFileSync(join(ROOT, page), "utf8");
		for (const [, line = ""] of text.matchAll(/`((?:holdfast|pairofcleats|metatools|synesthetic) [^`\n]+)`/g)) {
			const [program = "", name = ""] = line.split(/\s+/);
			const help = known.get(`${program} ${name}`) ?? (await helpOf(program, name));
			known.set(`${program} ${name}`, help);
			for (const option of line.split(" -- ")[0]?.match(/--[a-z][a-z-]+/g) ?? []) {
				assert.ok(option === "--help" || help.includes(option), `${page}: ${line}: no ${option}`);
			}
		}
	}
	assert.ok(known.size >= 8);
});

async function helpOf(program: string, name: string): Promise<string> {
	const all = await run([program, "--help"]);
	const own = name.startsWith("-") || name.startsWith("<") ? all : await run([program, name, "--help"]);
	assert.equal(own.code, 0, `${program} ${name} --help: ${own.err}`);
	return all.out + own.out;
}

/** The lines of `sh` blocks, each command of them, without its comment. */
function commandsOf(text: string): string[] {
	const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, body = ""]) => body);
	return blocks
		.flatMap((body) => body.split("\n"))
		.flatMap((line) => line.replace(/ +#.*/, "").split(" && "))
		.map((line) => line.trim())
		.filter((line) => OURS.test(line));
}

function words(line: string): string[] {
	return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

// The pages search for what a reader's repository may have; this one has a lantern.
function knownHere(word: string): string {
	return word === "open a session" || word === "openSession" ? "lightLantern" : word;
}

async function succeeds(command: readonly string[], shown: RegExp): Promise<void> {
	const outcome = await run(command);
	assert.equal(outcome.code, 0, `${command.join(" ")}: ${outcome.out}${outcome.err}`);
	assert.match(outcome.out, shown);
}

/** The page's server under the page's options, from where the workspace has it instead of the registry. */
async function startHost(command: readonly string[]): Promise<void> {
	const end = command.indexOf("--");
	const child = start([...command.slice(0, end), "--", process.execPath, FILES_SERVER, place.repository]);
	background.push(child);
	const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "reader", version: "1" } };
	child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`);
	const answer = await new Promise<string>((resolve) =>
		child.stdout?.once("data", (chunk: Buffer) => resolve(String(chunk))),
	);
	assert.match(answer, /"id":1,|"serverInfo"/);
	child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
	await eventually("the host is ready", async () => /ready/.test((await run(["holdfast", "status"])).out));
}

async function run(command: readonly string[]): Promise<Outcome> {
	const child = start(command);
	const said = { out: "", err: "" };
	child.stdin?.end();
	child.stdout?.on("data", (chunk: Buffer) => {
		said.out += chunk.toString();
	});
	child.stderr?.on("data", (chunk: Buffer) => {
		said.err += chunk.toString();
	});
	const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
	return { code, ...said };
}

function start([program = "", ...args]: readonly string[]): ChildProcess {
	const bin = join(ROOT, "packages", program, "bin", `${program}.js`);
	return spawn(process.execPath, [bin, ...args], { cwd: place.repository, env: place.environment, stdio: "pipe" });
}

function manifest(): { scripts: Record<string, string> } {
	return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
}
