export { SCHEMA_VERSION, TOOLING_VERSION } from "./contract/envelope.ts";
export { CleatsError, ERROR_TABLE, type ErrorCode, type ErrorRow, toCleatsError } from "./contract/errors.ts";
export {
	type ClassifiedDiscovery,
	DEFAULT_MAX_FILE_BYTES,
	type DiscoverOptions,
	type Discovery,
	discoverFiles,
	discoverRoots,
	type FoundFile,
} from "./discover/discoverFiles.ts";
export { readSource, type SourceText } from "./discover/readSource.ts";
export type { SkipReason } from "./discover/statFiles.ts";
export { blameFile, listAuthors as authorsOf } from "./git/blame.ts";
export { type FileHistory, type History, readHistory as gitHistory } from "./git/gitHistory.ts";
export { askGitState as gitState, type GitState } from "./git/heads.ts";
export type { BuildOptions, BuildReport, OnProgress, Progress } from "./index/build.ts";
export { type LintFindings, readLintReport } from "./lint/readLintReport.ts";
export {
	CHUNK_KINDS,
	type Chunk,
	type ChunkFacts,
	type ChunkKind,
	type Diagnostic,
	type ParsedFile,
	type ProseChunk,
	type RiskFacts,
} from "./parse/chunk.ts";
export {
	type DocumentText,
	extractDocument,
	findDocumentFormat as documentFormat,
	listDocumentReaders as documentReaders,
} from "./parse/documents/extractDocument.ts";
export {
	type FactField,
	LANGUAGE_FACTS,
	writeLanguageFactsTable as languageFactsTable,
} from "./parse/languageFacts.ts";
export { type ParseOptions, parseFile } from "./parse/parseFile.ts";
export { readRiskRules } from "./parse/risk/rules/readRiskRules.ts";
export type { RiskRules } from "./parse/risk/rules/rules.ts";
export {
	BACKENDS,
	OUTPUTS,
	SEARCH_ARGUMENTS,
	SEARCH_MODES,
	type SearchArgument,
	type SearchArgumentName,
} from "./query/arguments.ts";
export { readSearchRequest, type SearchRequest } from "./query/request.ts";
export type { GitFacts, Hit, HitMode, SearchResult, Snippet, Warning, WarningCode } from "./query/result.ts";
export { openRepository } from "./repo/openRepository.ts";
export type {
	FileText,
	IndexStatus,
	LineRange,
	LintReport,
	MapEntry,
	OpenOptions,
	Repository,
	ValidationReport,
} from "./repo/repository.ts";
export type { SearchPayload } from "./searching/writtenSearch.ts";
