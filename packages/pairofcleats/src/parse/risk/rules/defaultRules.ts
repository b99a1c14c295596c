import { COMPILED_SINKS } from "./compiledSinks.ts";
import { DEFAULT_SOURCES } from "./defaultSources.ts";
import { FAMILIES, type RiskRules, type RiskSanitizer, type RiskSink } from "./rules.ts";
import { SCRIPT_SINKS } from "./scriptSinks.ts";

const JS = FAMILIES.ecmascript;
const PY = ["python"];
const JVM = FAMILIES.jvm;
const C = FAMILIES.native;

const DEFAULT_SANITIZERS: readonly RiskSanitizer[] = [
	sanitizer("escape", JS, [
		"escape()",
		"escapeHtml()",
		"encodeURIComponent()",
		"encodeURI()",
		"DOMPurify.sanitize()",
		"*.escape()",
		"*.escapeId()",
		"sanitize()",
		"sanitizeHtml()",
		"validator.escape()",
	]),
	sanitizer("convert", JS, [
		"Number()",
		"parseInt()",
		"parseFloat()",
		"Boolean()",
		"Number.parseInt()",
		"path.basename()",
	]),
	// Tags of templates whose values are bound.
	sanitizer("bind", JS, ["sql()", "SQL()", "Prisma.sql()"]),
	sanitizer("escape", PY, [
		"html.escape()",
		"escape()",
		"shlex.quote()",
		"quote()",
		"bleach.clean()",
		"urllib.parse.quote()",
		"markupsafe.escape()",
		"secure_filename()",
		"os.path.basename()",
	]),
	sanitizer("convert", PY, ["int()", "float()", "bool()"]),
	sanitizer("convert", JVM, [
		...["Integer.parseInt()", "Integer.valueOf()", "Long.parseLong()", "Long.valueOf()", "Double.parseDouble()"],
		...["*.toInt()", "*.toIntOrNull()", "*.toLong()", "*.toLongOrNull()"],
		"UUID.fromString()",
		"*.encodeForHTML()",
		"StringEscapeUtils.escapeHtml4()",
		"ESAPI.encoder()",
	]),
	sanitizer(
		"convert",
		["csharp"],
		[
			...["int", "long", "double", "decimal", "bool", "Guid", "DateTime"].flatMap((type) => [
				`${type}.Parse()`,
				`${type}.TryParse()`,
			]),
			...["Convert.ToInt32()", "Convert.ToInt64()"],
			...["HttpUtility.HtmlEncode()", "Path.GetFileName()", "*.HtmlEncode()"],
		],
	),
	sanitizer(
		"convert",
		["go"],
		[
			"strconv.Atoi()",
			"strconv.ParseInt()",
			"html.EscapeString()",
			"url.QueryEscape()",
			"template.HTMLEscapeString()",
			"filepath.Base()",
		],
	),
	sanitizer(
		"escape",
		["ruby"],
		[
			"ERB::Util.html_escape()",
			"h()",
			"Shellwords.escape()",
			"*.shellescape()",
			"*.to_i()",
			"sanitize()",
			"CGI.escapeHTML()",
		],
	),
	sanitizer(
		"escape",
		["php"],
		[
			"htmlspecialchars()",
			"htmlentities()",
			"escapeshellarg()",
			"escapeshellcmd()",
			"mysqli_real_escape_string()",
			"intval()",
			"floatval()",
			"boolval()",
			"addslashes()",
			"basename()",
			"e()",
		],
	),
	// Its first argument, the text of a query, is a sink.
	sanitizer("bind", ["php"], ["*.prepare()"]),
	sanitizer("convert", C, ["atoi()", "strtol()", "strtoul()"]),
	sanitizer("convert", ["rust"], ["*.parse()"]),
];

function sanitizer(name: string, languages: readonly string[], patterns: readonly string[]): RiskSanitizer {
	return { name, languages, patterns };
}

export const DEFAULT_SINKS: readonly RiskSink[] = [...SCRIPT_SINKS, ...COMPILED_SINKS];

/** The built-in rules, covering the standard libraries and common frameworks of each language family. */
export const DEFAULT_RISK_RULES: RiskRules = {
	sources: DEFAULT_SOURCES,
	sinks: DEFAULT_SINKS,
	sanitizers: DEFAULT_SANITIZERS,
};
