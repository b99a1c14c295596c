import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newPlace, type Place } from "../place.ts";
import { until } from "../until.ts";
import { blocksOf, ROOT } from "./pages.ts";

const FILES_SERVER = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"));
const SAMPLE = join(ROOT, "packages/synesthetic/assets/sample");
const FINDINGS = {
	results: [
		{
			source: { path: "package-lock.json", type: "lockfile" },
			packages: [
				{
					package: { name: "lantern", version: "1.0.0", ecosystem: "npm" },
					vulnerabilities: [{ id: "GHSA-3h5v-q93c-6h6q", aliases: ["CVE-2024-37890"], summary: "Burns at noon" }],
				},
			],
		},
	],
};

/** How a command that a person left running stands. */
export type Live = {
	readonly child: ChildProcess;
	readonly said: { out: string; err: string };
	readonly exited: Promise<number | null>;
	/** What Ctrl-C in its terminal does. */
	interrupt(): void;
};

export type Scene = Place & {
	/** A command line for any server that reads and writes files here. */
	readonly filesServer: string;
	/** Ends whatever of this still runs. */
	stop(): void;
	/** Runs a line in a shell to its end. */
	run(line: string): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
	/** Starts a line that runs until it is stopped. */
	start(line: string): Live;
};

/** A reader's machine: a repository with what the pages speak of, an agent with one server, and the commands on the PATH. */
export function newScene(): Scene {
	const place = newPlace();
	const { repository } = place;
	const home = place.environment.HOME ?? "";
	const env = {
		...place.environment,
		PATH: `${join(ROOT, "node_modules/.bin")}:${process.env.PATH ?? ""}`,
		MCP_READY_FILE: "",
	};
	const files = { command: process.execPath, args: [FILES_SERVER, repository] };
	mkdirSync(join(home, ".cursor"));
	writeFileSync(join(home, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { files } }));
	writeFileSync(join(repository, "metatools.json"), JSON.stringify({ mcpServers: { files } }));
	writeFileSync(join(repository, "findings.json"), JSON.stringify(FINDINGS));
	cpSync(join(SAMPLE, "schemas"), join(repository, "libs/synesthetic-schemas/jsonschema"), { recursive: true });
	cpSync(join(SAMPLE, "examples"), join(repository, "libs/synesthetic-schemas/examples"), { recursive: true });
	cpSync(join(SAMPLE, "examples"), join(repository, "assets"), { recursive: true });
	// The server of the page about writing one, where it finds the library.
	const [orders = ""] = blocksOf("docs/writing-a-server.md", "ts");
	writeFileSync(join(repository, "orders.ts"), orders);
	symlinkSync(join(ROOT, "node_modules"), join(repository, "node_modules"));

	const started: ChildProcess[] = [];
	const launch = (script: string): Live => {
		// A group of its own, as a terminal gives each command line.
		const child = spawn("sh", ["-c", script], { cwd: repository, env, stdio: "pipe", detached: true });
		started.push(child);
		const said = { out: "", err: "" };
		child.stdin.on("error", () => {});
		child.stdout.on("data", (chunk: Buffer) => {
			said.out += chunk.toString();
		});
		child.stderr.on("data", (chunk: Buffer) => {
			said.err += chunk.toString();
		});
		const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
		return {
			child,
			said,
			exited,
			interrupt: () => void (child.exitCode === null && process.kill(-(child.pid ?? Number.NaN), "SIGINT")),
		};
	};
	return {
		...place,
		filesServer: `node ${FILES_SERVER} ${repository}`,
		stop: () => {
			for (const { pid, exitCode, signalCode } of started)
				if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGTERM");
		},
		// In the shell's place, so that what it exits with is its own.
		start: (line) => launch(`exec ${line}`),
		run: async (line) => {
			const { child, said, exited } = launch(line);
			child.stdin?.end();
			return { code: await exited, ...said };
		},
	};
}

/** Says hello as a client does and waits for the answer. */
export async function shakeHands({ child, said }: Live): Promise<void> {
	const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "reader", version: "1" } };
	child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
	await until(() => /"serverInfo"/.test(said.out), "the handshake is answered");
	child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
}
