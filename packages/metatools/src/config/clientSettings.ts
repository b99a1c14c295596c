import type { Setting } from "./setting.ts";

/** Settings for notifications to clients. */
export const NOTICE_SETTINGS = {
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
export const SURFACE_SETTINGS = {
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
