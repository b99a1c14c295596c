import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureOf } from "../filter/fixtureRepository.ts";

test("a class is found where it is written, before where it is opened again", async () => {
	const methods = Array.from({ length: 40 }, (_, index) => `    def step_${index}(order)\n      order.next\n    end\n`);
	const { repository, remove } = await fixtureOf({
		"lib/a/hooks.rb": "module Shop\n  class Engine\n    def hook(order)\n      order\n    end\n  end\nend\n",
		"lib/core.rb": `module Shop\n  class Engine\n${methods.join("\n")}  end\nend\n`,
		"lib/z/patch.rb": "module Shop\n  class Engine\n    def patch(order)\n      order\n    end\n  end\nend\n",
	});
	try {
		for (const query of ["Engine", "Shop::Engine"]) {
			const { hits } = await repository.search({ query, top: 1 });
			assert.equal(hits[0]?.path, "lib/core.rb", query);
		}
	} finally {
		await remove();
	}
});
