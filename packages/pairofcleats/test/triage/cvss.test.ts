import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { scoreCvss } from "../../src/triage/cvss.ts";
import { rateScore } from "../../src/triage/rating.ts";

test("vectors have the base scores that were published with them", () => {
	// Examples from FIRST for version 3, and from the National Vulnerability Database.
	for (const [metrics, score, rating] of [
		["AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", 6.1, "medium"], // CVE-2013-1937
		["AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N", 6.4, "medium"], // CVE-2013-0375
		["AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N", 3.1, "low"], // CVE-2014-3566
		["AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H", 9.9, "critical"], // CVE-2012-1516
		["AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H", 8.8, "high"], // CVE-2012-0384
		["AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H", 7.8, "high"], // CVE-2015-1098
		["AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N", 7.5, "high"], // CVE-2014-0160
		["AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8, "critical"], // CVE-2014-6271
		["AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 8.8, "high"], // CVE-2011-1265
		["AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N", 4.6, "medium"], // CVE-2014-2019
		["AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N", 7.4, "high"], // CVE-2014-0224
		["AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H", 9.6, "critical"], // CVE-2012-5376
		["AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:N", 6.8, "medium"], // CVE-2016-0128
		["AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", 10, "critical"], // CVE-2021-44228
		["AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H", 7.2, "high"], // CVE-2021-23337
		["AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", 0, "low"],
	] as const)
		for (const version of ["3.0", "3.1"]) {
			assert.equal(scoreCvss(`CVSS:${version}/${metrics}`), score, metrics);
			assert.equal(scoreCvss(`CVSS:${version}/${metrics.split("/").reverse().join("/")}/E:P/RL:O`), score, metrics);
			assert.equal(rateScore(score), rating);
		}
});

test("vectors of version 2 have the base scores of the National Vulnerability Database, and are never critical", () => {
	for (const [metrics, score, rating] of [
		["AV:N/AC:L/Au:N/C:N/I:N/A:C", 7.8, "high"], // CVE-2002-0392
		["AV:N/AC:L/Au:N/C:C/I:C/A:C", 10, "high"], // CVE-2003-0818
		["AV:L/AC:H/Au:N/C:C/I:C/A:C", 6.2, "medium"], // CVE-2003-0062
		["AV:N/AC:L/Au:N/C:P/I:N/A:N", 5, "medium"], // CVE-2014-0160
		["AV:N/AC:M/Au:N/C:P/I:N/A:N", 4.3, "medium"], // CVE-2014-3566
		["AV:N/AC:M/Au:S/C:N/I:P/A:N", 3.5, "low"],
		["AV:N/AC:L/Au:N/C:N/I:N/A:N", 0, "low"],
	] as const) {
		assert.equal(scoreCvss(metrics), score, metrics);
		assert.equal(scoreCvss(`${metrics}/E:U/RL:OF/RC:C`), score, metrics);
		assert.equal(rateScore(score, "2.0"), rating);
	}
});

test("vectors of version 4 have the scores that another implementation gives them", () => {
	// Covers 268 of the 270 macrovectors, scored by ae-cvss-calculator 1.0.13; the second to fourth lie exactly between
	// two scores.
	const pairs = readFileSync(join(import.meta.dirname, "cvss4Scores.txt"), "utf8")
		.trim()
		.split("\n");
	assert.ok(pairs.length > 300);
	for (const pair of pairs) {
		const [metrics = "", score] = pair.split(" ");
		assert.equal(scoreCvss(`CVSS:4.0/${metrics}`), Number(score), metrics);
		const shuffled = metrics.split("/").reverse().join("/");
		assert.equal(scoreCvss(`CVSS:4.0/${shuffled}/S:P/AU:Y/R:I/V:C/RE:H/U:Amber`), Number(score), metrics);
	}
});

test("the error for a vector without a score names the invalid metric", () => {
	const three = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H";
	const four = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N";
	for (const [vector, fault] of [
		["", "only CVSS 2.0, 3.0, 3.1 and 4.0 are scored, got "],
		[three.replace("/A:H", ""), "CVSS:3.1: A: expected H, L, N, got nothing"],
		[three.replace("AV:N", "AV:X"), "CVSS:3.1: AV: expected N, A, L, P, got X"],
		[three.replace("PR:N", "PR:constructor"), "CVSS:3.1: PR: expected N, L, H, got constructor"],
		[`${three}/A:H`, "CVSS:3.1: A: expected once, got twice"],
		["AV:N/AC:L/Au:N/C:P/I:P", "CVSS:2.0: A: expected N, P, C, got nothing"],
		["AV:N/AC:L/C:P/I:P/A:P", "only CVSS 2.0, 3.0, 3.1 and 4.0 are scored, got AV:N/AC:L/C:P/I:P/A:P"],
		[four.replace("/AT:N", ""), "CVSS:4.0: AT: expected N, P, got nothing"],
		[four.replace("UI:N", "UI:R"), "CVSS:4.0: UI: expected N, P, A, got R"],
		[four.replace("SI:N", "SI:S"), "CVSS:4.0: SI: expected H, L, N, got S"],
		[`${four}/MSI:Z`, "CVSS:4.0: MSI: expected X, S, H, L, N, got Z"],
		[`${four}/E:H`, "CVSS:4.0: E: expected X, A, P, U, got H"],
		[`${four}/U:amber`, "CVSS:4.0: U: expected X, Clear, Green, Amber, Red, got amber"],
		[`${four}/RL:O`, "CVSS:4.0: RL: expected a metric of this version"],
		[`${four}/`, "CVSS:4.0: : expected a metric of this version"],
		[`${four}/AV:A`, "CVSS:4.0: AV: expected once, got twice"],
		["CVSS:4.1/AV:N", "only CVSS 2.0, 3.0, 3.1 and 4.0 are scored, got CVSS:4.1/AV:N"],
	] as const) {
		const scored = scoreCvss(vector);
		assert.ok(scored instanceof Error, vector);
		assert.equal(scored.message, fault);
	}
});

test("more severe metrics never score lower, and every score has one decimal place", () => {
	const metric = (name: string, values: string) => fc.constantFrom(...values).map((value) => `${name}:${value}`);
	const impacts = fc.tuple(...["C", "I", "A"].map((name) => metric(name, "NLH")));
	const rest = fc.tuple(
		metric("AV", "NALP"),
		metric("AC", "LH"),
		metric("PR", "NLH"),
		metric("UI", "NR"),
		metric("S", "UC"),
	);
	fc.assert(
		fc.property(rest, impacts, fc.nat(2), (others, harm, at) => {
			const score = Number(scoreCvss(["CVSS:3.1", ...others, ...harm].join("/")));
			const worse = harm.map((one, index) => (index === at ? `${one[0]}:H` : one));
			assert.ok(Number(scoreCvss(["CVSS:3.1", ...others, ...worse].join("/"))) >= score);
			assert.match(String(score), /^(?:10|\d(?:\.\d)?)$/);
		}),
	);
});
