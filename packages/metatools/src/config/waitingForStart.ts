import { isDeepStrictEqual } from "node:util";
import { CODE_SETTINGS } from "./codeSettings.ts";
import type { Config } from "./load.ts";
import { SETTINGS, type Settings } from "./settings.ts";
import { TRANSPORT_SETTINGS } from "./transportSettings.ts";

const { notifyDebounceMs, connectTimeout } = SETTINGS;
const FIXED = { ...TRANSPORT_SETTINGS, ...CODE_SETTINGS, notifyDebounceMs, connectTimeout };

/** Names of changed settings that take effect only at the next start, as the file calls them. */
export function waitingForStart(running: Config, changed: Config): string[] {
	const values = (settings: Settings) => new Map<string, unknown>(Object.entries(settings));
	const [before, after] = [values(running.settings), values(changed.settings)];
	const settings = Object.entries(FIXED).filter(([name]) => before.get(name) !== after.get(name));
	const quarantine = isDeepStrictEqual(running.sections.quarantine, changed.sections.quarantine) ? [] : ["quarantine"];
	return [...settings.map(([, { key }]) => key), ...quarantine];
}
