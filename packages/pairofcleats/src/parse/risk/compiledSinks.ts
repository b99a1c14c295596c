import { FAMILIES, type RiskSink } from "./rules.ts";
import { ON_WHAT_IS_TAINTED, sink, TEXT_FIRST } from "./sink.ts";

const JVM = FAMILIES.jvm;
const C = FAMILIES.native;

/** The sinks of Java, Kotlin, Scala, C#, Go, C, C++ and Rust. */
export const COMPILED_SINKS: readonly RiskSink[] = [
	sink("command-exec", "command", "critical", JVM, ["*.exec()", "ProcessBuilder()"]),
	sink(
		"sql-query",
		"sql",
		"high",
		JVM,
		[
			"*.executeQuery()",
			"*.executeUpdate()",
			"*.createQuery()",
			"*.createNativeQuery()",
			"*.prepareStatement()",
			"*.queryForObject()",
			"*.queryForList()",
			...["jdbcTemplate.query()", "jdbcTemplate.update()", "jdbcTemplate.execute()", "jdbcTemplate.batchUpdate()"],
		],
		TEXT_FIRST,
	),
	sink("request", "ssrf", "medium", JVM, [
		...["restTemplate.getForObject()", "restTemplate.getForEntity()", "restTemplate.postForObject()"],
		...["restTemplate.postForEntity()", "restTemplate.exchange()"],
	]),
	sink("deserialize", "deserialization", "critical", JVM, ["XMLDecoder()"]),
	sink("deserialize", "deserialization", "critical", JVM, ["*.readObject()"], ON_WHAT_IS_TAINTED),
	sink("code-eval", "code-exec", "critical", JVM, ["*.eval()", "Class.forName()"]),
	sink("file-access", "path", "medium", JVM, [
		"File()",
		"FileInputStream()",
		"FileOutputStream()",
		"Paths.get()",
		"Path.of()",
		"Files.newInputStream()",
		"Files.readString()",
		"Files.readAllBytes()",
		"Files.writeString()",
	]),
	sink("html-write", "xss", "high", JVM, ["writer.write()", "writer.print()", "writer.println()", "*.sendError()"]),
	sink("redirect", "redirect", "medium", JVM, ["*.sendRedirect()"]),
	sink("command-exec", "command", "critical", ["csharp"], ["Process.Start()", "ProcessStartInfo()"]),
	sink(
		"sql-query",
		"sql",
		"high",
		["csharp"],
		[
			...["SqlCommand()", "NpgsqlCommand()", "MySqlCommand()", "SqliteCommand()", "OracleCommand()"],
			...["*.FromSqlRaw()", "*.SqlQueryRaw()", "*.ExecuteSqlRaw()", "*.ExecuteSqlRawAsync()", "*.ExecuteReader()"],
			"*.CommandText=",
		],
		TEXT_FIRST,
	),
	// Names that other libraries have too.
	sink(
		"sql-query",
		"sql",
		"high",
		["csharp"],
		[
			...["*.Query()", "*.QueryAsync()", "*.QueryFirst()", "*.QueryFirstAsync()", "*.QueryFirstOrDefault()"],
			...["*.QueryFirstOrDefaultAsync()", "*.QuerySingle()", "*.QuerySingleAsync()", "*.QueryMultiple()"],
			...["*.QueryMultipleAsync()", "*.Execute()", "*.ExecuteAsync()", "*.ExecuteScalar()", "*.ExecuteScalarAsync()"],
		],
		{ ...TEXT_FIRST, quiet: true },
	),
	sink(
		"request",
		"ssrf",
		"medium",
		["csharp"],
		["*.GetAsync()", "*.GetStringAsync()", "*.GetStreamAsync()", "*.GetByteArrayAsync()", "*.PostAsync()"],
		{ ...TEXT_FIRST, quiet: true },
	),
	sink("redirect", "redirect", "medium", ["csharp"], ["Redirect()", "RedirectPermanent()", "Response.Redirect()"], {
		quiet: true,
	}),
	sink("html-write", "xss", "high", ["csharp"], ["Content()", "Html.Raw()", "HtmlString()", "Response.Write()"], {
		quiet: true,
	}),
	sink("deserialize", "deserialization", "critical", ["csharp"], ["*.Deserialize()"]),
	sink(
		"file-access",
		"path",
		"medium",
		["csharp"],
		[
			...["File.ReadAllText()", "File.ReadAllBytes()", "File.ReadAllLines()", "File.OpenRead()", "File.Open()"],
			...["File.WriteAllText()", "File.WriteAllBytes()", "File.Delete()", "FileStream()", "StreamReader()"],
		],
	),
	sink("command-exec", "command", "critical", ["go"], ["exec.Command()", "exec.CommandContext()", "syscall.Exec()"]),
	sink("sql-query", "sql", "high", ["go"], ["*.Query()", "*.QueryRow()", "*.Exec()", "*.Raw()"], {
		...TEXT_FIRST,
		afterContext: true,
	}),
	sink("sql-query", "sql", "high", ["go"], ["*.QueryContext()", "*.QueryRowContext()", "*.ExecContext()"], {
		argument: 1,
	}),
	// GORM's.
	sink("sql-query", "sql", "high", ["go"], ["*.Where()", "*.Order()"], { ...TEXT_FIRST, quiet: true }),
	sink("html-write", "xss", "high", ["go"], ["template.HTML()"]),
	sink("html-write", "xss", "high", ["go"], ["fmt.Fprint()", "fmt.Fprintf()", "fmt.Fprintln()", "io.WriteString()"], {
		into: "http.ResponseWriter",
		quiet: true,
	}),
	sink(
		"file-access",
		"path",
		"medium",
		["go"],
		["os.Open()", "os.OpenFile()", "os.ReadFile()", "os.WriteFile()", "os.Remove()"],
	),
	sink("file-access", "path", "medium", ["go"], ["http.ServeFile()"], { argument: 2, quiet: true }),
	sink("file-access", "path", "medium", ["go"], ["c.File()", "c.SendFile()"], { argument: 0, quiet: true }),
	sink("redirect", "redirect", "medium", ["go"], ["http.Redirect()"], { argument: 2, quiet: true }),
	sink("redirect", "redirect", "medium", ["go"], ["c.Redirect()"], { argument: 1, quiet: true }),
	sink("request", "ssrf", "medium", ["go"], ["http.Get()", "http.Post()"]),
	sink("request", "ssrf", "medium", ["go"], ["http.NewRequest()"], { argument: 1, quiet: true }),
	sink("request", "ssrf", "medium", ["go"], ["http.NewRequestWithContext()"], { argument: 2, quiet: true }),
	sink("command-exec", "command", "critical", C, [
		"system()",
		"std::system()",
		"popen()",
		"execl()",
		"execlp()",
		"execv()",
		"execvp()",
	]),
	sink("memory-copy", "memory", "high", C, [
		"strcpy()",
		"strcat()",
		"sprintf()",
		"vsprintf()",
		"memcpy()",
		"gets()",
		"alloca()",
	]),
	sink("format-string", "format", "high", C, ["printf()"], TEXT_FIRST),
	sink("format-string", "format", "high", C, ["fprintf()", "syslog()"], { argument: 1 }),
	sink("file-access", "path", "medium", C, ["fopen()", "open()", "unlink()"]),
	sink("command-exec", "command", "critical", ["rust"], ["Command::new()", "process::Command::new()"]),
	sink("command-exec", "command", "critical", ["rust"], ["*.arg()", "*.args()"], { quiet: true }),
	sink("sql-query", "sql", "high", ["rust"], ["sqlx::query()", "*.execute()", "diesel::sql_query()"], TEXT_FIRST),
	sink(
		"unsafe-memory",
		"memory",
		"high",
		["rust"],
		["mem::transmute()", "std::mem::transmute()", "slice::from_raw_parts()"],
	),
];
