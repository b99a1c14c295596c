import { existsSync, lstatSync, readlinkSync, realpathSync, symlinkSync, unlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder, neededHome, shellWord, suggestion, UsageError } from "libmcp/command";
import { nameGiven, readArguments } from "./arguments.ts";
import { findTypedCommand, say } from "./output.ts";

const SKILL = "mcp-bootstrap";

/** Where each agent looks for skills, under the user's home. */
const AGENT_FOLDERS: Readonly<Record<string, string>> = {
	codex: ".codex/skills",
	"claude-code": ".claude/skills",
	cursor: ".cursor/skills",
	gemini: ".gemini/skills",
};

/** Other names of the agents. */
const ALIASES: Readonly<Record<string, string>> = { claude: "claude-code" };

export const help = `Usage: holdfast skill link [options]

Links the mcp-bootstrap skill, which teaches a coding agent to build servers the
way libmcp expects, into the agent's skills folder. The link points at this
installation, so the skill is always the one that belongs to the library.

  --agent ${Object.keys(AGENT_FOLDERS).join("|")}
                    whose skills folder (default codex)
  --to <folder>     another skills folder
  --check           change nothing; fail when the link is missing or points
                    elsewhere

A real folder of that name is never removed.`;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words } = readArguments(
		args,
		{
			agent: { type: "string" },
			to: { type: "string" },
			check: { type: "boolean" },
		},
		1,
	);
	if (words[0] !== "link") throw new UsageError(`action: expected link, got ${nameGiven(words[0])}`);
	const link = join(skillsFolder(values.agent ?? "codex", values.to), SKILL);
	const source = skillSource();
	const state = stateOf(link, source);
	if (values.check === true) {
		say(`${link}: ${SENTENCES[state](linkCommand(values.agent, values.to))}`);
		return state === "linked" ? 0 : 1;
	}
	if (state === "occupied") throw new Error(`${link} ${SENTENCES.occupied("")}; move it away first`);
	if (state === "elsewhere") unlinkSync(link);
	if (state !== "linked") {
		makeFolder(dirname(link));
		symlinkSync(source, link, "dir");
	}
	say(`${link} -> ${source}`);
	return 0;
}

type LinkState = "linked" | "elsewhere" | "occupied" | "missing";

const SENTENCES: Readonly<Record<LinkState, (command: string) => string>> = {
	linked: () => "is linked to this installation",
	elsewhere: (command) => `is a link to somewhere else; ${command} changes it`,
	occupied: () => "is a real file or folder, not a link",
	missing: (command) => `does not exist; ${command} makes it`,
};

/** The command that makes the link that was checked. */
function linkCommand(agent: string | undefined, to: string | undefined): string {
	const chosen = to !== undefined ? ["--to", shellWord(to)] : agent !== undefined ? ["--agent", agent] : [];
	return [findTypedCommand(), "skill link", ...chosen].join(" ");
}

function stateOf(link: string, source: string): LinkState {
	const found = lstatSync(link, { throwIfNoEntry: false });
	if (found === undefined) return "missing";
	if (!found.isSymbolicLink()) return "occupied";
	const target = resolve(dirname(link), readlinkSync(link));
	return existsSync(target) && realpathSync(target) === realpathSync(source) ? "linked" : "elsewhere";
}

function skillsFolder(agent: string, to: string | undefined): string {
	if (to === "") throw new UsageError("--to: expected a folder, got nothing");
	if (to !== undefined) return resolve(to);
	const name = Object.hasOwn(ALIASES, agent) ? ALIASES[agent] : agent;
	const [, folder] = Object.entries(AGENT_FOLDERS).find(([known]) => known === name) ?? [];
	if (folder === undefined) {
		const known = Object.keys(AGENT_FOLDERS);
		throw new UsageError(`--agent: expected ${known.join(", ")}, got ${nameGiven(agent)}${suggestion(agent, known)}`);
	}
	return join(neededHome(), folder);
}

/** Beside the package when it is installed, at the top of the workspace in a checkout. */
function skillSource(): string {
	const here = dirname(fileURLToPath(import.meta.url));
	const candidates = [join(here, "../../skills", SKILL), join(here, "../../../../skills", SKILL)];
	const found = candidates.find((candidate) => existsSync(join(candidate, "SKILL.md")));
	if (found === undefined)
		throw new Error(`the skill is not part of this installation (looked in ${candidates.join(", ")})`);
	return realpathSync(found);
}
