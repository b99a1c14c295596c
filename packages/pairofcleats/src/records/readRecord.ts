import { isObject } from "../contract/isObject.ts";
import type { TriageRecord } from "./record.ts";

/** The record in a file's text; `undefined` if it is damaged, or JSON of another form, which may lie in the folder too. */
export function readRecord(text: string): TriageRecord | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** Checks what is relied on, and no more, because a search reads many; imports are checked by a schema. */
function isRecord(value: unknown): value is TriageRecord {
	if (!isObject(value) || !areTexts(value.recordId, value.createdAt)) return false;
	const { vuln, recordType } = value;
	if (!isObject(vuln) || !areTexts(vuln.vulnId, vuln.title, vuln.severity) || !hasText(value.package, "name"))
		return false;
	switch (recordType) {
		case "finding":
			return (
				areTexts(value.source, value.updatedAt) &&
				Array.isArray(value.warnings) &&
				hasText(value.asset, "assetId") &&
				hasText(value.location, "path")
			);
		case "decision":
			return areTexts(value.finding, value.status) && (value.expiresAt === undefined || areTexts(value.expiresAt));
		default:
			return false;
	}
}

/** Of a part that may be missing. */
function hasText(part: unknown, name: string): boolean {
	return part === undefined || (isObject(part) && areTexts(part[name]));
}

function areTexts(...values: readonly unknown[]): boolean {
	return values.every((value) => typeof value === "string");
}
