import { invalidField } from "../contract/errors.ts";
import { SEARCH_ARGUMENTS } from "../query/arguments.ts";
import { readDate, type SearchRequest } from "../query/request.ts";
import { type FilterContext, foldText, type GitFile, keepFiles } from "./filterContext.ts";

const DAY_MS = 86_400_000;

/** Filters by git data about the file: last author, last change, churn. */
export function applyGitFilters(request: SearchRequest, context: FilterContext): void {
	const tests: ((file: GitFile) => boolean)[] = [];
	const fields: string[] = [];
	if (request.author !== undefined) {
		const wanted = foldText(request.author);
		fields.push("author");
		tests.push(({ author }) => foldText(author).includes(wanted));
	}
	const { churnMin } = request;
	if (churnMin !== undefined) {
		fields.push("churnMin");
		tests.push(({ churn }) => churn >= churnMin);
	}
	const after = earliest(request, context.nowMs);
	if (after !== undefined) {
		fields.push(request.modifiedAfter === undefined ? "modifiedSince" : "modifiedAfter");
		tests.push(({ modifiedMs }) => modifiedMs >= after);
	}
	if (tests.length === 0) return;
	const git = context.git();
	if (git === undefined || git.size === 0) {
		const why =
			git === undefined
				? "the folder has no git history to filter by"
				: "git knows no change of any file to filter by: the repository is new, or a shallow clone";
		for (const field of fields) context.warn({ code: "filter_without_data", field, message: why });
	} else if (request.author !== undefined) warnOfAuthor(request.author, git, context);
	keepFiles(context, (number) => {
		const file = git?.get(context.snapshot.files[number]?.path ?? "");
		return file !== undefined && tests.every((test) => test(file));
	});
}

/** Most authors that a warning lists. */
const MOST_AUTHORS = 10;

/** Without a warning, an unknown author would look like a query without matches. */
function warnOfAuthor(author: string, git: ReadonlyMap<string, GitFile>, { warn }: FilterContext): void {
	const files = new Map<string, number>();
	for (const one of git.values()) files.set(one.author, (files.get(one.author) ?? 0) + 1);
	if ([...files.keys()].some((name) => foldText(name).includes(foldText(author)))) return;
	const busiest = [...files].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
	const names = busiest.slice(0, MOST_AUTHORS).map(([name]) => name);
	const others = busiest.length > names.length ? ", …" : "";
	const message = `no file's last author has ${JSON.stringify(author.slice(0, 80))} in the name; there are ${names.join(", ")}${others}`;
	warn({ code: "filter_without_data", field: "author", message });
}

/** The later of the two limits, in milliseconds. */
function earliest(request: SearchRequest, nowMs: number): number | undefined {
	const limits: number[] = [];
	if (request.modifiedAfter !== undefined) {
		const date = readDate(request.modifiedAfter);
		if (date === undefined)
			throw invalidField("modifiedAfter", SEARCH_ARGUMENTS.modifiedAfter.expects, request.modifiedAfter);
		limits.push(date);
	}
	if (request.modifiedSince !== undefined) limits.push(nowMs - request.modifiedSince * DAY_MS);
	return limits.length === 0 ? undefined : Math.max(...limits);
}
