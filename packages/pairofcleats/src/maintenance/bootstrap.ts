import { CleatsError, toCleatsError } from "../contract/errors.ts";
import type { OnProgress } from "../index/build.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";

type Step = { readonly step: string; readonly outcome: "done" | "skipped" | "failed"; readonly detail?: unknown };

/** Reports each step with its outcome; a failed step does not stop the steps that do not depend on it. */
export const bootstrap: ToolHandler<"bootstrap"> = async (args, call) => {
	const { label } = await call.repository();
	const steps: Step[] = [
		await step("models", args.skipModels === true, call, async () =>
			(await import("../assets/downloadModels.ts")).handler({}, call),
		),
		await step("dictionaries", args.skipDicts === true, call, async () =>
			(await import("../assets/downloadDictionaries.ts")).handler({}, call),
		),
		await step("index", args.skipIndex === true, call, () => index(args.incremental !== false, call)),
		await step("verify", args.skipIndex === true, call, () => verify(call)),
	];
	return { repo: label, steps, searchable: steps.find(({ step: name }) => name === "verify")?.outcome === "done" };
};

async function step(name: string, skip: boolean, call: ToolCall, work: () => Promise<unknown>): Promise<Step> {
	if (skip) return { step: name, outcome: "skipped" };
	call.progress({ phase: name, message: `Starting ${name}.` });
	try {
		return { step: name, outcome: "done", detail: await work() };
	} catch (error) {
		call.signal.throwIfAborted();
		const { code, message, details } = toCleatsError(error);
		return { step: name, outcome: "failed", detail: { code, message, details } };
	}
}

async function index(incremental: boolean, call: ToolCall): Promise<unknown> {
	const { engine } = await call.repository();
	const tell: OnProgress = (progress) => call.progress(progress);
	return incremental ? engine.updateIndex({}, tell, call.signal) : engine.buildIndex({}, tell, call.signal);
}

async function verify(call: ToolCall): Promise<unknown> {
	const { engine } = await call.repository();
	const { ok, checked, problems } = await engine.validate(call.signal);
	if (!ok) throw new CleatsError("INTERNAL", "the index is not sound", { problems });
	return checked;
}
