import type { Answers } from "../answers.ts";
import { COUNT, type Endpoint, listSchema, objectSchema, TEXT } from "../endpoint.ts";

type Fleet = Answers["getFleet"];

const NODE = objectSchema<Fleet["nodes"][number]>({
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
		answer: objectSchema<Fleet>({ id: TEXT, nodes: listSchema(NODE) }, ["nodes"]),
		handle: async ({ fleet }) =>
			fleet === undefined ? { nodes: [] } : { id: fleet.id(), nodes: await fleet.members() },
	},
];
