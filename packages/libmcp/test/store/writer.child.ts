// Writes to the store of the given file, one batch after another, and says on stdout what is written. Killed by its parent.
import { openSqlite } from "../../src/store/openSqlite.ts";

const [file = "", durability] = process.argv.slice(2);
const store = await openSqlite(file);
const { events } = await store.kept("s1");
for (let number = (events.at(-1)?.number ?? 0) + 1; ; number++) {
	await store.write({
		durability: durability === "sync" ? "sync" : "async",
		writes: [
			{ kind: "add-event", row: { session: "s1", stream: 1, number, text: `event ${number} ${"x".repeat(500)}` } },
			{ kind: "set-value", row: { space: "last", key: "number", value: String(number) } },
		],
	});
	process.stdout.write(`${number}\n`);
}
