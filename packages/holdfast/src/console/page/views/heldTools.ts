import { toolsChanged } from "../live.ts";
import { useResource } from "../resource.ts";

/** The most that the API lists. */
const LISTED = 1_000;

/** Says how many tools of a namespace wait for approval, or nothing if none is known to. */
export function useHeldTools(): (namespace: string) => string | undefined {
	const { data } = useResource<"listApprovals">(`/api/approvals?limit=${LISTED}`, [toolsChanged.value]);
	return (namespace) => {
		const count = data?.waiting.filter((tool) => tool.namespace === namespace).length ?? 0;
		if (data === undefined || count === 0) return undefined;
		return `${data.total > data.waiting.length ? "some" : count.toLocaleString()} held`;
	};
}
