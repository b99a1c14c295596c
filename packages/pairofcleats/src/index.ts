export { CleatsError, ERROR_TABLE, type ErrorCode, type ErrorRow, toCleatsError } from "./contract/errors.ts";
export {
	BACKENDS,
	OUTPUTS,
	SEARCH_ARGUMENTS,
	SEARCH_MODES,
	type SearchArgument,
	type SearchArgumentName,
} from "./query/arguments.ts";
export { readSearchRequest } from "./query/readRequest.ts";
export type { SearchRequest } from "./query/request.ts";
export { openRepository } from "./repo/openRepository.ts";
export type {
	BuildOptions,
	BuildReport,
	FileText,
	IndexStatus,
	LineRange,
	LintReport,
	MapEntry,
	OnProgress,
	OpenOptions,
	Progress,
	Repository,
	ValidationReport,
} from "./repo/repository.ts";
export type { GitFacts, Hit, HitMode, SearchResult, Snippet, Warning, WarningCode } from "./repo/result.ts";
