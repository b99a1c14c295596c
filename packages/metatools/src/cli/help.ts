import { folded } from "libmcp/command";
import type { Setting } from "../config/kinds.ts";
import { SETTINGS } from "../config/settings.ts";

const COLUMNS = 80;
const FLAG_WIDTH = 25;

const HEAD = `A gateway to every MCP tool.

Usage: metatools <command> [flags]

  serve                    serve MCP clients, on stdio unless --transport says otherwise
  tools list [<pattern>…]  list the tools, such as those of one server: git:*; --limit N
  tools search <words…>    find tools by what they do; --limit N
  tools describe <tool>    show a tool and its schemas
  tools run <tool>         run a tool; --args '{…}'
  approve [<tool>…]        list the tools that wait for approval, or approve some as they are now (* for any)
  login <server>           log in to a server that asks for OAuth; --scope SCOPES
  logout <server>          forget that login
  config validate          check the configuration without serving
  config schema            print the JSON Schema of the configuration file
  config docs              print every setting as a Markdown table
  version

  -c, --config <file>      configuration (json or yaml); else METATOOLS_CONFIG, else holdfast/metatools.* in the user's configuration folder
      --json               machine-readable output
  -h, --help               this text; serve --help has every flag`;

const FOOT = `Every setting is a flag, an environment variable and a key of the file; flags win over the environment, that over the file.
Exit codes: 0 done, 1 the tool or the server failed, 2 wrong usage, 3 wrong configuration.`;

/** The text of `metatools --help`; `serve --help` adds the flags of all settings. */
export function renderHelp(command?: string): string {
	const flags = command === "serve" ? [Object.values(SETTINGS).map(flagLine).join("\n")] : [];
	return folded([HEAD, ...flags, FOOT].join("\n\n"), COLUMNS);
}

function flagLine(setting: Setting): string {
	const short = setting.short === undefined ? "    " : `-${setting.short}, `;
	const flag = `  ${short}--${setting.flag}${argument(setting)}`;
	const says = `${setting.says}${standard(setting)}`;
	const isLong = flag.length > FLAG_WIDTH;
	return isLong ? `${flag}\n${" ".repeat(FLAG_WIDTH + 2)}${says}` : `${flag.padEnd(FLAG_WIDTH + 2)}${says}`;
}

/** The settings as documentation shows them; docs/metatools.md holds exactly this. */
export function renderSettings(): string {
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
