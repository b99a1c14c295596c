import { basename, resolve } from "node:path";
import type { WorkerCommand } from "./spawnWorker.ts";

/** What a server is called when nobody named it: by the package or script that is run, else by its command. */
export function serverName({ command, args = [], cwd = process.cwd() }: WorkerCommand): string {
	const program = basename(command).replace(SUFFIX, "");
	const [first = "", second = ""] = args;
	if (program === "cmd" && /^\/c$/i.test(first)) return serverName({ command: second, args: args.slice(2), cwd });
	const at = args.findIndex((arg) => !(arg.startsWith("-") || VERBS.has(arg)));
	const run = at === -1 || CODE.test(args[at - 1] ?? "") ? undefined : args[at];
	if (run !== undefined && PACKAGE_RUNNERS.has(program)) return tellingPart(run);
	if (run !== undefined && SCRIPT_RUNNERS.test(program)) return tellingPart(resolve(cwd, run));
	return tellingPart(command);
}

const PACKAGE_RUNNERS: ReadonlySet<string> = new Set(["npx", "npm", "pnpm", "pnpx", "yarn", "bunx", "uvx", "pipx"]);
const SCRIPT_RUNNERS = /^(?:node|tsx|ts-node|deno|bun|uv|python[\d.]*)$/;
const VERBS: ReadonlySet<string> = new Set(["run", "exec", "dlx"]);
/** What follows is the program's own text. */
const CODE = /^-(?:e|p|c|-eval|-print)$/;

const SUFFIX = /\.(?:[cm]?[jt]s|py|exe|cmd)$/;
const VERSION = /(?<=.)(?:@|==).*$/;
/** Half of all servers are an `index.js` in a `dist`, or the `mcp` of somebody: the name before says whose. */
const SAYS_NOTHING = /^(?:|index|main|__main__|cli|app|start|stdio|server|mcp|mcp-server|dist|build|out|lib|src|bin)$/i;

function tellingPart(path: string): string {
	const parts = path.split(/[\\/]/);
	const last = (parts.pop() ?? "").replace(VERSION, "").replace(SUFFIX, "");
	const names = [...parts.map((part) => part.replace(/^@/, "")), last];
	return names.findLast((name) => !SAYS_NOTHING.test(name)) ?? (last || "server");
}
