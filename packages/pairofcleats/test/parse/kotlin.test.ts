import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFile } from "../../src/parse/parseFile.ts";
import { parsed } from "./soundFile.ts";

async function outlineOf(text: string): Promise<string[]> {
	const { chunks, parseErrors } = await parseFile("a.kt", text);
	assert.deepEqual(parseErrors, []);
	return chunks.map(
		({ kind, qualifiedName, startLine, endLine, extentEndLine }) =>
			`${kind} ${qualifiedName} ${startLine}-${extentEndLine ?? endLine}`,
	);
}

test("a Kotlin class with several annotations is a class and has all of them", async () => {
	const text = `/** Makes things. */
@Module
@InstallIn(Singleton::class)
@Suppress(
    "unused",
    names = ["a", "b"],
)
internal abstract class Things {
    abstract fun make(): Thing
}

@A(1)
@B
sealed interface Shape { fun area(): Int }

@Target(Kind.CLASS)
@RequiresOptIn(
    message = "careful" +
        " with it"
)
public annotation class Delicate
fun last() = 1
`;
	assert.deepEqual(await outlineOf(text), [
		"class Things 1-10",
		"interface Shape 12-14",
		"class Delicate 16-21",
		"function last 22-22",
	]);
	const { chunks } = await parseFile("a.kt", text);
	const [things] = chunks;
	assert.deepEqual(things?.facts?.decorators, [
		"Module",
		"InstallIn(Singleton::class)",
		'Suppress( "unused", names = ["a", "b"], )',
	]);
	assert.deepEqual(
		[things?.facts?.visibility, things?.facts?.signature, things?.nameLine],
		["internal", "internal abstract class Things", 8],
	);
});

test("a Kotlin constructor on the next line belongs to its class", async () => {
	const text = `@JvmInline
public value class Result<out T>
@PublishedApi internal constructor(internal val holder: Any?) {
    fun get() = holder
}
class Other
private constructor(val size: Int) {
    fun get() = size
}
`;
	assert.deepEqual(await outlineOf(text), [
		"class Result 1-5",
		"method Result.get 4-4",
		"class Other 6-9",
		"method Other.get 8-8",
	]);
	const { chunks } = await parseFile("a.kt", text);
	assert.deepEqual([chunks[0]?.facts?.params, chunks[2]?.facts?.params], [["holder"], ["size"]]);
});

test("the else of a Kotlin when does not belong to an if before it", async () => {
	const text = "fun f(a: Any) {\n    when (a) {\n        is Int -> if (a > 1) return\n        else -> g()\n    }\n}\n";
	assert.deepEqual(await outlineOf(text), ["function f 1-6"]);
	const oneLine = "fun f(a: Int) = when (a) { 1 -> g(); else -> h() }\n";
	assert.deepEqual(await outlineOf(oneLine), ["function f 1-1"]);
});

test("a Kotlin function that is a value has its parameters", async () => {
	const { chunks } = await parseFile("a.kt", "val twice: (Int) -> Int = { a ->\n    val b = a * 2\n    b\n}\n");
	assert.deepEqual(chunks.find(({ name }) => name === "twice")?.facts?.params, ["a"]);
});

test("a Kotlin class keeps its members wherever its constructor is written", async () => {
	const text = `class A
@Inject constructor(private val x: X) : Base() {
    fun one() = x
}
class B
    @Inject
    constructor(private val x: X) : Base() {
        fun two() = x
    }
class C @Inject
internal constructor(private val x: X) {
    fun three() = x
}
actual open class D
// Shares its data.
internal actual constructor(internal actual val data: ByteArray) : Comparable<D> {
    actual fun four() = data
}
`;
	assert.deepEqual(await outlineOf(text), [
		...["class A 1-4", "method A.one 3-3", "class B 5-9", "method B.two 8-8"],
		...["class C 10-13", "method C.three 12-12", "class D 14-18", "method D.four 17-17"],
	]);
});

test("an enum on one line is an enum, with bodies of its entries too", async () => {
	const text = `enum class Op(val sign: String) { ADD("+") { override fun of(a: Int) = a + 1 }, SUB("-") { override fun of(a: Int) = a - 1 }; abstract fun of(a: Int): Int }
enum class Two { A { override fun f() = 1 }; abstract fun f(): Int }
enum class Three : F { A, B { override fun f() = 2 } }
fun last() {}
`;
	const { chunks, parseErrors } = await parseFile("a.kt", text);
	assert.deepEqual(parseErrors, []);
	assert.deepEqual(
		chunks.map(({ kind, qualifiedName }) => `${kind} ${qualifiedName}`),
		["enum Op", "enum Two", "enum Three", "function last"],
	);
	const entries = chunks.flatMap(({ symbols = [] }) => symbols.filter(({ kind }) => kind === "property"));
	assert.deepEqual(
		entries.map(({ name }) => name),
		["sign", "ADD", "SUB", "A", "A", "B"],
	);
});

test("the body of a Kotlin class that delegates to a call is its body", async () => {
	const text = `class Model(ctx: Ctx) : Base(), Logger by LoggerDelegate("x") {
    init { load() }
    companion object {
        const val A = 1
    }
    fun one(x: Int): Int {
        return x
    }
}
`;
	assert.deepEqual(await outlineOf(text), ["class Model 1-9", "class Model.Companion 3-5", "method Model.one 6-8"]);
	const [model] = (await parseFile("a.kt", text)).chunks;
	assert.equal(model?.facts?.signature, 'class Model(ctx: Ctx) : Base(), Logger by LoggerDelegate("x")');
});

test("a Kotlin assignment through a null check changes the member", async () => {
	const [chunk] = (await parseFile("a.kt", "fun f(a: A?, b: B?) {\n    a?.x = 1\n    b!!.y = 2\n}\n")).chunks;
	assert.deepEqual([chunk?.facts?.mutates, chunk?.facts?.writes ?? []], [["a.x", "b.y"], []]);
});

test("a case with in after a case that calls something is a case of its own", async () => {
	const { chunks, parseErrors } = await parseFile(
		"a.kt",
		`fun go(key: Key) {
    when (key) {
        state.top -> clear()
        in state.keys -> visit(key)
        !in state.all -> fail()
        else -> x(key)
    }
    val found = key
        in list
}
`,
	);
	assert.deepEqual(parseErrors, []);
	assert.deepEqual([chunks[0]?.facts?.calls, chunks[0]?.facts?.branches], [["clear", "visit", "fail", "x"], 3]);
});

test("a Kotlin variable may be named by a word that elsewhere is a modifier", async () => {
	const { chunks } = await parsed(
		"a.kt",
		"fun f(a: Boolean) {\n    final = true\n    open.size += 1\n    if (a) inline++\n    internal?.close()\n    open(a)\n}\nprivate open class A {\n    final override val size = 1\n    open suspend fun go() = open\n}\n",
	);
	const facts = chunks[0]?.facts;
	assert.deepEqual(facts?.writes, ["final", "inline"]);
	assert.deepEqual(facts?.mutates, ["open.size"]);
	assert.deepEqual(facts?.reads, ["open", "a", "inline", "internal"]);
	assert.deepEqual(facts?.calls, ["close", "internal.close", "open"]);
	assert.equal(chunks[1]?.facts?.signature, "private open class A");
});

test("a Kotlin function whose value touches its = returns it", async () => {
	const { chunks } = await parsed("a.kt", "fun one()=1\n");
	assert.equal(chunks[0]?.facts?.returns, true);
});
