import { fileURLToPath } from "node:url";
import type { Settings } from "../settings.ts";

const SAMPLE = fileURLToPath(new URL("../../assets/sample/", import.meta.url));

/** The settings with the sample set that comes with the package. */
export function sampleSettings(settings: Settings): Settings {
	return { ...settings, schemasDirectory: `${SAMPLE}schemas`, examplesDirectory: `${SAMPLE}examples` };
}
