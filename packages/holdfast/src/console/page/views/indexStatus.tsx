import { useState } from "preact/hooks";
import { api, failureOf } from "../api.ts";
import { indexJob } from "../live.ts";
import type { IndexJob } from "../model.ts";
import { Failure } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { useResource } from "../resource.ts";

type Status = {
	readonly indexed?: boolean;
	readonly files?: number;
	readonly builtAt?: string;
	readonly updatedAt?: string;
	readonly stale?: { readonly changed: number; readonly added: number; readonly removed: number };
};

/** How fresh the index is, and the way to build it anew. */
export function IndexStatus() {
	const running = indexJob.value?.state;
	const index = useResource<{ status: Status; job?: IndexJob }>("/api/index", [running]);
	const [failure, setFailure] = useState<unknown>();
	const rebuild = (): void => {
		setFailure(undefined);
		api<{ job: IndexJob }>("/api/index/rebuild", { body: { full: true } }).then(({ job }) => {
			indexJob.value ??= job;
		}, setFailure);
	};
	const job = indexJob.value ?? index.data?.job;
	const status: Status | undefined = index.data?.status;
	const stale = Object.values(status?.stale ?? {}).reduce((sum, count) => sum + count, 0);
	return (
		<div class="index-status">
			<span>
				{index.failure !== undefined && <span class="bad-text wrap">{index.failure.message}</span>}
				<span role="status">
					{job?.state === "done" && <span class="good-text">rebuilt </span>}
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
			{failure !== undefined && <Failure failure={failureOf(failure)} />}
			{job?.state === "running" ? (
				<span class="building">
					<progress
						aria-label="Rebuilding the index"
						{...(job.total !== undefined && { value: job.progress ?? 0, max: job.total })}
					/>
					<span class="muted clip">{job.message ?? "rebuilding"}</span>
				</span>
			) : (
				(index.failure === undefined || status !== undefined) && (
					<button type="button" disabled={status === undefined} onClick={rebuild}>
						{status?.indexed === false ? "Build" : "Rebuild"}
					</button>
				)
			)}
		</div>
	);
}

function counted(files: number): string {
	return `${files.toLocaleString()} ${files === 1 ? "file" : "files"}`;
}
