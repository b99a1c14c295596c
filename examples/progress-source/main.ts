// A source of progress: a tool that says how far it is, heard by whoever runs it. It checks itself.
import assert from "node:assert/strict";
import { Gateway, type LocalTool, runChain, type ToolProgress } from "metatools";

const copy: LocalTool = {
	definition: { name: "copy", description: "Copy files one by one" },
	async run({ files }, { signal, onProgress }) {
		const total = Array.isArray(files) ? files.length : 0;
		for (let progress = 1; progress <= total; progress++) {
			signal.throwIfAborted();
			onProgress?.({ progress, total, message: `file ${progress}` });
		}
		return { copied: total };
	},
};

const gateway = new Gateway({ localTools: [copy] });
const heard: ToolProgress[] = [];
const options = {
	viewer: { id: "example" },
	signal: new AbortController().signal,
	onProgress: (update: ToolProgress) => heard.push(update),
};

const run = await gateway.runner.run({ ...options, toolId: "local:copy", args: { files: ["a", "b"] } });
assert.deepEqual(run.structured, { copied: 2 });
assert.deepEqual(
	heard.map((update) => update.message),
	["file 1", "file 2"],
);

// In a chain, a step's own progress moves the chain by a fraction of one step.
heard.length = 0;
const step = { tool_id: "local:copy", args: { files: ["a", "b"] } };
await runChain([step, step], { ...options, runner: gateway.runner });
assert.deepEqual(
	heard.map((update) => update.progress),
	[0.5, 1, 1, 1.5, 2, 2],
);
await gateway.stop();
console.log("progress-source: ok");
