import { deepEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { checkHistory } from "./checkHistory.ts";
import type { CallEnd, CallKind, HistoryLine } from "./history.ts";

const begin = (kind: CallKind): HistoryLine => ({ what: "begin", call: "c", session: "s", kind });
const acknowledged: HistoryLine = { what: "acknowledged", call: "c" };
const effect: HistoryLine = { what: "effect", call: "c" };
const end = (how: CallEnd): HistoryLine => ({
	what: "end",
	call: "c",
	end: how,
});
const event = (number: number, session = "s"): HistoryLine => ({ what: "event", session, stream: "1", number });

const KEPT: Readonly<Record<string, readonly HistoryLine[]>> = {
	"a write that is answered": [begin("write"), acknowledged, effect, end("answered")],
	"a write of which nobody knows": [begin("write"), acknowledged, { what: "kill" }, end("ambiguous")],
	"one that took effect all the same": [begin("write"), acknowledged, effect, end("ambiguous")],
	"a call that was promised nothing": [begin("write"), effect, end("unreachable")],
	"events with gaps, in two sessions": [event(1), event(4), event(2, "other"), event(5)],
};
const BROKEN: Readonly<Record<string, readonly HistoryLine[]>> = {
	"c: acknowledged and never answered": [begin("read"), acknowledged],
	"c: acknowledged and then lost: ": [begin("read"), acknowledged, end("unreachable")],
	"c: 2 answers: answered, ambiguous": [begin("write"), effect, end("answered"), end("ambiguous")],
	"c: took effect 2 times": [begin("write"), effect, effect, end("ambiguous")],
	"c: answered as done and took no effect": [begin("keyed"), end("answered")],
	"c: may be repeated and was not: ": [begin("keyed"), end("ambiguous")],
	"c: may not be repeated and was: ": [begin("write"), end("exhausted")],
	"c: refused: ": [begin("read"), end("refused")],
	"c: begun twice under one id": [begin("read"), begin("read")],
	"c: an effect of a call that nobody began": [effect],
	"s 1: event 2 came twice": [event(2), event(2)],
	"s 1: event 2 came after 3": [event(3), event(2)],
	"s: the session was lost: 404": [{ what: "session-lost", session: "s", detail: "404" }],
};

for (const [name, lines] of Object.entries(KEPT))
	test(`the checker finds nothing wrong with ${name}`, () => deepEqual(checkHistory(lines), []));
for (const [breach, lines] of Object.entries(BROKEN))
	test(`the checker says: ${breach}`, () => deepEqual(checkHistory(lines), [breach]));

test("the checker reads a million lines in seconds", () => {
	const lines = Array.from({ length: 1_000_000 }, (_, index) => event(index + 1, `s${index % 32}`));
	const started = performance.now();
	deepEqual(checkHistory(lines), []);
	ok(performance.now() - started < 60_000);
});
