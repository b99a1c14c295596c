import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../e2e/until.ts";
import { verifies } from "../../../../e2e/verifies.ts";
import { createLineMasker } from "../../src/upstream/secrets/maskSecrets.ts";
import type { StdioSpec } from "../../src/upstream/spec.ts";
import { openTransport } from "../../src/upstream/transport.ts";

const SECRET = "tr0ub4dor&3-horse-battery";
const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7
VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDu
kx==
-----END PRIVATE KEY-----`;

function specOf(args: readonly string[] = []): StdioSpec {
	const env = { API_TOKEN: SECRET, SIGNING_KEY: KEY };
	return { kind: "stdio", name: "p", namespace: "p", protocol: "legacy", command: process.execPath, args, env };
}

function masked(...lines: readonly string[]): string[] {
	return lines.map(createLineMasker(specOf()));
}

test("a secret that a process prints in pieces, or encoded, is masked where it comes in", {
	timeout: 60_000,
}, async (t) => {
	const script = `const s = process.env.API_TOKEN;
		const wait = () => new Promise((resolve) => setTimeout(resolve, 50));
		process.stderr.write("one write: " + s.slice(0, 9));
		await wait();
		process.stderr.write(s.slice(9) + "\\ntwo lines: " + s.slice(0, 9) + "\\n");
		await wait();
		process.stderr.write(s.slice(9) + " it was\\nbasic: " + btoa("user:" + s) + "\\n" + "x".repeat(1990) + s + "y".repeat(50) + "\\n");
		process.stderr.write("end\\n");
		process.stdin.resume();`;
	const lines: string[] = [];
	const events = { onStderr: (line: string) => lines.push(line), onFatal: () => {} };
	const { transport } = await openTransport(specOf(["--input-type=module", "-e", script]), events);
	t.after(() => transport.close());
	await transport.start();
	await until(() => lines.includes("end"));
	assert.deepEqual(lines.slice(0, 3), ["one write: [secret]", "two lines: [secret]", "[secret] it was"]);
	assert.match(lines[3] ?? "", /^basic: \w{5,7}\[secret\]\S{0,4}$/);
	const whole = lines.join("");
	for (let at = 0; at + 6 < SECRET.length; at++) assert(!whole.includes(SECRET.slice(at, at + 7)), whole);
	assert.doesNotMatch(whole, new RegExp(btoa(SECRET).slice(4, 12)));
});

verifies(
	"004-printed-secrets-masked",
	"wherever a line breaks a secret, no more than five of its characters are printed",
	() => {
		for (let at = 1; at < SECRET.length; at++) {
			const [first, second] = masked(`a ${SECRET.slice(0, at)}`, `${SECRET.slice(at)} b`);
			assert.equal(first, at < 6 ? `a ${SECRET.slice(0, at)}` : "a [secret]");
			assert.equal(second, "[secret] b");
		}
		const pieces = masked(...(SECRET.match(/.{1,8}/g) ?? []), "and on");
		assert.deepEqual(pieces, ["[secret]", "[secret]", "[secret]", "[secret]", "and on"]);
	},
);

test("a key of several lines is masked line by line, whether it is configured or only printed", () => {
	assert.deepEqual(masked(...KEY.split("\n"), "done"), [...KEY.split("\n").map(() => "[secret]"), "done"]);
	const other = KEY.replaceAll("MIIEv", "MIIEw").replaceAll("VJTU", "VJTV");
	assert.deepEqual(masked("found:", ...other.split("\n"), "done."), [
		"found:",
		...other.split("\n").map(() => "[secret]"),
		"done.",
	]);
	const open = masked("-----BEGIN PRIVATE KEY-----", "Error: no key!", "abcdef");
	assert.deepEqual(open.slice(1), ["Error: no key!", "abcdef"]);
});

test("the encoded forms of a secret are masked at each of the places where its bytes may begin", () => {
	for (const before of ["", "u", "us", "use", "user:"]) {
		for (const encoding of ["base64", "base64url", "hex"] as const) {
			const [line = ""] = masked(`x ${Buffer.from(`${before}${SECRET};tail`).toString(encoding)} y`);
			assert.match(line, /^x \S*\[secret\]\S* y$/);
			const shown = line.replaceAll("[secret]", "|").split("|");
			const text = shown
				.map((part) => Buffer.from(part.replace(/^x | y$/g, ""), encoding).toString("latin1"))
				.join("|");
			for (let at = 0; at + 3 <= SECRET.length; at++) assert(!text.includes(SECRET.slice(at, at + 3)), text);
		}
	}
});

test("lines without a secret stay as they are, also those that begin like one", () => {
	const lines = ["", "tr0ub", "tr0ub4do", "listening at http://127.0.0.1:80/a@b", "r&3 is no rest"];
	assert.deepEqual(masked(...lines), [
		"",
		"tr0ub",
		"[secret]",
		"listening at http://127.0.0.1:80/a@b",
		"r&3 is no rest",
	]);
});
