import { existsSync } from "node:fs";
import { join } from "node:path";
import { neededHome } from "libmcp/command";

/** How one coding agent keeps its list of MCP servers. */
export type Client = {
	readonly id: ClientId;
	readonly title: string;
	readonly format: "json" | "toml";
	/** Path of keys down to the table of servers. */
	readonly key: readonly string[];
	/** The path in newer versions of the client; a file that has it uses that layout. */
	readonly newerKey?: readonly string[];
	/** The member for the address of a server over HTTP; `undefined` if the client supports commands only. */
	readonly urlKey: string | undefined;
	/** The member for the HTTP headers of requests to it. */
	readonly headersKey: "headers" | "http_headers";
	/** Whether entries have a `type`; in `listed` ones it is `local` or `remote`, and the command is one list. */
	readonly entries: "untyped" | "typed" | "listed";
	/** The variables it expands: none, `${VAR}`, also `$VAR`, an editor's like `${workspaceFolder}`, or `{env:VAR}`. */
	readonly variables: "none" | "braces" | "dollar" | "editor" | "named";
	/** Path of keys, inside the user's file, down to the servers of one project. */
	readonly projectKey?: (place: Place) => readonly string[];
	/** The lists of servers that are switched off. */
	readonly offLists?: (place: Place, scope: Scope | "local") => readonly NameList[];
	/** A list of the only servers that are on; without the list, all are. */
	readonly onList?: (place: Place) => NameList;
	readonly files: Readonly<Partial<Record<Scope, (place: Place) => string>>>;
};

/** A list of names in one of the client's files; `key` is the path of keys to it. */
export type NameList = { readonly path: string; readonly key: readonly string[] };

export const CLIENT_IDS = [
	"claude-desktop",
	"claude-code",
	"cursor",
	"vscode",
	"codex",
	"gemini",
	"antigravity",
	"copilot",
	"opencode",
	"windsurf",
	"zed",
] as const;
export type ClientId = (typeof CLIENT_IDS)[number];

/** For everybody on this account, or for one project folder. */
export const SCOPES = ["user", "project"] as const;
export type Scope = (typeof SCOPES)[number];

/** Where configuration files are looked for; a test gives its own. */
export type Place = {
	readonly home: string;
	readonly project: string;
	readonly platform: NodeJS.Platform;
	/** Windows' roaming folder. */
	readonly appData: string;
	/** Linux's configuration folder. */
	readonly configHome: string;
	/** The folder that the user has set for a client's files, instead of the home folder. */
	readonly claudeHome?: string | undefined;
	readonly codexHome?: string | undefined;
	readonly copilotHome?: string | undefined;
};

export function findPlace(): Place {
	const home = neededHome();
	return {
		home,
		project: process.cwd(),
		platform: process.platform,
		appData: process.env.APPDATA || join(home, "AppData", "Roaming"),
		configHome: process.env.XDG_CONFIG_HOME || join(home, ".config"),
		claudeHome: process.env.CLAUDE_CONFIG_DIR || undefined,
		codexHome: process.env.CODEX_HOME || undefined,
		copilotHome: process.env.COPILOT_HOME || undefined,
	};
}

const inHome =
	(...parts: string[]) =>
	(place: Place) =>
		join(place.home, ...parts);
const inProject =
	(...parts: string[]) =>
	(place: Place) =>
		join(place.project, ...parts);
const inApplicationData =
	(...parts: string[]) =>
	(place: Place): string => {
		if (place.platform === "darwin") return join(place.home, "Library", "Application Support", ...parts);
		return join(place.platform === "win32" ? place.appData : place.configHome, ...parts);
	};

const inCopilotHome =
	(file: string) =>
	({ home, copilotHome = join(home, ".copilot") }: Place) =>
		join(copilotHome, file);

const geminiSettings = inHome(".gemini", "settings.json");

const claudeState = ({ home, claudeHome = home }: Place): string => join(claudeHome, ".claude.json");

const claudeStateLists = (place: Place): NameList[] =>
	["disabledMcpServers", "disabledMcpjsonServers"].map((list) => ({
		path: claudeState(place),
		key: ["projects", place.project, list],
	}));

/** Claude Code keeps here which servers of a project's own file the user has refused. */
const claudeSettingsLists = ({ home, project, claudeHome = join(home, ".claude") }: Place): NameList[] =>
	[
		join(project, ".claude", "settings.local.json"),
		join(project, ".claude", "settings.json"),
		join(claudeHome, "settings.json"),
	].map((path) => ({ path, key: ["disabledMcpjsonServers"] }));

/** Of the files that a client reads, the first that exists is the one to edit. */
const firstThere = (...files: string[]): string => files.find((file) => existsSync(file)) ?? files[0] ?? "";

const opencodeFile = (...folders: string[]): string =>
	firstThere(...folders.flatMap((folder) => ["opencode.json", "opencode.jsonc"].map((file) => join(folder, file))));

export const CLIENTS: Readonly<Record<ClientId, Client>> = {
	"claude-desktop": {
		id: "claude-desktop",
		title: "Claude Desktop",
		format: "json",
		key: ["mcpServers"],
		urlKey: undefined,
		headersKey: "headers",
		entries: "untyped",
		variables: "none",
		files: { user: inApplicationData("Claude", "claude_desktop_config.json") },
	},
	"claude-code": {
		id: "claude-code",
		title: "Claude Code",
		format: "json",
		key: ["mcpServers"],
		urlKey: "url",
		headersKey: "headers",
		entries: "typed",
		variables: "braces",
		projectKey: ({ project }) => ["projects", project, "mcpServers"],
		offLists: (place, scope) => [
			...(scope === "user" ? [] : claudeStateLists(place)),
			...(scope === "project" ? claudeSettingsLists(place) : []),
		],
		files: { user: claudeState, project: inProject(".mcp.json") },
	},
	cursor: {
		id: "cursor",
		title: "Cursor",
		format: "json",
		key: ["mcpServers"],
		urlKey: "url",
		headersKey: "headers",
		entries: "untyped",
		variables: "editor",
		files: { user: inHome(".cursor", "mcp.json"), project: inProject(".cursor", "mcp.json") },
	},
	vscode: {
		id: "vscode",
		title: "VS Code",
		format: "json",
		key: ["servers"],
		urlKey: "url",
		headersKey: "headers",
		entries: "typed",
		variables: "editor",
		files: { user: inApplicationData("Code", "User", "mcp.json"), project: inProject(".vscode", "mcp.json") },
	},
	codex: {
		id: "codex",
		title: "Codex",
		format: "toml",
		key: ["mcp_servers"],
		urlKey: "url",
		headersKey: "http_headers",
		entries: "untyped",
		variables: "none",
		files: {
			user: ({ home, codexHome = join(home, ".codex") }) => join(codexHome, "config.toml"),
			project: inProject(".codex", "config.toml"),
		},
	},
	gemini: {
		id: "gemini",
		title: "Gemini CLI",
		format: "json",
		key: ["mcpServers"],
		urlKey: "httpUrl",
		headersKey: "headers",
		entries: "untyped",
		variables: "dollar",
		offLists: (place) => [{ path: geminiSettings(place), key: ["mcp", "excluded"] }],
		onList: (place) => ({ path: geminiSettings(place), key: ["mcp", "allowed"] }),
		files: { user: geminiSettings, project: inProject(".gemini", "settings.json") },
	},
	antigravity: {
		id: "antigravity",
		title: "Antigravity",
		format: "json",
		key: ["mcpServers"],
		urlKey: "serverUrl",
		headersKey: "headers",
		entries: "untyped",
		variables: "none",
		files: {
			// Older versions of its editor have a separate file.
			user: ({ home }) =>
				firstThere(...["config", "antigravity"].map((folder) => join(home, ".gemini", folder, "mcp_config.json"))),
			project: inProject(".agents", "mcp_config.json"),
		},
	},
	copilot: {
		id: "copilot",
		title: "Copilot CLI",
		format: "json",
		key: ["mcpServers"],
		urlKey: "url",
		headersKey: "headers",
		entries: "typed",
		variables: "braces",
		offLists: (place) => [{ path: inCopilotHome("settings.json")(place), key: ["disabledMcpServers"] }],
		files: { user: inCopilotHome("mcp-config.json"), project: inProject(".github", "mcp.json") },
	},
	opencode: {
		id: "opencode",
		title: "opencode",
		format: "json",
		key: ["mcp"],
		newerKey: ["mcp", "servers"],
		urlKey: "url",
		headersKey: "headers",
		entries: "listed",
		variables: "named",
		files: {
			user: ({ configHome }) => opencodeFile(join(configHome, "opencode")),
			project: ({ project }) => opencodeFile(project, join(project, ".opencode")),
		},
	},
	windsurf: {
		id: "windsurf",
		title: "Windsurf",
		format: "json",
		key: ["mcpServers"],
		urlKey: "serverUrl",
		headersKey: "headers",
		entries: "untyped",
		variables: "editor",
		files: { user: inHome(".codeium", "windsurf", "mcp_config.json") },
	},
	zed: {
		id: "zed",
		title: "Zed",
		format: "json",
		key: ["context_servers"],
		urlKey: "url",
		headersKey: "headers",
		entries: "untyped",
		variables: "none",
		files: {
			user: (place) =>
				place.platform === "win32"
					? join(place.appData, "Zed", "settings.json")
					: join(place.platform === "darwin" ? join(place.home, ".config") : place.configHome, "zed", "settings.json"),
			project: inProject(".zed", "settings.json"),
		},
	},
};
