import { readFile, stat } from "node:fs/promises";
import { CleatsError, invalidField } from "../contract/errors.ts";
import { readRiskRules } from "../parse/risk/readRiskRules.ts";
import type { RiskRules } from "../parse/risk/rules.ts";
import type { HeldFile } from "../store/indexFolder.ts";
import { openReader } from "../store/sqliteReader.ts";

const MOST_BYTES = 1024 * 1024;

/** The validated text of a user's risk rules; `undefined` if no file is named. */
export async function givenRules(path: string | undefined): Promise<string | undefined> {
	if (path === undefined) return undefined;
	const info = await stat(path).catch(() => undefined);
	if (!info?.isFile())
		throw new CleatsError("NOT_FOUND", `riskRules: there is no file ${JSON.stringify(path)}`, { field: "riskRules" });
	if (info.size > MOST_BYTES) throw invalidField("riskRules", `a file of at most ${MOST_BYTES} bytes`, info.size);
	const text = await readFile(path, "utf8").catch(() => {
		throw invalidField("riskRules", "a file that can be read", path);
	});
	readRiskRules(text);
	return text;
}

/** The rules of the current index; a rebuild keeps them unless others are given. */
export function rulesInUse(file: HeldFile | undefined): string {
	if (file === undefined) return "";
	try {
		const reader = openReader(file);
		const text = reader.meta("riskRules") ?? "";
		reader.close();
		return text;
	} catch (error) {
		// The index is damaged or of another version.
		if (error instanceof CleatsError && error.code === "NO_INDEX") return "";
		throw error;
	}
}

/** An empty text means the built-in rules. */
export function rulesOf(text: string): RiskRules | undefined {
	return text === "" ? undefined : readRiskRules(text);
}
