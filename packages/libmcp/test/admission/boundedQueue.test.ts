import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { verifies } from "../../../../e2e/verifies.ts";
import { BoundedQueue, createOverloadFault } from "../../src/admission/boundedQueue.ts";

verifies("002-faults-class-resource", "a full queue refuses with its bound and size, as a resource fault", () => {
	const queue = new BoundedQueue<string>(2);
	assert.equal(queue.push("a"), undefined);
	assert.equal(queue.push("b"), undefined);
	const overload = queue.push("c");
	assert.deepEqual(overload, { code: "QUEUE_OVERLOADED", max: 2, size: 2 });
	assert.ok(overload);
	assert.equal(createOverloadFault(overload, 1).class, "resource");
	assert.deepEqual([...queue], ["a", "b"]);
});

test("the queue behaves as a list whatever is pushed, shifted and removed", () => {
	const step = fc.oneof(
		fc.record({ do: fc.constant("push" as const), n: fc.nat(20) }),
		fc.record({ do: fc.constant("shift" as const), n: fc.constant(0) }),
		fc.record({ do: fc.constant("remove" as const), n: fc.nat(20) }),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
			const queue = new BoundedQueue<{ n: number }>(60);
			let model: { n: number }[] = [];
			for (const { do: action, n } of steps) {
				const item = { n };
				if (action === "push" && queue.push(item) === undefined) model.push(item);
				if (action === "shift") assert.equal(queue.shift(), model.shift());
				if (action === "remove") {
					const victim = model[n];
					if (victim !== undefined) assert.equal(queue.remove(victim), true);
					model = model.filter((one) => one !== victim);
				}
				assert.equal(queue.size, model.length);
			}
			assert.deepEqual([...queue], model);
		}),
	);
});

test("a bound that is no bound is refused", () => {
	for (const max of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
		assert.throws(() => new BoundedQueue(max), RangeError);
});
