import { existsSync, readFileSync } from "node:fs";
import { ERROR_TABLE } from "./contract/errors.ts";
import { checkContract } from "./governance/checkContract.ts";
import { type ContractSnapshot, contractSnapshot } from "./governance/snapshot.ts";
import { makeOpenApiDocument } from "./http/openApi.ts";
import { listTools } from "./tools/definitions.ts";

const RELEASED = new URL("../../../contracts/pairofcleats/released.json", import.meta.url);

/** What clients may rely on, frozen under contracts/. Throws when the schema version says less than has changed. */
export function contracts(): Record<string, unknown> {
	const current = contractSnapshot();
	const released = readReleased();
	if (released !== undefined) assertVersioned(released, current);
	return {
		"mcp-tools.schema.json": listTools().map(withoutToolingVersion),
		"errors.json": ERROR_TABLE,
		"envelope.json": current.envelope,
		"openapi.json": makeOpenApiDocument(),
		"released.json": current,
	};
}

export function assertVersioned(released: ContractSnapshot, current: ContractSnapshot): void {
	const { ok, required, leastVersion, changes } = checkContract(released, current);
	if (ok) return;
	const list = changes.map(({ path, kind, bump }) => `  ${bump}: ${path} ${kind}`).join("\n");
	throw new Error(
		`pairofcleats: the contract needs a ${required} bump: SCHEMA_VERSION is ${current.schemaVersion}, expected ${leastVersion} or later\n${list}`,
	);
}

function readReleased(): ContractSnapshot | undefined {
	return existsSync(RELEASED) ? JSON.parse(readFileSync(RELEASED, "utf8")) : undefined;
}

/** The package's version is no part of the contract. */
function withoutToolingVersion({ _meta, ...definition }: Record<string, unknown>): Record<string, unknown> {
	const { toolingVersion: _, ...kept } = Object.fromEntries(Object.entries(_meta ?? {}));
	return { ...definition, _meta: kept };
}
