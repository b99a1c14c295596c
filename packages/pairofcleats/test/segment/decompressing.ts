// A thread that only decompresses.
import { parentPort, workerData } from "node:worker_threads";
import { compress, decompress } from "../../src/segment/blockCompression.ts";
import { standBehind } from "../../src/segment/decompressionGate.ts";

standBehind(workerData.gates);
const block = compress("a short text");
parentPort?.postMessage("at it");
for (;;) decompress(block);
