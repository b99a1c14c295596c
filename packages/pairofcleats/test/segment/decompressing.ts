// A thread that only decompresses.
import { parentPort, workerData } from "node:worker_threads";
import { compress, decompress, useGate } from "../../src/segment/compression.ts";

useGate(workerData.gates);
const block = compress("a short text");
parentPort?.postMessage("at it");
for (;;) decompress(block);
