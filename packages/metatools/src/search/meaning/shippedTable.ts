import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readTokenTable, type TokenTable } from "./tokenTable.ts";

let shipped: TokenTable | undefined;

/** The model in the package's `model` folder, read once. */
export function shippedTable(): TokenTable {
	shipped ??= readTokenTable(readFileSync(fileURLToPath(new URL("../../../model/tools.model", import.meta.url))));
	return shipped;
}
