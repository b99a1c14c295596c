import { basename, resolve } from "node:path";
import type { WorkerCommand } from "../worker/spawnWorker.ts";

/** The default name of a server: from the package, script or image that is run, else from its command. */
export function deriveServerName({ command, args = [], cwd = process.cwd() }: WorkerCommand): string {
	const program = basename(command).replace(SUFFIX, "");
	const [first = "", second = ""] = args;
	if (program === "cmd" && /^\/c$/i.test(first)) return deriveServerName({ command: second, args: args.slice(2), cwd });
	if (CONTAINER_RUNNERS.has(program)) return tellingPart(containerImage(args) ?? program);
	const flags = args.map((arg) => (arg === "-p" ? (SHORT_P.get(program) ?? arg) : arg));
	const at = flags.findIndex((arg, i) => !(arg.startsWith("-") || VERBS.has(arg) || ASIDE.test(flags[i - 1] ?? "")));
	const run = at === -1 || CODE.test(flags[at - 1] ?? "") ? undefined : flags[at];
	return tellingPart(run !== undefined && RUNNERS.test(program) ? resolve(cwd, run) : command);
}

const CONTAINER_RUNNERS: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);
const RUNNERS = /^(?:npx|npm|pnpm|pnpx|yarn|bunx|uvx|pipx|node|tsx|ts-node|deno|bun|uv|python[\d.]*)$/;
const VERBS: ReadonlySet<string> = new Set(["run", "exec", "dlx"]);
/** What `-p` stands for in commands other than node. */
const SHORT_P: ReadonlyMap<string, string> = new Map([
	["npx", "--package"],
	["npm", "--package"],
	["bunx", "--package"],
	["yarn", "--package"],
	["uv", "--python"],
	["uvx", "--python"],
]);
/** Flags whose value is something loaded or set beside the program. */
const ASIDE = /^-(?:r|X|W|-(?:require|import|loader|conditions|env-file|with|with-requirements|python))$/;
/** Flags whose value is the program's own source text. */
const CODE = /^-(?:e|p|c|-eval|-print)$/;

const SUFFIX = /\.(?:[cm]?[jt]s|py|exe|cmd)$/;
const VERSION = /(?<=.)(?:@|==).*$/;
/** Many servers are an `index.js` in a `dist`, or end in `/mcp`; for these, the part of the path before says more. */
const SAYS_NOTHING = /^(?:|index|main|__main__|cli|app|start|stdio|server|mcp|mcp-server|dist|build|out|lib|src|bin)$/i;

function tellingPart(path: string): string {
	const parts = path.split(/[\\/]/);
	const last = (parts.pop() ?? "").replace(VERSION, "").replace(SUFFIX, "");
	const names = [...parts.map((part) => part.replace(/^@/, "")), last];
	return names.findLast((name) => !SAYS_NOTHING.test(name)) ?? (last || "server");
}

/** The image or container that a `docker run` or `docker exec` names, without its tag; undefined when it names none. */
function containerImage(args: readonly string[]): string | undefined {
	const verb = args.findIndex((arg) => arg === "run" || arg === "exec");
	if (verb === -1) return undefined;
	let at = verb + 1;
	for (let flag = args[at]; flag?.startsWith("-"); flag = args[at]) at += takesNextWord(flag) ? 2 : 1;
	return args[at]?.replace(TAG, "");
}

/** Only a few long flags take no value; in a group of short ones, only the last may take one. */
function takesNextWord(flag: string): boolean {
	if (flag.startsWith("--")) return !(flag.includes("=") || BARE.has(flag));
	return flag.slice(1).replace(BARE_LETTERS, "").length === 1;
}

const BARE: ReadonlySet<string> = new Set([
	"--detach",
	"--init",
	"--interactive",
	"--no-deps",
	"--no-healthcheck",
	"--no-TTY",
	"--privileged",
	"--publish-all",
	"--quiet",
	"--read-only",
	"--replace",
	"--rm",
	"--rmi",
	"--service-ports",
	"--sig-proxy",
	"--tty",
]);
const BARE_LETTERS = /^[diPqtT]+/;

/** A colon before a slash is a registry's port, not a tag. */
const TAG = /(?::[^/@]*)?(?:@.*)?$/;
