import { readFile, stat } from "node:fs/promises";
import { CleatsError, invalidField } from "../contract/errors.ts";
import { readRiskRules } from "../parse/risk/rules/readRiskRules.ts";
import type { RiskRules } from "../parse/risk/rules/rules.ts";

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

/** An empty text means the built-in rules. */
export function rulesOf(text: string): RiskRules | undefined {
	return text === "" ? undefined : readRiskRules(text, "kept");
}
