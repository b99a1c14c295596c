import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cvssBaseScore } from "../../src/triage/cvss.ts";
import { severityOf } from "../../src/triage/rating.ts";

test("vectors have the base scores that were published with them", () => {
	// Examples of FIRST's own for version 3, and of the National Vulnerability Database.
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
			assert.equal(cvssBaseScore(`CVSS:${version}/${metrics}`), score, metrics);
			assert.equal(cvssBaseScore(`CVSS:${version}/${metrics.split("/").reverse().join("/")}/E:P/RL:O`), score, metrics);
			assert.equal(severityOf(score), rating);
		}
});

test("a vector that is no whole one of version 3 has no score", () => {
	const whole = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H";
	for (const vector of [
		"",
		whole.replace("/A:H", ""),
		whole.replace("AV:N", "AV:X"),
		whole.replace("PR:N", "PR:constructor"),
		`${whole}/A:H`,
		whole.replace("CVSS:3.1/", ""),
		"AV:N/AC:L/Au:N/C:P/I:P/A:P",
		"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
	])
		assert.equal(cvssBaseScore(vector), undefined, vector);
});

test("more harm never scores lower, and every score has one place", () => {
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
			const score = cvssBaseScore(["CVSS:3.1", ...others, ...harm].join("/")) ?? Number.NaN;
			const worse = harm.map((one, index) => (index === at ? `${one[0]}:H` : one));
			assert.ok((cvssBaseScore(["CVSS:3.1", ...others, ...worse].join("/")) ?? Number.NaN) >= score);
			assert.match(String(score), /^(?:10|\d(?:\.\d)?)$/);
		}),
	);
});
