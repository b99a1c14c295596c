import type { Setting, ValueOfKind } from "./kinds.ts";
import { SEARCH_SETTINGS } from "./searchSettings.ts";

/** Settings for notifications to clients. */
const NOTICE_SETTINGS = {
	notifyListChanged: {
		key: "notify.tool_list_changed",
		env: "METATOOLS_NOTIFY_TOOL_LIST_CHANGED",
		flag: "notify-tool-list-changed",
		kind: { type: "boolean" },
		default: true,
		says: "tell clients when the catalogue changes",
	},
	notifyDebounceMs: {
		key: "notify.tool_list_changed_debounce_ms",
		env: "METATOOLS_NOTIFY_TOOL_LIST_CHANGED_DEBOUNCE_MS",
		flag: "notify-tool-list-changed-debounce-ms",
		kind: { type: "integer", min: 1, max: 60_000 },
		default: 150,
		says: "quiet time before they are told",
	},
} as const satisfies Readonly<Record<string, Setting>>;

/** Settings for the tools and answers that clients see. */
const SURFACE_SETTINGS = {
	toolset: {
		key: "toolset",
		env: "METATOOLS_TOOLSET",
		flag: "toolset",
		kind: { type: "text" },
		default: "",
		says: "the only toolset that clients see",
	},
	surface: {
		key: "surface",
		env: "METATOOLS_SURFACE",
		flag: "surface",
		kind: { type: "choice", choices: ["full", "compact"] },
		default: "full",
		says: "metatools that are listed: all, or the six an agent needs",
	},
} as const satisfies Readonly<Record<string, Setting>>;

/** Settings for the sandbox of execute_code. */
export const CODE_SETTINGS = {
	code: {
		key: "code.enabled",
		env: "METATOOLS_CODE_ENABLED",
		flag: "code",
		kind: { type: "boolean" },
		default: true,
		says: "offer execute_code",
	},
	runtimeProfile: {
		key: "runtime.profile",
		env: "METATOOLS_RUNTIME_PROFILE",
		flag: "runtime-profile",
		kind: { type: "choice", choices: ["standard", "dev"] },
		default: "standard",
		says: "isolation of execute_code; dev has none",
	},
	runtimeBackend: {
		key: "runtime.backend",
		env: "METATOOLS_RUNTIME_BACKEND",
		flag: "runtime-backend",
		kind: { type: "choice", choices: ["docker", "wasm"] },
		default: "docker",
		says: "sandbox of the standard profile",
	},
	wasm: {
		key: "wasm.enabled",
		env: "METATOOLS_WASM_ENABLED",
		flag: "wasm",
		kind: { type: "boolean" },
		default: true,
		says: "allow the WASM sandbox, also when Docker is absent",
	},
	dockerImage: {
		key: "docker.image",
		env: "METATOOLS_DOCKER_IMAGE",
		flag: "docker-image",
		kind: { type: "text" },
		default: "node:24-alpine",
		says: "image of the Docker sandbox",
	},
} as const satisfies Readonly<Record<string, Setting>>;

/** Settings for how clients connect. */
export const TRANSPORT_SETTINGS = {
	transport: {
		key: "transport.type",
		env: "METATOOLS_TRANSPORT_TYPE",
		envAliases: ["METATOOLS_TRANSPORT"],
		flag: "transport",
		short: "t",
		kind: { type: "choice", choices: ["stdio", "streamable", "sse"] },
		default: "stdio",
		says: "how clients connect",
	},
	host: {
		key: "transport.http.host",
		env: "METATOOLS_TRANSPORT_HTTP_HOST",
		envAliases: ["METATOOLS_HOST"],
		flag: "host",
		kind: { type: "text" },
		default: "127.0.0.1",
		says: "address to listen on",
	},
	port: {
		key: "transport.http.port",
		env: "METATOOLS_TRANSPORT_HTTP_PORT",
		envAliases: ["METATOOLS_PORT"],
		flag: "port",
		short: "p",
		kind: { type: "integer", min: 0, max: 65_535 },
		default: 8080,
		says: "port to listen on; 0 takes a free one",
	},
	tls: {
		key: "transport.http.tls.enabled",
		env: "METATOOLS_TRANSPORT_HTTP_TLS_ENABLED",
		flag: "tls",
		kind: { type: "boolean" },
		default: false,
		says: "speak HTTPS; needs a certificate and a key",
	},
	tlsCert: {
		key: "transport.http.tls.cert",
		env: "METATOOLS_TRANSPORT_HTTP_TLS_CERT",
		flag: "tls-cert",
		kind: { type: "text" },
		default: "",
		says: "certificate file (PEM)",
	},
	tlsKey: {
		key: "transport.http.tls.key",
		env: "METATOOLS_TRANSPORT_HTTP_TLS_KEY",
		flag: "tls-key",
		kind: { type: "text" },
		default: "",
		says: "private key file (PEM)",
	},
	stateless: {
		key: "transport.streamable.stateless",
		env: "METATOOLS_TRANSPORT_STREAMABLE_STATELESS",
		flag: "stateless",
		kind: { type: "boolean" },
		default: false,
		says: "keep no sessions; every request stands alone",
	},
	jsonResponse: {
		key: "transport.streamable.json_response",
		env: "METATOOLS_TRANSPORT_STREAMABLE_JSON_RESPONSE",
		flag: "json-response",
		kind: { type: "boolean" },
		default: false,
		says: "answer with one JSON body instead of a stream",
	},
	store: {
		key: "store",
		env: "METATOOLS_STORE",
		envAliases: ["HOLDFAST_STORE"],
		flag: "store",
		kind: { type: "text" },
		default: "",
		says: "where sessions outlive the process: sqlite:FILE, memory:, or postgres://… for a fleet; default: a file in the state folder",
	},
	fleetAddress: {
		key: "fleet_address",
		env: "METATOOLS_FLEET_ADDRESS",
		envAliases: ["HOLDFAST_FLEET_ADDRESS"],
		flag: "fleet-address",
		kind: { type: "text" },
		default: "",
		says: "HOST:PORT where the other nodes of a fleet reach this one; default: its host, at a free port",
	},
	sessionTimeout: {
		key: "transport.streamable.session_timeout",
		env: "METATOOLS_TRANSPORT_STREAMABLE_SESSION_TIMEOUT",
		flag: "session-timeout",
		kind: { type: "duration" },
		default: "30m",
		says: "how long an idle session lives",
	},
} as const satisfies Readonly<Record<string, Setting>>;

/** Settings for timeouts, rates and sizes. */
const LIMIT_SETTINGS = {
	timeout: {
		key: "execution.timeout",
		env: "METATOOLS_EXECUTION_TIMEOUT",
		flag: "execution-timeout",
		kind: { type: "duration" },
		default: "30s",
		says: "how long one tool may run without reporting progress",
	},
	totalTimeout: {
		key: "execution.total_timeout",
		env: "METATOOLS_EXECUTION_TOTAL_TIMEOUT",
		flag: "execution-total-timeout",
		kind: { type: "duration" },
		default: "10m",
		says: "how long one tool may run in all while it reports progress",
	},
	maxChainSteps: {
		key: "execution.max_chain_steps",
		env: "METATOOLS_EXECUTION_MAX_CHAIN_STEPS",
		flag: "execution-max-chain-steps",
		kind: { type: "integer", min: 1, max: 1_000 },
		default: 8,
		says: "steps of run_chain",
	},
	maxToolCalls: {
		key: "execution.max_tool_calls",
		env: "METATOOLS_EXECUTION_MAX_TOOL_CALLS",
		flag: "execution-max-tool-calls",
		kind: { type: "integer", min: 1, max: 1_000 },
		default: 1_000,
		says: "tool calls of one snippet of execute_code",
	},
	maxChars: {
		key: "execution.max_chars",
		env: "METATOOLS_EXECUTION_MAX_CHARS",
		flag: "execution-max-chars",
		kind: { type: "integer", min: 200, max: 10_000_000 },
		default: 40_000,
		says: "characters of one answer; read_result pages the rest",
	},
	skillMaxSteps: {
		key: "skill_defaults.max_steps",
		env: "METATOOLS_SKILL_DEFAULTS_MAX_STEPS",
		flag: "skill-max-steps",
		kind: { type: "integer", min: 1, max: 1_000 },
		default: 16,
		says: "steps of one skill",
	},
	skillMaxToolCalls: {
		key: "skill_defaults.max_tool_calls",
		env: "METATOOLS_SKILL_DEFAULTS_MAX_TOOL_CALLS",
		flag: "skill-max-tool-calls",
		kind: { type: "integer", min: 1, max: 10_000 },
		default: 64,
		says: "tool calls of one skill",
	},
	skillTimeout: {
		key: "skill_defaults.timeout",
		env: "METATOOLS_SKILL_DEFAULTS_TIMEOUT",
		flag: "skill-timeout",
		kind: { type: "duration" },
		default: "30s",
		says: "how long one skill may run",
	},
	limitsFile: {
		key: "state.runtime_limits_db",
		env: "METATOOLS_STATE_RUNTIME_LIMITS_DB",
		flag: "state-runtime-limits-db",
		kind: { type: "text" },
		default: "",
		says: "JSON file whose execution limits replace those of the configuration",
	},
	connectTimeout: {
		key: "upstream.connect_timeout",
		env: "METATOOLS_UPSTREAM_CONNECT_TIMEOUT",
		flag: "upstream-connect-timeout",
		kind: { type: "duration" },
		default: "30s",
		says: "how long a server may take to start and list its tools",
	},
} as const satisfies Readonly<Record<string, Setting>>;

/** Every setting: its names, kind, default and meaning. Flags override the environment, which overrides the file. */
export const SETTINGS = {
	...TRANSPORT_SETTINGS,
	...SEARCH_SETTINGS,
	...NOTICE_SETTINGS,
	...LIMIT_SETTINGS,
	...SURFACE_SETTINGS,
	...CODE_SETTINGS,
} as const satisfies Readonly<Record<string, Setting>>;

/** The variable that names the configuration file. It is not in the table, as a file cannot name itself. */
export const CONFIG_VARIABLE = "METATOOLS_CONFIG";

type SettingName = keyof typeof SETTINGS;
export type Settings = { readonly [Name in SettingName]: ValueOfKind<(typeof SETTINGS)[Name]["kind"]> };
