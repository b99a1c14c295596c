import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParsedFile } from "../../src/parse/chunk.ts";
import { parseFile } from "../../src/parse/parseFile.ts";

async function rust(text: string): Promise<ParsedFile> {
	const parsed = await parseFile("a.rs", text);
	assert.deepEqual(parsed.parseErrors, []);
	return parsed;
}

test("an impl for a reference, a slice or a tuple is found and contains its methods", async () => {
	const { chunks } = await rust(`impl Read for &'_ File {
    fn read(&mut self) -> usize { 1 }
}
impl<T: Kill> Kill for &mut Box<T> {
    fn kill(&mut self) {}
}
impl Show for [io::Part] {
    fn show(&self) {}
}
impl Pair for (&str, u16) {
    fn pair(&self) {}
}
impl Any for dyn Shape {
    fn any(&self) {}
}
`);
	assert.deepEqual(
		chunks.map((chunk) => `${chunk.kind} ${chunk.qualifiedName}`),
		[
			...["impl File", "method File.read", "impl Box", "method Box.kill", "impl io.Part", "method io.Part.show"],
			...["impl (&str,u16)", "method (&str,u16).pair", "impl Shape", "method Shape.any"],
		],
	);
	assert.deepEqual(chunks[0]?.facts?.implements, ["Read"]);
});

test("items inside a macro are found, and quoted code is not", async () => {
	const { chunks, exports } = await rust(`lazy_static! {
    static ref CACHE: Mutex<u32> = Mutex::new(0);
    pub static ref OTHER: u8 = 1;
}

thread_local! {
    /// The one under way.
    static CURRENT: RefCell<u32> = const { RefCell::new(0) };
}

pin_project_lite::pin_project! {
    /// A future.
    #[derive(Debug)]
    pub struct Wait<T> {
        #[pin]
        inner: T,
    }
}

fn make() -> Tokens {
    quote! {
        pub struct #name { }
    }
}

select! {
    a = first() => {}
}
`);
	const found = chunks.flatMap(({ kind, name, symbols = [] }) => [
		`${kind} ${name}`,
		...symbols.map((symbol) => `${symbol.kind} ${symbol.name}`),
	]);
	for (const name of ["variable CACHE", "variable CURRENT", "struct Wait", "property inner", "function make"])
		assert.ok(found.includes(name), `${name} in ${found}`);
	assert.ok(!found.some((name) => name.endsWith("#name")));
	assert.deepEqual(exports, ["OTHER", "Wait"]);
	assert.equal(chunks.find(({ name }) => name === "Wait")?.facts?.docstring, "A future.");
});

test("calls and names in macro arguments are found", async () => {
	const { chunks } = await rust(`fn check(limit: u8) {
    assert_eq!(compute(limit), other.method(2), matches!(limit, 1), "{}", name.len());
    let v = vec![Point::new(1); WIDTH];
}

macro_rules! twice {
    ($a:expr) => {
        run($a)
    };
}
`);
	const check = chunks[0]?.facts;
	assert.deepEqual(check?.calls, ["assert_eq", "compute", "method", "matches", "len", "vec", "new"]);
	for (const name of ["limit", "other", "WIDTH"]) assert.ok(check?.uses?.includes(name), name);
	assert.deepEqual([chunks[1]?.facts?.signature, chunks[1]?.facts?.calls], ["macro_rules! twice", ["run"]]);
});

test("a macro around items is opened if a macro or an attribute of several lines comes first", async () => {
	const { chunks } = await rust(`cfg_io_util! {
    /// Defines readers.
    macro_rules! read_impl {
        () => {}
    }

    pub trait AsyncReadExt: AsyncRead {
        fn read_exact(&mut self) -> usize { 1 }
    }
}

cfg_io_uring! {
    #[inline]
    #[cfg(
        // Only here.
        any(target_env = "gnu", target_os = "android")
    )]
    async fn try_exists(path: &Path) -> bool { true }
}
`);
	assert.deepEqual(
		chunks.filter(({ kind }) => kind !== "block").map((chunk) => `${chunk.kind} ${chunk.qualifiedName}`),
		["macro read_impl", "trait AsyncReadExt", "method AsyncReadExt.read_exact", "function try_exists"],
	);
});

test("a text converted to an error has no name, and an error converted has its own", async () => {
	const { chunks } = await rust(`fn parse(s: &str) -> Result<i32, MyError> {
    if s.is_empty() { return Err("x".into()); }
    if s == "a" { return Err(format!("bad {s}").into()); }
    if s == "b" { return Err(problem.into()); }
    Err(MyError::Bad)
}
`);
	assert.deepEqual(chunks[0]?.facts?.throws, ["problem", "MyError::Bad"]);
});

test("a lifetime of self is no parameter", async () => {
	const { chunks } = await rust(
		"impl<'a> S<'a> {\n    fn life<'b>(&'b mut self, y: &'b str) -> u8 {\n        1\n    }\n}\n",
	);
	const [method] = chunks.filter(({ name }) => name === "life");
	assert.deepEqual(method?.facts?.params, ["y"]);
});

test("the names in a format string are used, and carry what they hold", async () => {
	const { chunks } = await rust(`fn run() {
    let name = std::env::args().nth(1).unwrap();
    let query = format!("select {name} {{not}} \\" {width:>5}");
    sqlx::query(&query);
    write!(out, r#"{raw}# "x" "#);
}
`);
	assert.deepEqual(chunks[0]?.facts?.uses, ["std", "name", "width", "sqlx", "query", "out", "env"]);
	assert.deepEqual(chunks[0]?.facts?.risk?.flows, ["arguments->sql-query"]);
});

test("a macro that is named like a type is called, and an escaped character in its text is no name", async () => {
	const { chunks } = await rust(`fn f(text: &str) {
    check(text, str![[r#"a "b" c"#]]);
    assert_eq!(width("⁉\\u{fe0f}"), str!("{text}"));
}
`);
	assert.deepEqual(chunks[0]?.facts?.calls, ["check", "str", "assert_eq", "width"]);
	assert.deepEqual(chunks[0]?.facts?.reads, ["text"]);
});
