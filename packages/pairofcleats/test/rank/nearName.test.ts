import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Fixture, fixtureOf } from "../filter/fixtureRepository.ts";

const FILES = {
	"src/token.rb": "class Forgery\n  def verify_authenticity_token\n    true\n  end\nend\n",
	"src/verifier.rb": "class Verifier\n  def verify_token(token)\n    token.verify\n  end\nend\n",
	"src/receive.ts": "export function receive(channel: Channel) {\n\treturn channel.next();\n}\n",
	"src/channel.ts": "export class Channel {\n\topenSession() {}\n}\n",
};

let fixture: Fixture;
before(async () => {
	fixture = await fixtureOf(FILES);
});
after(() => fixture.remove());

test("an identifier that nothing has leads to the one it was likely meant for, and a warning says so", async () => {
	for (const [query, name] of [
		["verify_authenticty_token", "verify_authenticity_token"],
		["verifyAuthenticityTokne", "verify_authenticity_token"],
		["recieve", "receive"],
		["Channel.openSesion()", "openSession"],
	] as const) {
		const { hits, warnings } = await fixture.repository.search({ query, ann: false });
		assert.equal(hits[0]?.name, name, query);
		assert.equal(warnings[0]?.code, "unknown_word");
		assert.ok(warnings[0]?.message.endsWith(`; ${JSON.stringify(name)} is shown`), warnings[0]?.message);
	}
});

test("what is there, is short or is another word altogether is looked for as it is written", async () => {
	for (const query of ["verify_authenticity_token", "token", "verify", "opn", "closeSession", "receive channels"]) {
		assert.deepEqual((await fixture.repository.search({ query, ann: false })).warnings, [], query);
	}
});
