import assert from "node:assert/strict";
import { test } from "node:test";
import { listFormNames } from "../../src/parse/extract/facts/readImport.ts";
import { named, parsed, symbols } from "./soundFile.ts";

test("the functions, classes, signals and variables of GDScript are known, with what they call and load", async () => {
	const file = await parsed(
		"player.gd",
		`class_name Player
extends CharacterBody2D

signal health_changed(old, new)
enum State { IDLE, RUN }
const SPEED := 200.0
@export var health: int = 10: set = set_health
var parts: Dictionary[String, Node] = {}
var _scene = preload("res://a.tscn")

func _init(a):
	pass

## Moves it.
static func move(delta: float, by = 2) -> void:
	if Input.is_action_pressed("x"):
		velocity.x = SPEED
		tween(self, ^"modulate:a")
	for i in range(3):
		print(i)

class Inner extends Node:
	var size = 1
	func go():
		await get_tree().process_frame
`,
	);
	assert.deepEqual(named(file), [
		"5-5 enum State",
		"11-12 constructor _init",
		"14-20 function move",
		"22-25 class Inner",
		"24-25 method Inner.go",
	]);
	assert.deepEqual(symbols(file), [
		"1 class Player",
		"4 variable health_changed",
		"5 property IDLE",
		"5 property RUN",
		"6 constant SPEED",
		"7 variable health",
		"8 variable parts",
		"9 variable _scene",
		"23 property size",
	]);
	assert.deepEqual(file.imports, ["res://a.tscn"]);
	const facts = new Map(file.chunks.map((chunk) => [chunk.name, chunk.facts]));
	const move = facts.get("move");
	assert.equal(move?.signature, "static func move(delta: float, by = 2) -> void");
	assert.deepEqual([move?.docstring, move?.returnType, move?.branches, move?.loops], ["Moves it.", "void", 1, 1]);
	assert.deepEqual(move?.params, ["delta", "by"]);
	assert.deepEqual(move?.calls, ["is_action_pressed", "tween", "range", "print"]);
	assert.deepEqual(move?.mutates, ["velocity.x"]);
	assert.deepEqual(facts.get("Inner")?.extends, ["Node"]);
	assert.equal(facts.get("go")?.async, true);
});

test("Clojure definitions are found by their whole names", async () => {
	const file = await parsed(
		"core.clj",
		`(ns my.app.core
  (:require [clojure.string :as str]))

(def limit 3)
(defonce ^:private state (atom {}))

;; Helps.
(defn- help-me!
  [x y]
  (if x (str/join "," y) (swap! state assoc :a 1)))

(defmacro unless [c & body] \`(if (not ~c) (do ~@body)))
(defprotocol Store (get-it [this k]))
(defrecord MemStore [m] Store (get-it [_ k] (m k)))
(defmulti area :shape)
(defmethod area :circle [s] 1)
(deftest works? (is (= 1 1)))
(println "define nothing")
`,
	);
	assert.deepEqual(named(file), [
		"7-10 function help-me!",
		"12-12 macro unless",
		"13-13 interface Store",
		"14-14 struct MemStore",
		"15-15 function area",
		"16-16 method area",
		"17-17 test works?",
	]);
	assert.deepEqual(symbols(file), ["1 module my.app.core", "4 constant limit", "5 variable state"]);
	const help = file.chunks.find(({ name }) => name === "help-me!")?.facts;
	assert.deepEqual([help?.signature, help?.docstring, help?.branches], ["(defn- help-me! [x y]", "Helps.", 1]);
	assert.deepEqual(help?.calls, ["if", "join", "swap!"]);
});

test("the imports of a Clojure namespace and the parameters of its functions are found", async () => {
	const file = await parsed(
		"core.cljc",
		`(ns my.app.core
  (:refer-clojure :exclude [get])
  (:require [clojure.string :as str :refer [join]] ; not [this.one]
            clojure.set
            [app [routes :as r] views]
            #?(:clj [only.jvm :as j] :cljs [only.js])
            ["react" :as react])
  (:import (java.util Date List) java.io.File))
(require '[late.one :as l])

(defn render "Shows it." [^String title {:keys [width height] :or {width 2}} & _ more]
  (let [size 1] size))
(defn many ([a] (many a 1)) ([a b] b))
(defrecord Point [x y])
(deftest works (let [no 1] (is (= 1 no))))
`,
	);
	assert.deepEqual(file.imports, [
		"clojure.string",
		"clojure.set",
		"app.routes",
		"app.views",
		"only.jvm",
		"only.js",
		"react",
		"java.util.Date",
		"java.util.List",
		"java.io.File",
		"late.one",
	]);
	assert.deepEqual(
		file.chunks.flatMap(({ name, facts }) => (facts?.params ? [[name, ...facts.params]] : [])),
		[
			["render", "title", "width", "height", "more"],
			["many", "a", "b"],
			["Point", "x", "y"],
		],
	);
});

test("a Nix function can have a trailing comma, and an imported file is listed once, whatever arguments it gets", async () => {
	const file = await parsed(
		"default.nix",
		`{ pkgs, ... }:
let
  both = { a, b ? 2, }: a + b;
  named = args@{ a, b, # the last
    ################################################################
    }: a;
  after = { a, b, }@args: a;
in { x = import ./foo.nix { inherit pkgs; }; }
`,
	);
	assert.deepEqual(
		file.chunks.flatMap(({ name, facts }) => (facts?.params ? [[name, ...facts.params]] : [])),
		["both", "named", "after"].map((name) => [name, "a", "b"]),
	);
	assert.deepEqual(file.imports, ["./foo.nix"]);
});

test("rulers in Nix comments and nested Clojure forms are parsed in linear time", async () => {
	const ruled = await parsed("ruled.nix", `{ a, ${"#".repeat(200)}\n  b }: a\n`);
	assert.deepEqual(ruled.chunks.length, 1);
	assert.deepEqual(listFormNames(`(:require ${"[".repeat(15_000)}a.b`), ["a.b"]);
});

test("an Elm function includes its type annotation, and a type has its variants", async () => {
	const file = await parsed(
		"Article.elm",
		`module Page.Article exposing (Model, init)

import Json.Decode as Decode


{-| What is shown. -}
type alias Model =
    { name : String }


type Msg
    = Clicked
    | Got (Result Http.Error String)


init : Int -> Model
init n =
    case n of
        0 ->
            { name = "a" }

        _ ->
            Decode.decode (bar n)


limit =
    3
`,
	);
	assert.deepEqual(named(file), ["6-8 type Model", "11-13 type Msg", "16-23 function init", "26-27 function limit"]);
	assert.deepEqual(symbols(file), ["1 module Article", "8 property name", "12 property Clicked", "13 property Got"]);
	assert.deepEqual(file.imports, ["Json.Decode"]);
	const facts = new Map(file.chunks.map((chunk) => [chunk.name, chunk.facts]));
	assert.equal(facts.get("Model")?.docstring, "What is shown.");
	assert.equal(facts.get("init")?.signature, "init : Int -> Model");
	for (const name of ["Decode.decode", "bar"]) assert.ok(facts.get("init")?.calls?.includes(name), name);
	assert.equal(facts.get("init")?.branches, 2);
});

test("functions, types and constants of Gleam are found with their visibility", async () => {
	const file = await parsed(
		"user.gleam",
		`import gleam/list.{map}

/// Who it is.
pub type User {
  User(name: String)
  Guest
}

pub const limit = 3

@external(erlang, "a", "b")
pub fn ext(x: Int) -> Int

fn add(a: Int, with b: Int) -> Int {
  case a {
    1 -> list.map([a], fn(x) { x })
    _ -> b
  }
}

pub fn add_test() {
  assert add(1, with: 2) == 3
}
`,
	);
	assert.deepEqual(named(file), [
		"3-7 type User",
		"11-12 function ext",
		"14-19 function add",
		"21-23 function add_test",
	]);
	assert.deepEqual(symbols(file), ["5 property User", "6 property Guest", "9 constant limit"]);
	assert.deepEqual(file.imports, ["gleam/list"]);
	const facts = new Map(file.chunks.map((chunk) => [chunk.name, chunk.facts]));
	assert.deepEqual([facts.get("User")?.docstring, facts.get("User")?.signature], ["Who it is.", "pub type User"]);
	assert.deepEqual(facts.get("ext")?.decorators, ['external(erlang, "a", "b")']);
	const add = facts.get("add");
	assert.deepEqual([add?.visibility, add?.exported, add?.returnType, add?.branches], ["private", false, "Int", 2]);
	assert.deepEqual(add?.params, ["a", "b"]);
	assert.deepEqual(facts.get("add_test")?.calls, ["add"]);
});

test("Nix bindings are named by their path, and functions have their parameters", async () => {
	const file = await parsed(
		"default.nix",
		`{ lib, stdenv }:
let
  # Makes one.
  make =
    { name, size ? 1 }:
    if size > 1 then builtins.toString name else name;
in
stdenv.mkDerivation {
  pname = "hello";
  services.nginx.enable = true;
  other = import ./other.nix { };
}
`,
	);
	assert.deepEqual(named(file), ["3-6 function make"]);
	assert.deepEqual(symbols(file), ["9 variable pname", "10 variable services.nginx.enable", "11 variable other"]);
	assert.deepEqual(file.imports, ["./other.nix"]);
	const make = file.chunks.find(({ name }) => name === "make")?.facts;
	assert.deepEqual([make?.docstring, make?.branches], ["Makes one.", 1]);
	assert.deepEqual([make?.params, make?.calls], [["name", "size"], ["builtins.toString"]]);
});

test("a small definition neither uses its own name nor calls the word that defines it", async () => {
	const clojure = await parsed("a.clj", "(ns app.core)\n(def limit 3)\n(defonce state (atom limit))\n");
	assert.deepEqual(clojure.chunks[0]?.facts?.calls, ["atom"]);
	assert.deepEqual(clojure.chunks[0]?.facts?.uses, ["ns", "def", "defonce", "atom", "limit"]);
	const elixir = await parsed(
		"a.ex",
		"defmodule A do\n  defmacro __using__(_) do\n    quote do\n      def inside(z), do: z\n    end\n  end\nend\n",
	);
	assert.deepEqual(elixir.chunks[1]?.facts?.calls, ["quote"]);
});
