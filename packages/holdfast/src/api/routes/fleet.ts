import type { Answers } from "../answers.ts";
import { COUNT, describeList, describeObject, type Endpoint, TEXT } from "../endpoint.ts";

type Fleet = Answers["getFleet"];

const NODE = describeObject<Fleet["nodes"][number]>({
	id: TEXT,
	address: TEXT,
	version: TEXT,
	config: TEXT,
	sessions: COUNT,
	startedAt: COUNT,
});

export const fleetEndpoints: readonly Endpoint[] = [
	{
		method: "GET",
		path: "/api/fleet",
		id: "getFleet",
		summary: "The nodes that share this gateway's store; none where it is no fleet",
		answer: describeObject<Fleet>({ id: TEXT, nodes: describeList(NODE) }, ["nodes"]),
		handle: async ({ fleet }) =>
			fleet === undefined ? { nodes: [] } : { id: fleet.id(), nodes: await fleet.members() },
	},
];
