import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

test("the definition of a class ranks before places that reopen it", async () => {
	const methods = Array.from({ length: 40 }, (_, index) => `    def step_${index}(order)\n      order.next\n    end\n`);
	const { repository, remove } = await fixtureOf({
		"lib/a/hooks.rb": "module Shop\n  class Engine\n    def hook(order)\n      order\n    end\n  end\nend\n",
		"lib/core.rb": `module Shop\n  class Engine\n${methods.join("\n")}  end\nend\n`,
		"lib/z/patch.rb": "module Shop\n  class Engine\n    def patch(order)\n      order\n    end\n  end\nend\n",
	});
	try {
		for (const query of ["Engine", "Shop::Engine"]) {
			const { hits } = await repository.search({ query, top: 1 });
			assert.equal(hits[0]?.path, "lib/core.rb", query);
		}
	} finally {
		await remove();
	}
});

test("a name given with its owner finds that owner's declaration", async () => {
	const counter = (name: string, about: string): string =>
		`# ${about}\nclass ${name}:\n    def restore(self, order):\n        return order\n`;
	const { repository, remove } = await fixtureOf({
		"desk/a.py": counter("Safe", "An order is closed here."),
		"desk/b.py": counter("Till", ""),
		"desk/c.py": counter("Drawer", "An order is closed here, too."),
	});
	try {
		for (const query of [
			"order is lost when Till.restore is closed",
			"Order is lost when closed\n\nNothing comes back of desk.b.Till#restore() for an order.",
		]) {
			const [first] = (await repository.search({ query, top: 1 })).hits;
			assert.deepEqual([first?.path, first?.name], ["desk/b.py", "restore"], query);
		}
	} finally {
		await remove();
	}
});

test("a long declaration is found at its beginning, even if later parts mention its name more often", async () => {
	const again = Array.from({ length: 90 }, (_, index) => `    run_single(state, ${index})`);
	const steps = Array.from({ length: 90 }, (_, index) => `    advance(state, ${index})`);
	const { repository, remove } = await fixtureOf({
		"multi.py": `def run_single(state, step):\n${[...steps, ...again].join("\n")}\n`,
	});
	try {
		const [first] = (await repository.search({ query: "run_single" })).hits;
		assert.equal(first?.part?.index, 1);
		assert.equal(first.startLine, 1);
		assert.ok(first.snippet.lines.includes("def run_single(state, step):"));
	} finally {
		await remove();
	}
});

test("an operator is found at its declaration by its symbol, not only by the word operator", async () => {
	const declared = ["==", "!=", "<<", "->", "()", "[]", "/", "->*"];
	const { repository, remove } = await fixtureOf({
		"operator.h":
			"struct Operator { int operator_count; };\n// operator operator operator\nint operator_of(Operator o);\n",
		"wide.cc": declared.map((sign) => `Wide Wide::operator${sign}(Wide other) {\n  return other;\n}\n`).join("\n"),
		"Money.cs": "class Money {\n  public static Money operator %(Money a, Money b) {\n    return a;\n  }\n}\n",
	});
	try {
		for (const sign of declared) {
			for (const query of [`operator${sign}`, `operator ${sign}`, `Wide::operator${sign}`]) {
				const [first] = (await repository.search({ query, top: 1, ann: false })).hits;
				assert.deepEqual([first?.path, first?.name], ["wide.cc", `operator${sign}`], query);
			}
		}
		const [first] = (await repository.search({ query: "operator%", top: 1, ann: false })).hits;
		assert.deepEqual([first?.path, first?.startLine], ["Money.cs", 2]);
	} finally {
		await remove();
	}
});

test("a member declared with its owner is found at its declaration, however often it is used", async () => {
	const uses = Array.from({ length: 6 }, (_, index) => `\tif (code === Codes.NotFound) return ${index};`);
	const { repository, remove } = await fixtureOf({
		"src/codes.ts": "/** NotFound is one of them. */\nexport enum Codes {\n\tOk,\n\tNotFound,\n}\n",
		"src/use.ts": `export function use(code: Codes): number {\n${uses.join("\n")}\n\treturn 0;\n}\n`,
		"src/failed.rs": "pub enum Failed {\n    /// No room.\n    Full(u8),\n    Closed,\n}\n",
		"src/room.rs": "fn room(f: Failed) -> u8 {\n    match f { Failed::Full(n) => n, Failed::Closed => 0 }\n}\n",
		"src/place.py": 'from enum import Enum\n\n\nclass Place(Enum):\n    query = "query"\n    path = "path"\n',
		"src/other.py": "def path(one):\n    return one.path\n",
		"src/Session.kt": "class Session {\n    // closed() may come twice\n    fun closed(): Int = 1\n}\n",
	});
	try {
		for (const [query, name, line] of [
			["Codes.NotFound", "Codes", 4],
			["Failed::Full", "Failed", 3],
			["Place.path", "Place", 6],
			["Session.closed", "closed", 3],
		] as const) {
			const [first] = (await repository.search({ query, ann: false, context: 0 })).hits;
			assert.equal(first?.name, name, query);
			assert.deepEqual(first.snippet.matched, [line], query);
		}
	} finally {
		await remove();
	}
});

test("a definition ranks before chunks of its file that contain more of the words", async () => {
	const uses = Array.from({ length: 30 }, (_, index) => `def use_${index}(item)\n  item.locate(${index})\nend\n`);
	const { repository, remove } = await fixtureOf({
		...Object.fromEntries(uses.map((text, index) => [`lib/use_${index}.rb`, text])),
		"lib/core.rb": `module Shop
  # Shop::Base.connect, Shop::Base.open, Shop::Base.close: what Shop::Base is for
  def self.role
    Shop::Base.role || Shop::Base.other
  end

  def self.locate(id)
    id
  end
end
`,
	});
	try {
		const [first] = (await repository.search({ query: "Shop::Base.locate", ann: false })).hits;
		assert.equal(first?.name, "locate");
	} finally {
		await remove();
	}
});

test("of definitions in one file the type leads, then what others can use, however often others have the name", async (t) => {
	const { repository, remove } = await fixtureOf({
		"Scope.kt":
			"interface Scope {\n    val a: Int\n\n    val b: String\n}\n\nfun Scope(scope: Int): Scope = makeScope(scope, Scope::class)\n",
		"Json.hs":
			"module Json where\n\n-- | Types that can be read.\n-- Many words are here to make the class long.\nclass Readable a where\n  readIt :: String -> a\n\ninstance (Readable a, Readable b, Readable c) => Readable (a, b, c) where\n  readIt _ = undefined -- Readable Readable\n",
		"Client.java":
			"class Client {\n  private int send(int send) { return send(send); }\n\n  public int send(String text) {\n    int sum = text.length();\n    sum += 1;\n    sum += 2;\n    return sum;\n  }\n}\n",
	});
	t.after(remove);
	const first = async (query: string) => {
		const [hit] = (await repository.search({ query })).hits;
		return `${hit?.path}:${hit?.startLine} ${hit?.kind}`;
	};
	assert.equal(await first("Scope"), "Scope.kt:1 interface");
	assert.equal(await first("Readable"), "Json.hs:3 trait");
	assert.equal(await first("send"), "Client.java:4 method");
	assert.equal(await first("Client.send"), "Client.java:4 method");
});

test("a function is found by its name with its arity", async () => {
	const { repository, remove } = await fixtureOf({
		"lib/sheet.ex": "defmodule Shop.Sheet do\n  def cast(data, params) do\n    {data, params}\n  end\nend\n",
		"lib/shop.ex": 'defmodule Shop do\n  @moduledoc """\n  See `Shop.Sheet.cast/2` and `cast/2`.\n  """\nend\n',
	});
	try {
		for (const query of ["Shop.Sheet.cast/2", "cast/2"]) {
			const [first] = (await repository.search({ query, ann: false })).hits;
			assert.equal(first?.path, "lib/sheet.ex", query);
			assert.equal(first.name, "cast", query);
		}
	} finally {
		await remove();
	}
});

test("a PHP name with its namespace finds the class or method", async () => {
	const { repository, remove } = await fixtureOf({
		"src/Post/Mailer.php":
			"<?php\nnamespace App\\Post;\n\nclass Mailer\n{\n    public function send($to)\n    {\n        return $to;\n    }\n}\n",
		"src/Http/Desk.php":
			"<?php\nnamespace App\\Http;\n\nuse App\\Post\\Mailer;\n\nclass Desk\n{\n    public function run(Mailer $mailer)\n    {\n        return $mailer->send('App\\Post\\Mailer');\n    }\n}\n",
		"src/Post/index.php":
			"<?php\nnamespace App\\Post;\n\n// App Post Mailer, App\\Post\\Mailer\necho App\\Post\\Mailer::class;\n",
	});
	try {
		for (const [query, name] of [
			["App\\Post\\Mailer", "Mailer"],
			["App\\Post\\Mailer::send", "send"],
			["Error: the desk is lost in method App\\Post\\Mailer::send()", "send"],
		] as const) {
			const [first] = (await repository.search({ query, top: 1 })).hits;
			assert.deepEqual([first?.path, first?.name], ["src/Post/Mailer.php", name], query);
		}
	} finally {
		await remove();
	}
});

test("in a namespace for the whole file, a name is found with the namespace and without it", async () => {
	const file = (space: string, type: string): string =>
		`namespace ${space};\n\npublic class ${type}\n{\n    public int Send(int to)\n    {\n        return to;\n    }\n}\n\npublic interface I${type}\n{\n    int Take(int from);\n}\n`;
	const { repository, remove } = await fixtureOf({
		"one/a.cs": file("App.Web", "Mailer"),
		"two/b.cs": file("App.Post", "Mailer"),
		"three/c.cs": file("App.Post", "Desk"),
	});
	try {
		for (const [query, path, qualifiedName] of [
			["App.Web.Mailer", "one/a.cs", "App.Web.Mailer"],
			["App.Post.Mailer", "two/b.cs", "App.Post.Mailer"],
			["App.Web.Mailer.Send", "one/a.cs", "App.Web.Mailer.Send"],
			["App.Post.Mailer.Send", "two/b.cs", "App.Post.Mailer.Send"],
			["Desk.Send", "three/c.cs", "App.Post.Desk.Send"],
			["IDesk.Take", "three/c.cs", "App.Post.IDesk"],
			["App.Post.IDesk.Take", "three/c.cs", "App.Post.IDesk"],
		] as const) {
			const [first] = (await repository.search({ query, top: 1 })).hits;
			assert.deepEqual([first?.path, first?.qualifiedName], [path, qualifiedName], query);
		}
	} finally {
		await remove();
	}
});
