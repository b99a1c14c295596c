import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_ROLLOUTS } from "../../src/host/settings/options.ts";
import { Replacement } from "../../src/host/state/replacement.ts";

const newReplacement = () => new Replacement({ rollouts: DEFAULT_ROLLOUTS }, { generation: 1 });

for (const [underWay, asked, code] of [
	["rollout", "rollout", "rollout_in_progress"],
	["rollout", "reinstall", "rollout_in_progress"],
	["reinstall", "rollout", "reinstall_in_progress"],
	["reinstall", "reinstall", "reinstall_in_progress"],
] as const) {
	test(`a ${asked} during a ${underWay} is refused, and may begin after it`, () => {
		const replacement = newReplacement();
		assert.equal(replacement.begin(underWay), undefined);
		assert.equal(replacement.begin(asked)?.code, code);
		replacement.end();
		assert.equal(replacement.begin(asked), undefined);
	});
}

for (const [state, during] of [
	["a probation", { probation: { died: () => "on_probation" } }],
	["a rollback", { rollingBack: true }],
] as const) {
	test(`during ${state} a rollout may begin and a reinstall may not`, () => {
		const replacement = Object.assign(newReplacement(), during);
		const refusal = replacement.begin("reinstall");
		assert.equal(refusal?.code, "rollout_in_progress");
		assert.equal(refusal?.retry, "later");
		assert.equal(replacement.begin("rollout"), undefined);
	});
}
