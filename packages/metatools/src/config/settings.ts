import { NOTICE_SETTINGS, SURFACE_SETTINGS } from "./clientSettings.ts";
import { CODE_SETTINGS } from "./codeSettings.ts";
import type { ValueOfKind } from "./kinds.ts";
import { LIMIT_SETTINGS } from "./limitSettings.ts";
import { SEARCH_SETTINGS } from "./searchSettings.ts";
import type { Setting } from "./setting.ts";
import { TRANSPORT_SETTINGS } from "./transportSettings.ts";

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

export type SettingName = keyof typeof SETTINGS;
export type Settings = { readonly [Name in SettingName]: ValueOfKind<(typeof SETTINGS)[Name]["kind"]> };
