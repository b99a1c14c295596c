// A search strategy of your own: tools in the order in which they were used most. It checks itself.
import assert from "node:assert/strict";
import { Gateway, type SearchStrategy } from "metatools";

const used = new Map([
	["local:telemetry", 3],
	["local:ping", 9],
]);

const popular: SearchStrategy = {
	name: "popular",
	build: (documents) => ({
		search: ([query = ""]) =>
			documents
				.filter((document) => `${document.name} ${document.description}`.toLowerCase().includes(query.toLowerCase()))
				.map(({ id }) => ({ id, score: 1 + (used.get(id) ?? 0) }))
				.toSorted((a, b) => b.score - a.score || a.id.localeCompare(b.id)),
	}),
};

const gateway = new Gateway({ search: popular });
const found = await gateway.search.find(["gateway"]);
assert.deepEqual(
	found.map((tool) => tool.id),
	["local:ping", "local:telemetry", "local:health"],
);
await gateway.stop();
console.log("search-strategy: ok");
