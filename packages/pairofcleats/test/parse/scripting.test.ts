import assert from "node:assert/strict";
import { test } from "node:test";
import { detectLanguage } from "../../src/parse/detectLanguage.ts";
import { named, parsed, symbols } from "./soundFile.ts";

test("functions, classes with their members and enums of PowerShell are found, with their calls", async () => {
	const file = await parsed(
		"a.ps1",
		`Import-Module Pester
# Finds one.
function Get-Animal($Name, [int]$Count = 3) {
    if ($Count -gt 1) { Write-Host $Name }
    return $Name
}

class Animal : Base {
    [string]$Name
    Animal([string]$name) {
        $this.Name = $name
    }
    [string] Speak() {
        return "…"
    }
}

enum Color {
    Red
    Green
}

filter Even {
    $_
}
`,
	);
	assert.deepEqual(named(file), [
		"2-6 function Get-Animal",
		"8-16 class Animal",
		"10-12 method Animal.Animal",
		"13-15 method Animal.Speak",
		"18-21 enum Color",
		"23-25 function Even",
	]);
	assert.deepEqual(symbols(file), ["9 property Name", "19 property Red", "20 property Green"]);
	assert.deepEqual(file.imports, ["Pester"]);
	const [get, animal] = file.chunks.filter(({ name }) => name !== "").map(({ facts }) => facts);
	assert.equal(get?.signature, "function Get-Animal($Name, [int]$Count = 3)");
	assert.equal(get?.docstring, "Finds one.");
	assert.deepEqual(get?.params, ["Name", "Count"]);
	assert.deepEqual(get?.calls, ["Write-Host"]);
	assert.deepEqual([get?.branches, get?.returns], [1, true]);
	assert.equal(animal?.signature, "class Animal : Base");
});

test("a PowerShell class extends what is named after its colon", async () => {
	const { chunks } = await parsed(
		"a.ps1",
		`class Animal : Base, IDisposable {
    [string]$Name
    [string] Speak() {
        return "…"
    }
}
class Plain {
    [int] Go() {
        return 1
    }
}
class Empty : Base {
}
`,
	);
	assert.deepEqual(
		chunks.map(({ name, facts }) => [name, facts?.extends]),
		[
			["Animal", ["Base", "IDisposable"]],
			["Speak", []],
			["Plain", []],
			["Go", []],
			["Empty", ["Base"]],
		],
	);
});

test("the subs, packages, constants and globals of Perl are found, with their calls", async () => {
	const file = await parsed(
		"Store.pm",
		`package Data::Store;
use strict;
use List::Util qw(first);
use constant LIMIT => 3;
our $VERSION = "1.0"; use constant { SIZES => { big => 3 }, DEBUG => LIMIT, };

# Makes one.
sub new {
  my ($class, %args) = @_;
  return bless {}, $class;
}

sub _load {
  my $self = shift;
  $self->check(1);
  List::Util::first(2);
  die "none" if LIMIT > 2;
}
1;
`,
	);
	assert.deepEqual(named(file), [
		...["1-19 module Data.Store", "7-11 function Data.Store.new", "13-18 function Data.Store._load"],
	]);
	assert.deepEqual(symbols(file), ["4 constant LIMIT", "5 variable VERSION", "5 constant SIZES", "5 constant DEBUG"]);
	assert.deepEqual(file.imports, ["strict", "List::Util"]);
	const [made, load] = file.chunks.filter(({ kind }) => kind === "function").map(({ facts }) => facts);
	assert.deepEqual([made?.docstring, made?.visibility, made?.returns], ["Makes one.", "public", true]);
	assert.equal(load?.visibility, "protected");
	for (const name of ["self.check", "first", "die"]) assert.ok(load?.calls?.includes(name), name);
});

test("a Perl package imports the packages that it takes as parents", async () => {
	const { imports } = await parsed(
		"Dog.pm",
		`package Dog;
use parent -norequire, 'Pet';
use parent qw(Animal::Base  Named);
use base "Old::Base";
use base qw/Older Oldest/;
use strict;
1;
`,
	);
	assert.deepEqual(imports, ["Pet", "Animal::Base", "Named", "Old::Base", "Older", "Oldest", "strict"]);
});

test("a Perl package goes on to the next one, or to the end of its block, and names its ancestors anywhere", async () => {
	const file = await parsed(
		"Dog.pm",
		`package My::Dog;
use parent -norequire, 'Pet', 'Named';
sub bark { 1 }
package My::Cat;
our @ISA = ('Pet', "My::Base");
sub purr {
  my @list = ('None');
}
package My::Fox {
  use base 'Wild';
  sub yip { 2 }
}
1;
`,
	);
	assert.deepEqual(named(file), [
		...["1-3 module My.Dog", "3-3 function My.Dog.bark", "4-8 module My.Cat", "6-8 function My.Cat.purr"],
		...["9-12 module My.Fox", "11-11 function My.Fox.yip"],
	]);
	assert.deepEqual(
		file.chunks.filter(({ kind }) => kind === "module").map(({ facts }) => facts?.extends),
		[["Pet", "Named"], ["Pet", "My::Base"], ["Wild"]],
	);
});

test("the text of a here-document and the prototype of a sub hide no other sub of Perl", async () => {
	const file = await parsed(
		"gen.pl",
		`print <<HEAD
/* it's { "not" Perl
HEAD
  ;
sub largest($$) {
  my ($a, $b) = @_;
  print <<"EOT";
sub none {
EOT
  return $a;
}

sub last_one {
  return 1 << 2;
}
`,
	);
	assert.deepEqual(named(file), ["5-11 function largest", "13-15 function last_one"]);
});

test("R classes contain their functions, generics and methods have their names, and named function arguments are not definitions", async () => {
	const file = await parsed(
		"a.r",
		`Person <- R6::R6Class("Person",
  public = list(
    name = NULL,
    initialize = function(name) {
      self$name <- name
    },
    greet = function() {
      lapply(self$friends, FUN = function(friend) friend$name)
    }
  ),
  private = list(friends = list(close = 1), count = 0L)
)

setClass("Point", representation(x = "numeric"))
setGeneric("area", function(shape) standardGeneric("area"))
setMethod("area", "Point", function(shape) {
  shape@x
})

total <- sapply(rows, FUN = function(row) {
  row
})
`,
	);
	assert.deepEqual(named(file), [
		"1-12 class Person",
		"4-6 constructor Person.initialize",
		"7-9 method Person.greet",
		"14-14 class Point",
		"15-15 function area",
		"16-18 method area",
	]);
	assert.deepEqual(symbols(file), ["3 property name", "11 property friends", "11 property count"]);
});

test("a class created by a Ruby call is found with its members and their visibility", async () => {
	const file = await parsed(
		"a.rb",
		`module Shapes
  Point = Struct.new(:x, :y) do
    def norm
      x + y
    end

    private

    def secret
      2
    end
  end

  Coord = Data.define(:lat)
  Missing = Class.new(StandardError)
  LIMIT = 3
end
`,
	);
	assert.deepEqual(named(file), [
		"1-17 module Shapes",
		"2-12 class Shapes.Point",
		"3-5 method Shapes.Point.norm",
		"9-11 method Shapes.Point.secret",
	]);
	assert.deepEqual(symbols(file), [
		"2 property x",
		"2 property y",
		"14 class Coord",
		"14 property lat",
		"15 class Missing",
		"16 constant LIMIT",
	]);
	assert.equal(file.chunks.find(({ name }) => name === "secret")?.facts?.visibility, "private");
});

test("an Elixir operator is named by its symbol, and a module attribute is a constant", async () => {
	const file = await parsed(
		"a.ex",
		`defmodule Path do
  @moduledoc "Paths."
  @behaviour Access
  @timeout 5_000
  @type t :: String.t()
  Record.defrecord(:user, name: "")

  def left <> right do
    Enum.map(left, &join(&1, right, @timeout))
  end

  def a and b, do: [a, b]

  def plain(x) when x > 1 do
    x
  end
end
`,
	);
	assert.deepEqual(named(file), [
		"1-17 module Path",
		"6-6 struct Path.user",
		"8-10 function Path.<>",
		"12-12 function Path.and",
		"14-16 function Path.plain",
	]);
	assert.deepEqual(symbols(file), ["4 constant timeout", "5 type t"]);
});

test("neither attributes, fields nor the heads of inner functions are calls in Elixir", async () => {
	const file = await parsed(
		"a.ex",
		`defmodule Shop do
  @limit 10
  @type t :: integer

  def open(user) do
    user.profile.id
    Repo.all
    :lists.reverse
    __MODULE__.go
    user.run(@limit)
  end
end

defimpl Sized, for: Shop do
  def size(shop), do: count(shop.items)
end
`,
	);
	const facts = file.chunks.map(({ name, facts }) => [name, facts?.calls]);
	assert.deepEqual(facts, [
		["Shop", []],
		["open", ["all", "Repo.all", "reverse", "go", "__MODULE__.go", "run", "user.run"]],
		["Sized", ["count"]],
	]);
	const uses = file.chunks[1]?.facts?.uses;
	for (const name of ["profile", "id", "limit"]) assert.ok(uses?.includes(name), name);
});

test("variables assigned at the top level of a PHP script are found, and an assigned function is a function", async () => {
	const file = await parsed(
		"a.php",
		`<?php
$app = new App();
$app->debug = true;
$twice = function ($n) {
    return $n * 2;
};
function run() {
    $local = 1;
}
`,
	);
	assert.deepEqual(named(file), ["4-6 function twice", "7-9 function run"]);
	assert.deepEqual(symbols(file), ["2 variable app"]);
});

test("a command is called by its whole name, without the folders before it", async () => {
	const file = await parsed("a.sh", 'up() {\n  apt-get update\n  /usr/bin/env-x a\n  ./run.sh\n  "$cmd" b\n}\n');
	assert.deepEqual(file.chunks[0]?.facts?.calls, ["apt-get", "env-x", "run.sh"]);
});

test("a lock file does not have the language of its manifest", () => {
	const names = ["Gemfile", "Gemfile.lock", "Pipfile", "Pipfile.lock", "Dockerfile.dev"];
	assert.deepEqual(
		names.map((name) => detectLanguage(name, "").id),
		["ruby", "plain", "toml", "plain", "dockerfile"],
	);
});

test("a method of Ruby that is made private by its name is not exported", async () => {
	const file = await parsed(
		"a.rb",
		`class Store
  def open
    1
  end
  private :open
  protected :close, :flush
  def close
    2
  end
  def flush
    3
  end
  def self.build
    4
  end
  private_class_method :build
  def read
    5
  end
end
`,
	);
	assert.deepEqual(
		file.chunks
			.filter(({ kind }) => kind === "method")
			.map(({ name, facts }) => [name, facts?.visibility, facts?.exported]),
		[
			["open", "private", false],
			["close", "protected", false],
			["flush", "protected", false],
			["build", "private", false],
			["read", "public", true],
		],
	);
});

test("the members of a PHP namespace in braces are qualified with dots throughout", async () => {
	const { chunks } = await parsed("a.php", "<?php\nnamespace App\\Mail {\n    class Sender\n    {\n    }\n}\n");
	assert.deepEqual(
		chunks.filter(({ kind }) => kind === "class").map(({ qualifiedName }) => qualifiedName),
		["App.Mail.Sender"],
	);
});

test("a method that a Ruby call defines has the call's block as its lines", async () => {
	const file = await parsed(
		"desk.rb",
		`class Desk
  define_method(:open) do |name, mode = 1|
    run(name)
  end

  private

  define_method("close") { |name| stop(name) }

  define_method :alias_of, instance_method(:open)

  %w[a b].each { |one| define_method("get_#{one}") { one } }
end
`,
	);
	const facts = new Map(file.chunks.map((chunk) => [chunk.qualifiedName, chunk.facts]));
	assert.deepEqual(facts.get("Desk.open")?.params, ["name", "mode"]);
	assert.deepEqual(facts.get("Desk.open")?.calls, ["run"]);
	assert.deepEqual([facts.get("Desk.open")?.visibility, facts.get("Desk.close")?.visibility], ["public", "private"]);
	assert.deepEqual(symbols(file), []);
	const alias = file.chunks.find(({ qualifiedName }) => qualifiedName === "Desk.alias_of");
	assert.deepEqual([alias?.kind, alias?.startLine, alias?.endLine], ["method", 10, 10]);
});

test("Ruby's raise and private are called without arguments, not read", async () => {
	const { chunks } = await parsed(
		"desk.rb",
		"class Desk\n  private\n\n  def run\n    work\n  rescue StandardError\n    raise\n  end\nend\n",
	);
	const method = chunks.find(({ name }) => name === "run")?.facts;
	assert.deepEqual(method?.calls, ["raise"]);
	assert.deepEqual(method?.reads, ["work"]);
	assert.deepEqual(
		chunks.filter(({ name }) => name !== "run").flatMap(({ facts }) => facts?.reads ?? []),
		[],
	);
});

test("a namespace for the whole file owns what follows it, as one in braces does", async () => {
	const members = "class Desk\n{\n    public function open()\n    {\n        return 1;\n    }\n}\n";
	const php = await parsed("a.php", `<?php\nnamespace App\\Web;\n\n${members}\nnamespace App\\Post;\n\n${members}`);
	assert.deepEqual(named(php), [
		"4-10 class App.Web.Desk",
		"6-9 method App.Web.Desk.open",
		"14-20 class App.Post.Desk",
		"16-19 method App.Post.Desk.open",
	]);
	const csharp = await parsed(
		"a.cs",
		"using System;\n\nnamespace App.Web;\n\ninterface IDesk\n{\n    void Open();\n}\n",
	);
	assert.deepEqual(named(csharp), ["5-8 interface App.Web.IDesk"]);
	assert.equal(csharp.chunks.at(-1)?.symbols?.[0]?.callable?.owner, "App.Web.IDesk");
});

test("PHP's define declares a constant by the text of its name", async () => {
	const file = await parsed(
		"config.php",
		"<?php\ndefine('DB_NAME', 'shop');\ndefine(\"DEBUG\", true);\ndefine($name, 1);\n",
	);
	assert.deepEqual(symbols(file), ["2 constant DB_NAME", "3 constant DEBUG"]);
});

test("the line that names the interpreter is not the documentation of a function", async () => {
	const bare = await parsed("a.sh", "#!/usr/bin/env bash\nrun() {\n  echo 1\n}\n");
	assert.deepEqual([bare.chunks[0]?.name, bare.chunks[0]?.facts?.docstring], ["run", undefined]);
	const told = await parsed("a.sh", "#!/usr/bin/env bash\n# Runs it.\nrun() {\n  echo 1\n}\n");
	assert.equal(told.chunks[0]?.facts?.docstring, "Runs it.");
});

test("a Ruby class or module extends what it includes, extends itself with or prepends", async () => {
	const { chunks } = await parsed(
		"a.rb",
		`class Store < Base
  include Enumerable, Acme::Comparable
  extend(Forwardable)
  prepend Logging
  include Module.new { def x; end }
  extend self
  config.include Other
  def load
    extend Loaded
  end
  class << self
    include Hidden
  end
end
module Kept
  extend ActiveSupport::Concern
end
`,
	);
	const extended = (name: string) => chunks.find((one) => one.qualifiedName === name)?.facts?.extends;
	assert.deepEqual(extended("Store"), ["Base", "Enumerable", "Acme::Comparable", "Forwardable", "Logging"]);
	assert.deepEqual(extended("Kept"), ["ActiveSupport::Concern"]);
	assert.ok(chunks[0]?.facts?.calls?.includes("include"));
	assert.ok(chunks[0]?.facts?.uses?.includes("Enumerable"));
});

test("every constant of a Ruby assignment is found and written, and no variable is a constant", async () => {
	const file = await parsed(
		"a.rb",
		`module Store
  A, B = 1, 2
  C, (D, *E) = load
  LIMIT ||= 3
  left, RIGHT = Other::NAME, 4
end
`,
	);
	assert.deepEqual(symbols(file), [
		...["2 constant A", "2 constant B", "3 constant C", "3 constant D", "3 constant E"],
		...["4 constant LIMIT", "5 constant RIGHT"],
	]);
	assert.deepEqual(file.chunks[0]?.facts?.writes, ["A", "B", "C", "D", "E", "LIMIT", "left", "RIGHT"]);
});

test("a command of Bash writes the variables that it is given to fill", async () => {
	const { chunks } = await parsed(
		"a.sh",
		`load() {
  read -r a b <<< "$1"
  read -rp "Name? " c
  while IFS=, read -d ";" -ra list "$d"; do :; done
  mapfile -t lines -n 3
  readarray -d x more
  printf -v out '%s' one
  printf '%s' two
  getopts "ab:" opt rest
  echo three
}
`,
	);
	assert.deepEqual(chunks[0]?.facts?.writes, ["a", "b", "c", "list", "IFS", "lines", "more", "out", "opt"]);
});

test("what adds to a variable of Bash does not declare it once more", async () => {
	const file = await parsed("a.sh", "LIST=(one)\nLIST+=(two)\nexport NAME=x\n");
	assert.deepEqual(symbols(file), ["1 variable LIST", "3 variable NAME"]);
	assert.deepEqual(file.chunks[0]?.facts?.writes, ["LIST", "NAME"]);
});
