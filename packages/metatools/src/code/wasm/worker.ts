import { parentPort, workerData } from "node:worker_threads";
import { prepareScript } from "../script/prepareScript.ts";
import { GuestRun } from "./guestRun.ts";
import { Interpreter } from "./interpreter.ts";
import type { FromWorker, StartRun, ToWorker, WorkerData } from "./workerMessage.ts";

/** The thread that runs guests, one at a time, each in an interpreter of its own that was made ready beforehand. */
const { stopFlag, wasmModule, memoryBytes }: WorkerData = workerData;
let next = Interpreter.create(wasmModule, memoryBytes);
let current: GuestRun | undefined;

const post = (message: FromWorker): void => parentPort?.postMessage(message);

parentPort?.on("message", (message: ToWorker) => {
	switch (message.to) {
		case "start":
			void start(message.run);
			return;
		case "reply":
			current?.settle(message.reply);
			return;
		case "stop":
			current?.stop();
			return;
		case "prepare":
			post({ from: "prepared", prepared: prepareScript(message.language, message.code) });
	}
});

async function start(run: StartRun): Promise<void> {
	const prepared = prepareScript(run.language, run.code);
	if (!prepared.ok) {
		post({ from: "guest", message: { kind: "syntax", text: JSON.stringify(prepared) } });
		post({ from: "ended", reusable: prepared.hasTrapped !== true });
		return;
	}
	post({ from: "began", insertions: prepared.insertions });
	const interpreter = await next;
	const guest = new GuestRun(interpreter, run, {
		post: (kind, text) => post({ from: "guest", message: { kind, text } }),
		ended: (reusable) => {
			current = undefined;
			next = Interpreter.create(wasmModule, memoryBytes);
			post({ from: "ended", reusable });
		},
		stopRequested: () => Atomics.load(stopFlag, 0) !== 0,
	});
	current = guest;
	guest.start(prepared.script);
}
