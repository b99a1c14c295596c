import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { lazySchemas } from "../scripts/lazySchemas.ts";

const MANY = Array.from({ length: 25 }, (_, at) => at);
const plenty = (suffix: string): string => MANY.map((at) => `var Filler${at}Schema${suffix}=make("filler");`).join("");

/** A script as bundlers write them: schemas at its top, and a function that makes those of one revision. */
const SCRIPT = `
	${plenty("")}
	var BaseSchema=make("base");
	var ItemSchema=make("item",BaseSchema);
	var AliasSchema=ItemSchema;
	var KEYS=new Set(Object.keys(ItemSchema.parts));
	var check=(value)=>ItemSchema.accepts(value);
	var Keeper=class{own=ItemSchema;ItemSchema(){return"method"}};
	var ChangedSchema=make("changed");ChangedSchema=make("changed again");
	var table={};
	function build(){
		${plenty("$1")}
		var ItemSchema$1=make("item of the revision",BaseSchema);
		var loud=(ItemSchema2)=>ItemSchema2;
		return{ItemSchema:ItemSchema$1,Filler0Schema$1,UnionSchema:make("union",ItemSchema$1),loud};
	}
	var memo;
	function schemas(){return memo??=build()}
	var maps;
	function registry(){const s=schemas();return maps=maps??{requests:{"items/get":s.ItemSchema,count:1}},maps}
	var exported={ItemSchema:()=>ItemSchema};
`;

test("schemas are made when they are first asked for, once, and are the same wherever they are met", () => {
	const made: string[] = [];
	const make = (name: string, base?: unknown): unknown => {
		made.push(name);
		return { name, base, parts: { one: 1 }, accepts: (value: unknown) => value === name };
	};
	const read = (expression: string): unknown => runInNewContext(expression, context);
	const context = { make };
	runInNewContext(lazySchemas(SCRIPT), context);
	// What is assigned to again is left as it was.
	assert.deepEqual(made.splice(0), ["changed", "changed again"]);
	assert.equal(read('check("item")'), true);
	assert.deepEqual(made.splice(0), ["base", "item"]);
	assert.equal(read("new Keeper().own===exported.ItemSchema()"), true);
	assert.equal(read("new Keeper().ItemSchema()"), "method");
	assert.equal(read('registry().requests["items/get"].name'), "item of the revision");
	assert.deepEqual(made.splice(0), ["item of the revision"]);
	assert.equal(read('registry().requests["items/get"]===schemas().ItemSchema'), true);
	assert.equal(read("schemas().UnionSchema===schemas().UnionSchema"), true);
	assert.deepEqual(made.splice(0), ["union"]);
	assert.equal(read('schemas().loud("as it came")+registry().requests.count'), "as it came1");
	assert.equal(read('"Filler0Schema$1" in schemas()'), true);
	assert.deepEqual(made, []);
});

test("a script without the schemas that are looked for is refused", () => {
	assert.throws(() => lazySchemas("var OneSchema=make();"), /schemas: expected those of the SDK/);
});
