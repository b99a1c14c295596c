import { printable, type Terminal } from "./terminal.ts";
import type { FileVerdict } from "./validateFiles.ts";

/** A verdict as text for a person: the file, and below it the places where it fails. */
export function verdictLines(path: string, verdict: FileVerdict, paint: Terminal["paint"]): string[] {
	const file = printable(path);
	if (verdict.ok) return [`${paint("green", "valid  ")}  ${file}  ${paint("dim", printable(verdict.schema))}`];
	if (!("schema" in verdict)) return [`${paint("red", "unread ")}  ${file}  ${verdict.detail.replaceAll("_", " ")}`];
	const rows = (verdict.errors ?? []).map(({ path: place, msg, line, column }) => ({
		at: line === undefined ? "" : `${line}:${column}`,
		place: place === "" ? "(root)" : printable(place),
		msg: printable(msg),
	}));
	const [atWidth, placeWidth] = [widest(rows.map(({ at }) => at)), widest(rows.map(({ place }) => place))];
	return [
		`${paint("red", "invalid")}  ${file}  ${paint("dim", printable(verdict.schema))}`,
		...rows.map(
			({ at, place, msg }) =>
				`         ${paint("dim", at.padStart(atWidth))}  ${paint("yellow", place.padEnd(placeWidth))}  ${msg}`,
		),
	];
}

export function summaryLine(verdicts: readonly FileVerdict[]): string {
	const valid = verdicts.filter(({ ok }) => ok).length;
	const unread = verdicts.filter((verdict) => !("schema" in verdict)).length;
	const counts = [
		[valid, "valid"],
		[verdicts.length - valid - unread, "invalid"],
		[unread, "unread"],
	] as const;
	return counts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(", ");
}

function widest(texts: readonly string[]): number {
	return Math.max(0, ...texts.map((text) => text.length));
}
