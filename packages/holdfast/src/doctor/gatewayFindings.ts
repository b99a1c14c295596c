import { bad, type Finding } from "./finding.ts";

/** The part of a running gateway's status that tells of trouble. */
export type GatewayTrouble = {
	readonly pid: number;
	readonly problem?: string;
	readonly configProblem?: string;
};

/** What running gateways could not do; each of their servers tells the same. */
export function gatewayFindings(statuses: readonly GatewayTrouble[]): Finding[] {
	const gateways = new Map(statuses.map((status) => [status.pid, status]));
	return [...gateways.values()].flatMap(({ pid, problem, configProblem }) => [
		...(problem === undefined ? [] : [bad(`gateway ${pid}`, problem, "mend what it names; it is tried every minute")]),
		...(configProblem === undefined
			? []
			: [bad(`gateway ${pid}`, configProblem, "correct the file; it is read again when it changes")]),
	]);
}
