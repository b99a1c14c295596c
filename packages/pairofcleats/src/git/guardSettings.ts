import { join, resolve } from "node:path";
import { homeFolder } from "libmcp/command";
import { findWorkTree } from "./gitFolder.ts";
import { QUICK, runGit } from "./runGit.ts";
import type { Override } from "./safeGit.ts";
import { describeStall } from "./stalls.ts";

/** What git must be told before it reads the contents of files by the settings of a repository. */
export type SettingsGuard =
	| { readonly kind: "guarded"; readonly overrides: readonly Override[] }
	/** Git would run a program, or never end, and nothing can be told against it. */
	| { readonly kind: "refused"; readonly reason: string }
	| { readonly kind: "absent"; readonly reason: string };

/** Settings that name a program for the contents of files, by an attribute that the repository gives them. */
const PROGRAM = /^(?:filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:textconv|command))$/s;
/** Settings that name a file to read. */
const FILE: ReadonlySet<string> = new Set([
	"core.attributesfile",
	"core.excludesfile",
	"mailmap.file",
	"blame.ignorerevsfile",
]);
/** More are no repository's honest settings, and may not fit into an environment. */
const MOST_OVERRIDES = 500;

/** Reads the settings that hold in a repository, and switches off those that would run a program or read for ever. */
export async function guardSettings(root: string, signal?: AbortSignal): Promise<SettingsGuard> {
	const first = await findDangers(root, [], signal);
	if (first.kind !== "found" || first.dangers.length === 0)
		return first.kind === "found" ? { kind: "guarded", overrides: [] } : first;
	const overrides = first.dangers.flatMap((danger): Override[] => {
		const key = Buffer.from(danger.key, "latin1").toString("utf8");
		const driver = /^(filter\..*)\.[^.]*$/s.exec(key)?.[1];
		return [[key, ""], ...(driver === undefined ? [] : [[`${driver}.required`, "false"] as const])];
	});
	if (overrides.length > MOST_OVERRIDES)
		return { kind: "refused", reason: `${overrides.length} settings name programs` };
	// A git that is too old for overrides of this kind, or a name in no alphabet, leaves some as they were.
	const second = await findDangers(root, overrides, signal);
	if (second.kind !== "found") return second;
	const [left] = second.dangers;
	if (left === undefined) return { kind: "guarded", overrides };
	return { kind: "refused", reason: `its setting ${left.key} ${left.reason}, and git cannot be told otherwise` };
}

type Danger = {
	/** Its bytes as Latin-1. */
	readonly key: string;
	readonly reason: string;
};
type Found =
	| { readonly kind: "found"; readonly dangers: readonly Danger[] }
	| Exclude<SettingsGuard, { kind: "guarded" }>;

async function findDangers(
	root: string,
	overrides: readonly Override[],
	signal: AbortSignal | undefined,
): Promise<Found> {
	const chunks: Buffer[] = [];
	const onOutput = (chunk: Buffer): void => void chunks.push(chunk);
	const outcome = await runGit(root, ["config", "--list", "-z"], { onOutput, signal, overrides, patience: QUICK });
	if (outcome.kind === "absent") return outcome;
	if (outcome.kind === "stalled") return { kind: "refused", reason: outcome.reason };
	if (outcome.code !== 0) return { kind: "refused", reason: outcome.stderr.split("\n", 1)[0] || "bad settings" };
	const settings = new Map<string, string[]>();
	// As bytes, because two names in no alphabet would be the same text.
	for (const setting of Buffer.concat(chunks).toString("latin1").split("\0")) {
		const [key = "", ...value] = setting.split("\n");
		settings.set(key, [...(settings.get(key) ?? []), value.join("\n")]);
	}
	const top = findWorkTree(root) ?? root;
	return { kind: "found", dangers: [...settings].flatMap(([key, values]) => dangerOf(key, values, top)) };
}

/** An empty value takes back those before it. */
function dangerOf(key: string, values: readonly string[], top: string): Danger[] {
	const holding = values.slice(values.lastIndexOf("") + 1);
	if (holding.length === 0) return [];
	if (PROGRAM.test(key)) return [{ key, reason: "names a program" }];
	if (!FILE.has(key)) return [];
	return holding.flatMap((bytes) => {
		const value = Buffer.from(bytes, "latin1").toString("utf8");
		const stall = describeStall(
			resolve(top, value.startsWith("~/") ? join(homeFolder() ?? "", value.slice(2)) : value),
		);
		return stall === undefined ? [] : [{ key, reason: `names a file that ${stall}` }];
	});
}
