import { FAMILIES, type RiskSource } from "./rules.ts";

const JS = FAMILIES.ecmascript;
const PY = ["python"];
const JVM = FAMILIES.jvm;
const C = FAMILIES.native;

export const DEFAULT_SOURCES: readonly RiskSource[] = [
	source("http-input", ["http-input"], JS, [
		...[
			"req.body",
			"req.query",
			"req.params",
			"req.headers",
			"req.cookies",
			"request.body",
			"request.query",
			"request.params",
		],
		...[
			"ctx.request.body",
			"ctx.query",
			"ctx.params",
			"event.body",
			"event.queryStringParameters",
			"*.searchParams",
			"req.url",
		],
	]),
	source("environment", ["env"], JS, ["process.env"]),
	source("arguments", ["cli-input"], JS, ["process.argv"]),
	source("stdin", ["stdin"], JS, ["process.stdin", "readline.question()"]),
	source("browser-input", ["browser-input"], JS, [
		"location.search",
		"location.hash",
		"location.href",
		"document.cookie",
		"document.referrer",
		"window.name",
	]),
	source("http-input", ["http-input"], PY, [
		...[
			"request.args",
			"request.form",
			"request.json",
			"request.data",
			"request.values",
			"request.cookies",
			"request.headers",
		],
		...["request.GET", "request.POST", "request.FILES", "request.body", "request.query_params", "request.get_json()"],
	]),
	source("environment", ["env"], PY, ["os.environ", "os.getenv()"]),
	source("arguments", ["cli-input"], PY, ["sys.argv"]),
	source("stdin", ["stdin"], PY, ["input()", "raw_input()", "sys.stdin"]),
	source("http-input", ["http-input"], JVM, [
		...[
			"*.getParameter()",
			"*.getParameterValues()",
			"*.getHeader()",
			"*.getCookies()",
			"*.getQueryString()",
			"*.getInputStream()",
			"*.queryParam()",
			"*.queryParameters",
			"call.parameters",
			"*.receiveText()",
		],
	]),
	// Parameters that Spring, JAX-RS, ASP.NET and NestJS fill from the request.
	source("http-input", ["http-input"], JVM, [
		...["@RequestParam", "@PathVariable", "@RequestBody", "@RequestHeader", "@CookieValue", "@ModelAttribute"],
		...["@QueryParam", "@PathParam", "@FormParam", "@HeaderParam", "@CookieParam", "@MatrixVariable"],
	]),
	source(
		"http-input",
		["http-input"],
		["csharp"],
		["@FromQuery", "@FromBody", "@FromRoute", "@FromForm", "@FromHeader"],
	),
	source("http-input", ["http-input"], ["typescript"], ["@Body", "@Query", "@Param", "@Headers"]),
	source("environment", ["env"], JVM, ["System.getenv()", "System.getProperty()"]),
	source("stdin", ["stdin"], JVM, ["System.in", "readLine()"]),
	source(
		"http-input",
		["http-input"],
		["csharp"],
		["Request.Query", "Request.Form", "Request.Headers", "Request.Cookies", "Request.QueryString", "Request.Body"],
	),
	source("environment", ["env"], ["csharp"], ["Environment.GetEnvironmentVariable()"]),
	source("stdin", ["stdin"], ["csharp"], ["Console.ReadLine()"]),
	source(
		"http-input",
		["http-input"],
		["go"],
		[
			"r.URL",
			"r.Form",
			"r.PostForm",
			"r.Body",
			"r.Header",
			"req.URL",
			"req.Form",
			"req.PostForm",
			"req.Body",
			"req.Header",
			"*.FormValue()",
			"*.PostFormValue()",
			"c.Query()",
			"c.Param()",
			"c.PostForm()",
		],
	),
	source("environment", ["env"], ["go"], ["os.Getenv()", "os.LookupEnv()"]),
	source("arguments", ["cli-input"], ["go"], ["os.Args", "flag.Arg()", "flag.Args()"]),
	source("http-input", ["http-input"], ["ruby"], ["params", "request.params", "request.headers", "cookies"]),
	source("environment", ["env"], ["ruby"], ["ENV"]),
	source("arguments", ["cli-input"], ["ruby"], ["ARGV"]),
	source("stdin", ["stdin"], ["ruby"], ["gets()", "STDIN.read()", "$stdin"]),
	source(
		"http-input",
		["http-input"],
		["php"],
		["_GET", "_POST", "_REQUEST", "_COOKIE", "_FILES", "_SERVER", "*.input()", "file_get_contents()"],
	),
	source("environment", ["env"], ["php"], ["_ENV", "getenv()"]),
	{
		...source("input", ["stdin"], C, [
			"gets()",
			"fgets()",
			"scanf()",
			"fscanf()",
			"read()",
			"recv()",
			"getline()",
			"std::getline()",
		]),
		fills: true,
	},
	source("stdin", ["stdin"], ["cpp"], ["cin"]),
	source("environment", ["env"], C, ["getenv()"]),
	source("arguments", ["cli-input"], C, ["argv"]),
	source("environment", ["env"], ["rust"], ["env::var()", "std::env::var()"]),
	source("arguments", ["cli-input"], ["rust"], ["env::args()", "std::env::args()"]),
	source("stdin", ["stdin"], ["rust"], ["io::stdin()"]),
	{ ...source("stdin", ["stdin"], ["rust"], ["*.read_line()"]), fills: true },
	source("arguments", ["cli-input"], ["bash"], ["1", "2", "3", "@", "*", "REPLY", "QUERY_STRING"]),
];

function source(
	name: string,
	tags: readonly string[],
	languages: readonly string[],
	patterns: readonly string[],
): RiskSource {
	return { name, tags, languages, patterns };
}
