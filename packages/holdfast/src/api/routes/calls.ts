import type { CallEntry } from "../../record/calls.ts";
import type { Answers } from "../answers.ts";
import { ApiError } from "../apiError.ts";
import { COUNT, type Endpoint, list, object, TEXT } from "../endpoint.ts";

const CALL = object<CallEntry>(
	{
		id: COUNT,
		toolId: TEXT,
		server: TEXT,
		at: COUNT,
		args: {},
		outcome: { enum: ["running", "ok", "error", "cancelled"] },
		durationMs: { type: "number" },
		result: {},
		error: {},
	},
	["id", "toolId", "server", "at", "outcome"],
);

export const callEndpoints: readonly Endpoint[] = [
	{
		method: "GET",
		path: "/api/calls",
		id: "listCalls",
		summary: "The latest calls, newest first, without arguments and results",
		answer: object<Answers["listCalls"]>({ calls: list(CALL) }),
		handle: ({ recorder }) => ({
			calls: recorder.calls.latest.map(({ args: _, result: __, ...call }) => call),
		}),
	},
	{
		method: "GET",
		path: "/api/calls/{id}",
		id: "getCall",
		summary: "One of the latest calls; what looks like a secret is masked",
		answer: object<Answers["getCall"]>({ call: CALL }),
		handle({ recorder, path: { id } }) {
			const call = recorder.calls.get(Number(id));
			if (call === undefined)
				throw new ApiError("not_found", `call ${JSON.stringify(id)} is not among the latest any more`);
			return { call };
		},
	},
];
