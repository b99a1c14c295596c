import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chunk } from "../../src/parse/chunk.ts";
import { parseFile } from "../../src/parse/parseFile.ts";
import { parsed } from "./soundFile.ts";

async function swift(text: string): Promise<readonly Chunk[]> {
	const { chunks, parseErrors } = await parseFile("a.swift", text);
	assert.deepEqual(parseErrors, []);
	return chunks;
}

function outlineOf(chunks: readonly Chunk[]): string[] {
	return chunks.flatMap(({ kind, qualifiedName, symbols = [] }) => [
		`${kind} ${qualifiedName}`,
		...symbols.map((symbol) => `- ${symbol.kind} ${symbol.name}`),
	]);
}

test("an if or switch expression hides nothing around it", async () => {
	const chunks = await swift(`struct Form {
    static func text(_ kind: Kind) -> String {
        let a = if kind.isFirst { "1" } else { other() }
        let b: String? = switch kind {
        case .one: first()
        default: nil
        }
        return if a == b { a } else { join(a) }
    }
    func last() {}
}
`);
	assert.deepEqual(outlineOf(chunks), ["struct Form", "method Form.text", "method Form.last"]);
	assert.deepEqual([chunks[1]?.facts?.branches, chunks[1]?.facts?.calls], [3, ["other", "first", "join"]]);
});

test("newer Swift modifiers do not hide the declaration after them", async () => {
	const chunks = await swift(`struct Slot: ~Copyable {
    borrowing func peek() throws(Failure) -> Int { 1 }
    private nonisolated(unsafe) var value: Int
    #if DEBUG
    let lock = Lock()
    #else
    #error("no lock")
    #endif
    func run(_ body: sending @escaping () -> Void) {}
}

#Preview("one") {
    Slot()
}
`);
	assert.deepEqual(outlineOf(chunks), [
		...["struct Slot", "method Slot.peek", "block Slot", "- property value", "- property lock"],
		...["method Slot.run", "block "],
	]);
	assert.deepEqual(chunks[0]?.facts?.extends, []);
});

test("a signature is the text of the file, with syntax newer than the grammar", async () => {
	const chunks = await swift(`struct Slot: Sized & ~Copyable {}
public func load<each T>(_ v: repeat each T) async throws(LoadError) -> (repeat each T) {
    go()
}
@MainActor
package func keep(s: sending B) {}
protocol Reader {
    func read() throws(LoadError)
}
`);
	assert.deepEqual(
		chunks.map(({ facts }) => facts?.signature),
		[
			"struct Slot: Sized & ~Copyable",
			"public func load<each T>(_ v: repeat each T) async throws(LoadError) -> (repeat each T)",
			"package func keep(s: sending B)",
			"protocol Reader",
		],
	);
	assert.deepEqual(chunks[0]?.facts?.extends, ["Sized"]);
	assert.equal(chunks[1]?.facts?.returnType, "(repeat each T)");
});

test("a property with observers calls neither them nor its value, unless the value is a call", async () => {
	const [, plain, called] = await swift(`class Box {
    var size = limit {
        willSet { log(newValue) }
        didSet { show(size) }
    }
    var total: Int = load() {
        didSet {
            done()
        }
    }
}
`);
	assert.deepEqual(plain?.facts?.calls, ["log", "show"]);
	assert.deepEqual(plain?.facts?.uses, ["limit", "log", "newValue", "show", "size"]);
	assert.deepEqual(plain?.facts?.reads, ["limit", "newValue", "size"]);
	assert.deepEqual(plain?.facts?.aliases, ["size=limit"]);
	assert.equal(plain?.facts?.signature, "var size = limit");
	assert.deepEqual(called?.facts?.calls, ["load", "done"]);
	assert.equal(called?.facts?.signature, "var total: Int = load()");
});

test("a property with observers has the type of its value", async () => {
	const [box] = await swift("class Box {\n    var size = 0 { didSet { done() } }\n}\n");
	assert.deepEqual([box?.facts?.inferredTypes, box?.facts?.calls], [["Int"], ["done"]]);
});

test("newer expressions of Swift are no mistakes", async () => {
	const chunks =
		await swift(`func expect(_ f: () -> Void, at: SourceLocation = #_sourceLocation, on: isolated (any Actor)? = #isolation) {
    #expect(throws: (any Error).self) { try Bar.parse([]) }
    let escaped =
        switch kind {
        case .quote: #"\\"#
        default: escape(#"a"b\\e"#)
        }
}
func read() async throws {
    for try await line in try handle.lines {
        use(line)
    }
}
func last() {}
`);
	assert.deepEqual(outlineOf(chunks), ["function expect", "function read", "function last"]);
	assert.deepEqual(chunks[0]?.facts?.calls, ["expect", "parse", "Bar.parse", "escape"]);
	assert.deepEqual([chunks[1]?.facts?.awaits, chunks[1]?.facts?.writes], [["handle.lines"], ["line"]]);
});

test("a value that a condition unwraps is an alias of the name before it", async () => {
	const [chunk] = await swift(
		"func f() {\n    if let x, let y = opt?.value, let z = x { use(x, y, z) }\n    let a = b, c = d\n}\n",
	);
	assert.deepEqual(chunk?.facts?.writes, ["x", "y", "z", "a", "c"]);
	assert.deepEqual(chunk?.facts?.aliases, ["y=opt.value", "a=b"]);
});

test("Swift's self, unwrapped, is no variable that is written", async () => {
	const { chunks } = await parsed(
		"a.swift",
		"func f(b: B) {\n    guard let self = self, let b = b else { return }\n    if let self = self, let c = b { use(c) }\n}\n",
	);
	assert.deepEqual(chunks[0]?.facts?.writes, ["b", "c"]);
});

test("the label of a loop that Swift leaves or goes on with is not read", async () => {
	const { chunks } = await parsed(
		"a.swift",
		"func f(list: [Int]) -> Int {\n    outer: for i in list {\n        if i > 1 { continue outer }\n        break outer\n    }\n    return last\n}\n",
	);
	const facts = chunks[0]?.facts;
	assert.deepEqual([facts?.reads, facts?.breaks, facts?.continues], [["list", "i", "last"], 1, 1]);
	assert.ok(!facts?.uses?.includes("outer"));
});

test("a name that Swift binds in a case is written and not read, one that it compares is read", async () => {
	const { chunks } = await parsed(
		"a.swift",
		`func f(e: E) {
    let size: Int
    switch e {
    case .one(let a), .two(w: let b, .three(var c)): go()
    case let .four(d, .five(g)): go()
    case let h as Foo: go()
    case (let i, 1), other: go()
    }
    if case .six(let j) = e, case let .seven(k, .eight) = e { go() }
    for case let .nine(l) in list { go() }
    do { try go() } catch let m as Foo { go() } catch Foo.bar(let n) { go() }
}
`,
	);
	const facts = chunks[0]?.facts;
	assert.deepEqual(facts?.writes?.toSorted(), [..."abcdghijklmn"]);
	assert.deepEqual(facts?.reads, ["e", "other", "list"]);
});

test("Swift's fallthrough is no variable, even in an if", async () => {
	const { chunks } = await parsed(
		"a.swift",
		"func f(e: E) {\n    switch e {\n    case .a:\n        if e.last { fallthrough }\n    case .b: break\n    }\n}\n",
	);
	assert.deepEqual(chunks[0]?.facts?.reads, ["e"]);
});
