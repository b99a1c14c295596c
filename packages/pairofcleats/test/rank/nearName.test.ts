import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

const FILES = {
	"src/token.rb": "class Forgery\n  def verify_authenticity_token\n    true\n  end\nend\n",
	"src/verifier.rb": "class Verifier\n  def verify_token(token)\n    token.verify\n  end\nend\n",
	"src/receive.ts": "export function receive(channel: Channel) {\n\treturn channel.next();\n}\n",
	"src/emptyPlace.ts": "export const one = 1;\n",
	"src/hidden.py": "def _hold_fast():\n    return 1\n",
	"docs/page.md": "# `.openSesio`\n\nHow to open it.\n",
	"src/channel.ts": "export class Channel {\n\topenSession() {}\n}\n",
};

let fixture: Fixture;
before(async () => {
	fixture = await fixtureOf(FILES);
});
after(() => fixture.remove());

test("an unknown identifier finds the one that was probably meant, with a warning", async () => {
	for (const [query, name] of [
		["verify_authenticty_token", "verify_authenticity_token"],
		["verifyAuthenticityTokne", "verify_authenticity_token"],
		["recieve", "receive"],
		["holdFats", "_hold_fast"],
		["Channel.openSesion()", "openSession"],
	] as const) {
		const { hits, warnings } = await fixture.repository.search({ query, ann: false });
		assert.equal(hits[0]?.name, name, query);
		assert.equal(warnings[0]?.code, "unknown_word");
		assert.ok(warnings[0]?.message.endsWith(`; ${JSON.stringify(name)} is shown`), warnings[0]?.message);
	}
});

test("existing, short and unrelated words are searched as written", async () => {
	for (const query of ["verify_authenticity_token", "token", "verify", "opn", "receive channels", "zzz"]) {
		assert.deepEqual((await fixture.repository.search({ query, ann: false })).warnings, [], query);
	}
});

test("a warning reports an unknown identifier and lists the names with its words", async () => {
	const told = async (query: string): Promise<string[]> =>
		(await fixture.repository.search({ query, ann: false })).warnings.map(({ message }) => message);
	const looked = (name: string, ...near: string[]): string[] => [
		`nothing searched has "${name}"; its words are looked for${near.length > 0 ? `, as in ${near.map((one) => `"${one}"`).join(", ")}` : ""}`,
	];
	assert.deepEqual(await told("closeSession"), looked("closeSession", "openSession"));
	assert.deepEqual(await told("Channel#closeSession"), looked("closeSession", "openSession"));
	assert.deepEqual(await told("verify_widget"), looked("verify_widget", "verify_token", "verify_authenticity_token"));
	assert.deepEqual(
		await told("--frobnicate-token"),
		looked("frobnicate-token", "verify_token", "verify_authenticity_token"),
	);
	assert.deepEqual(await told("frobnicateNext"), looked("frobnicateNext"));
});

test("an identifier that was edited away is unknown", async () => {
	const changing = await fixtureOf({ "a.ts": "export function alphaOne() {}\n", "b.ts": "export function one() {}\n" });
	writeFileSync(join(changing.root, "a.ts"), "export function betaTwo() {}\n");
	await changing.repository.updateIndex();
	const { warnings } = await changing.repository.search({ query: "alphaOne", ann: false });
	assert.deepEqual(
		warnings.map(({ message }) => message),
		['nothing searched has "alphaOne"; its words are looked for, as in "one"'],
	);
	await changing.remove();
});

test("a question is not an identifier, and a name that exists in another case, as a path or as a use is not unknown", async () => {
	for (const query of [
		"where is closeSession called twice",
		"how does frobnicateWidget open a session",
		"Channel.next",
		"OPEN_SESSION",
		"open-session",
		"emptyPlace",
		`verify${"VeryLong".repeat(10)}Token`,
	])
		assert.deepEqual((await fixture.repository.search({ query, ann: false })).warnings, [], query);
});

test("a heading is never suggested as the name that was meant", async () => {
	const { hits, warnings } = await fixture.repository.search({ query: "openSesion", ann: false });
	assert.match(warnings[0]?.message ?? "", /; "openSession" is shown$/);
	assert.equal(hits[0]?.path, "src/channel.ts");
});
