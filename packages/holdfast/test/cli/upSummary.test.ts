import "../../../../scripts/withoutColour.ts";
import assert from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import {
	describeIndex,
	findReachable,
	listServerLines,
	nameSome,
	shortenList,
} from "../../src/cli/serving/upSummary.ts";

test("the address that is printed can be opened: by name on a machine, by loopback where a container's port is published", () => {
	assert.equal(findReachable("http://0.0.0.0:8080", false), `http://${hostname()}:8080`);
	assert.equal(findReachable("https://[::]:8080", false), `https://${hostname()}:8080`);
	assert.equal(findReachable("http://0.0.0.0:8080", true), "http://127.0.0.1:8080");
	assert.equal(findReachable("http://10.0.0.7:8080", true), "http://10.0.0.7:8080");
});

test("an index that was there already is not said to be empty", () => {
	const report = (indexed: number, unchanged: number, chunks: number) =>
		describeIndex({ durationMs: 140, chunks, files: { indexed, unchanged } });
	assert.equal(report(12, 0, 40), "12 files, 40 chunks (0.1 s)");
	assert.equal(report(0, 12, 0), "12 files, up to date (0.1 s)");
	assert.equal(report(2, 10, 7), "12 files, 2 of them new or changed (0.1 s)");
});

test("tools are named as far as the line goes, and the others counted", () => {
	const names = ["search", "show_file", "build_index", "a", "b", "c", "d"];
	assert.equal(nameSome(names, Number.POSITIVE_INFINITY), "search, show_file, build_index, a, b, c, +1");
	assert.equal(nameSome(names, 24), "search, show_file, +5");
	assert.equal(nameSome(names, 3), "search, +6");
	assert.equal(nameSome(["search"], 80), "search");
	assert.equal(nameSome([], 80), "");
});

test("a server that connected and lists no tools is told to have none", () => {
	assert.deepEqual(listServerLines([{ name: "prompts", state: "ready", tools: [] }], 80), ["  prompts  no tools"]);
});

test("of hundreds of servers those that need somebody are told, and the others counted", () => {
	const ready = Array.from({ length: 200 }, (_, at) => ({ name: `s${at}`, state: "ready" as const, tools: ["a"] }));
	const failed = { name: "broken", state: "failed" as const, reason: "no such command", tools: [] };
	const web = { name: "web", state: "needs_auth", reason: "HTTP 401", login: "holdfast login web", tools: [] } as const;
	assert.deepEqual(listServerLines([web], 80), ["  web  needs auth: HTTP 401; holdfast login web"]);
	const lines = listServerLines([...ready, failed], 80);
	assert.equal(lines.length, 21);
	assert.match(lines[0] ?? "", /^ {2}broken {2}failed: no such command$/);
	assert.equal(lines.at(-1), "  and 181 more: 181 ready; the console shows them all");
	assert.deepEqual(
		listServerLines([...ready.slice(0, 2), failed], 80).map((line) => line.trim().split(" ")[0]),
		["s0", "s1", "broken"],
		"few stay in their order",
	);
});

test("a long name keeps its beginning and its end, and a short one is left alone", () => {
	assert.equal(shortenList("files"), "files");
	assert.equal(shortenList("a".repeat(32)), "a".repeat(32));
	const long = shortenList("a-server-with-a-rather-long-name-of-the-team-b");
	assert.equal(long, "a-server-with-a-rat…f-the-team-b");
	assert.equal(long.length, 32);
});
