import assert from "node:assert/strict";
import { test } from "node:test";
import { splitMarked } from "../../src/console/page/parts/text.ts";

const marked = (text: string, query: string) => splitMarked(text, query).filter((_, place) => place % 2 === 1);

test("words of a query are marked where a word or a part of a name begins, and small words only by themselves", () => {
	const query = "where is the hash table rehash decided";
	assert.deepEqual(marked("this is the hash, see HashTable, hash_table, rehashing and unhashed", query), [
		"hash",
		"Hash",
		"Table",
		"hash",
		"table",
		"rehash",
	]);
	assert.deepEqual(marked("this is it", "is"), ["is"]);
	assert.deepEqual(marked("nothing", ""), []);
	assert.deepEqual(marked("class XMLParser extends HTTPParser, no XMLPARSER", "xml parser"), ["Parser", "Parser"]);
	assert.equal(splitMarked("see HashTable", query).join(""), "see HashTable");
});
