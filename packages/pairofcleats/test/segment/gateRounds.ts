// Ends threads that decompress, over and over; one that is ended at the wrong moment ends this process too.
import { setTimeout as wait } from "node:timers/promises";
import { GatedThread } from "../../src/expression/gatedThread.ts";

const ROUNDS = 40;
for (let round = 0; round < ROUNDS; round++) {
	const resourceLimits = { maxYoungGenerationSizeMb: 4 };
	const thread = new GatedThread("./decompressing", import.meta.url, { resourceLimits });
	await new Promise((resolve) => thread.once("message", resolve));
	await wait(1 + (round % 7));
	await thread.terminate();
}
console.log(`ended ${ROUNDS}`);
