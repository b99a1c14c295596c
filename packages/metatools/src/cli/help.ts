import type { Setting } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";

const HEAD = `metatools: one door to every MCP tool

usage
  metatools serve [flags]                         serve MCP clients (stdio unless --transport says otherwise)
  metatools tools search <words…> [--limit n]     find tools by what they do
  metatools tools describe <tool>                 show a tool and its schemas
  metatools tools run <tool> [--args '{…}']       run a tool
  metatools approve [<tool>…]                     list quarantined tools, or approve some as they are now (* for any)
  metatools login <server> [--scope …]            log in to a server that asks for OAuth; logout <server> forgets it
  metatools config validate                       check the configuration without serving
  metatools config schema                         print the JSON Schema of the configuration file
  metatools config docs                           print every setting as a Markdown table
  metatools version

flags
  -c, --config <file>      configuration (json or yaml); else METATOOLS_CONFIG, else holdfast/metatools.* in the
                           user's configuration folder
      --json               machine-readable output
  -h, --help               this text
`;

const FOOT = `
Every setting is also an environment variable and a key of the file; flags win over the environment, that over the file.
Exit codes: 0 done, 1 the tool or the server failed, 2 wrong usage, 3 wrong configuration.
`;

export function helpText(): string {
	const rows = Object.values(SETTINGS).map((setting: Setting) => {
		const short = setting.short === undefined ? "    " : `-${setting.short}, `;
		return [`  ${short}--${setting.flag}${argument(setting)}`, `${setting.says}${standard(setting)}`];
	});
	return `${HEAD}${rows.map(([flag = "", says = ""]) => (flag.length < 26 ? `${flag.padEnd(27)}${says}` : `${flag}\n${" ".repeat(27)}${says}`)).join("\n")}\n${FOOT}`;
}

/** The settings as documentation shows them; docs/metatools.md holds exactly this. */
export function settingsTable(): string {
	const rows = Object.values(SETTINGS).map((setting: Setting) => {
		const names = [setting.env, ...(setting.envAliases ?? [])].map((name) => `\`${name}\``).join(", ");
		return `| \`${setting.key}\` | ${names} | \`--${setting.flag}\` | \`${JSON.stringify(setting.default)}\` | ${setting.says} |`;
	});
	return ["| file key | environment | flag | default | meaning |", "|---|---|---|---|---|", ...rows].join("\n");
}

function argument({ kind }: Setting): string {
	switch (kind.type) {
		case "boolean":
			return "";
		case "choice":
			return ` <${kind.choices.join("|")}>`;
		case "duration":
			return " <30s>";
		case "integer":
		case "number":
			return " <n>";
		case "text":
			return " <text>";
	}
}

function standard({ default: value, kind }: Setting): string {
	if (kind.type === "boolean") return value === true ? " (on; --no-… turns it off)" : "";
	return value === "" ? "" : ` (${String(value)})`;
}
