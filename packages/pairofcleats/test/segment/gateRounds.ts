// Terminates decompressing threads repeatedly; terminating one at the wrong moment would abort this process.
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
