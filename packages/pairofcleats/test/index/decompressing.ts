// A thread that does nothing but decompress.
import { parentPort, workerData } from "node:worker_threads";
import { compress, decompress } from "../../src/index/blockCompression.ts";
import { standBehind } from "../../src/index/decompressionGate.ts";

standBehind(workerData.gates);
const block = compress("a short text");
parentPort?.postMessage("at it");
for (;;) decompress(block);
