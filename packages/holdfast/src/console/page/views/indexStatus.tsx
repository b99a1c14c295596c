import { useEffect, useRef, useState } from "preact/hooks";
import type { Answers, IndexJobState } from "../../../api/answers.ts";
import { type ApiFailure, api, readFailure } from "../api.ts";
import { indexJob, toolsChanged } from "../live.ts";
import { Button } from "../parts/buttons.tsx";
import { Failure } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { useResource } from "../resource.ts";

/** The state of the index, and a function to rebuild it. */
export type Index = {
	readonly status: Answers["getIndex"]["status"] | undefined;
	/** Why the status could not be loaded. */
	readonly failure: ApiFailure | undefined;
	/** How often it was seen to be built anew; what was found before is old then. */
	readonly builds: number;
	readonly job: IndexJobState | undefined;
	/** Whether this page began the job; the product compares the index with the files at its start, in a job too. */
	readonly isOwnJob: boolean;
	readonly rebuild: () => void;
	readonly rebuildFailure: unknown;
};

export function useIndex(): Index {
	const running = indexJob.value?.state;
	const index = useResource<"getIndex">("/api/index", [running, toolsChanged.value]);
	const job = indexJob.value ?? index.data?.job;
	const [rebuildFailure, setRebuildFailure] = useState<unknown>();
	const [own, setOwn] = useState<"none" | "asked for" | "begun">("none");
	useEffect(() => {
		if (own === "asked for" && job?.state === "running") setOwn("begun");
	}, [own, job?.state]);
	const rebuild = (): void => {
		setRebuildFailure(undefined);
		setOwn("asked for");
		api<"rebuildIndex">("/api/index/rebuild", { body: { full: true } }).then(({ job }) => {
			indexJob.value ??= job;
		}, setRebuildFailure);
	};
	return {
		status: index.data?.status,
		failure: index.failure,
		builds: useBuilds(index.data?.status),
		job,
		isOwnJob: own === "begun",
		rebuild,
		rebuildFailure,
	};
}

/** To learn of the first state is no build. */
function useBuilds(status: Index["status"]): number {
	const seen = useRef<{ readonly at: string; readonly builds: number } | undefined>(undefined);
	if (status !== undefined) {
		const at = status.updatedAt ?? "never";
		const { at: before = at, builds = 0 } = seen.current ?? {};
		seen.current = { at, builds: at === before ? builds : builds + 1 };
	}
	return seen.current?.builds ?? 0;
}

/** Shows how fresh the index is; the search page itself explains a missing index. */
export function IndexStatus({ index: { status, failure, job, isOwnJob, rebuild, rebuildFailure } }: { index: Index }) {
	const stale = Object.values(status?.stale ?? {}).reduce((sum, count) => sum + count, 0);
	const running = job?.state === "running";
	return (
		<div class="index-status">
			<span>
				{failure !== undefined && failure.code !== "unavailable" && (
					<span class="bad-text wrap">{failure.message}</span>
				)}
				<span role="status">
					{job?.state === "done" && isOwnJob && stale === 0 && <span class="good-text">rebuilt </span>}
					{job?.state === "failed" && <span class="bad-text wrap">{job.error?.message ?? "the rebuild failed"} </span>}
				</span>
				{status !== undefined && (
					<span class="muted">
						{status.indexed === true ? `${counted(status.files ?? 0)} indexed` : "no index yet"}
						{stale > 0 && `, ${stale} changed since`}
						{status.updatedAt !== undefined && (
							<>
								{" · "}
								<Ago at={status.updatedAt} />
							</>
						)}
					</span>
				)}
			</span>
			{rebuildFailure !== undefined && <Failure failure={readFailure(rebuildFailure)} />}
			{running && (
				<span class="building">
					<progress
						aria-label="Rebuilding the index"
						{...(job.total !== undefined && { value: job.progress ?? 0, max: job.total })}
					/>
					<span class="muted clip">{job.message ?? "rebuilding"}</span>
				</span>
			)}
			{status?.indexed === true && (
				<Button type="button" off={running} onClick={rebuild}>
					Rebuild
				</Button>
			)}
		</div>
	);
}

function counted(files: number): string {
	return `${files.toLocaleString()} ${files === 1 ? "file" : "files"}`;
}
