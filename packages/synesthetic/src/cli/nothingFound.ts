import type { Settings } from "../settings.ts";
import { printable } from "./terminal.ts";

const FOLDERS = {
	schemas: ["SYN_SCHEMAS_DIR", "schemasDirectory"],
	examples: ["SYN_EXAMPLES_DIR", "examplesDirectory"],
} as const;

/** A message that says where files were looked for, or how to set them up. */
export function nothingFound(kind: keyof typeof FOLDERS, settings: Settings): string {
	const [variable, setting] = FOLDERS[kind];
	const folder = settings[setting];
	if (folder !== undefined)
		return `synesthetic: there are no ${kind} in ${printable(folder)}, the folder of ${variable}`;
	return `synesthetic: there are no ${kind}; set ${variable}, or start where libs/synesthetic-schemas is, or try --sample`;
}
