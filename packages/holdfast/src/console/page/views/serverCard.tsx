import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Server } from "../../../api/answers.ts";
import { api, readFailure } from "../api.ts";
import { serversChanged } from "../live.ts";
import { Button, Confirm } from "../parts/buttons.tsx";
import { Json } from "../parts/content.tsx";
import { Failure, Loaded } from "../parts/states.tsx";
import { showHidden } from "../parts/text.ts";
import { Ago } from "../parts/time.tsx";
import { useResource } from "../resource.ts";
import { link } from "../route.ts";

const TONE = { ready: "good", connecting: "warn", failed: "bad", needs_auth: "warn", stopped: "info" } as const;

type ServerCardProps = {
	readonly server: Server;
	/** Which of its tools wait for approval, if any do. */
	readonly held: string | undefined;
	readonly open: boolean;
	/** The search text, which links must keep. */
	readonly text: string;
};

export function ServerCard({ server, held, open, text }: ServerCardProps) {
	// The connection stays ready while the process behind it is replaced.
	const recovering = server.state === "ready" && server.lifecycle !== undefined && server.lifecycle !== "ready";
	const attempt = attemptOf(server);
	const card = useRef<HTMLElement>(null);
	// Not the server's name: its spaces would separate ids in `aria-labelledby`.
	const title = useId();
	useEffect(() => {
		if (open) card.current?.scrollIntoView({ block: "nearest" });
	}, [open]);
	return (
		<article ref={card} class={`card server ${open ? "open" : ""}`} aria-labelledby={title} data-server={server.name}>
			<header>
				<h2 id={title}>
					<a href={link("servers", open ? undefined : server.name, { text })} aria-expanded={open}>
						{showHidden(server.name)}
					</a>
				</h2>
				<span class={`badge ${recovering ? "warn" : TONE[server.state]}`}>
					{recovering ? server.lifecycle : server.state.replace("_", " ")}
				</span>
			</header>
			{server.description !== undefined && (
				<p class="muted clamp" dir="auto">
					{showHidden(server.description)}
				</p>
			)}
			{server.reason !== undefined && (
				<p class="notice bad wrap">
					<span>
						{server.reason}
						{attempt !== undefined && <span class="muted"> · {attempt}</span>}
					</span>
					{server.login !== undefined && (
						<span>
							{" "}
							Log in with <code class="wrap">{showHidden(server.login)}</code>.
						</span>
					)}
				</p>
			)}
			<Facts server={server} held={held} />
			{server.lastFault !== null && (
				<p class="last-fault wrap">
					<span class="muted">last fault </span>
					<a href={link("timeline", undefined, { kinds: "fault", server: server.name })}>
						{server.lastFault.class}.{server.lastFault.code}
					</a>{" "}
					{server.lastFault.detail !== server.reason && <span class="muted">{server.lastFault.detail}</span>}
				</p>
			)}
			{server.problems.map((problem) => (
				<p key={problem} class="notice warn wrap">
					{problem}
				</p>
			))}
			<ServerActions server={server} />
			{open && <ServerDetails name={server.name} />}
		</article>
	);
}

/** Shown during an attempt too; otherwise the content below would jump twice per attempt. */
function attemptOf({ state, retryAt }: Server): string | undefined {
	if (state === "connecting") return "trying again now";
	return retryAt === undefined ? undefined : "trying again soon";
}

function Facts({ server, held }: Pick<ServerCardProps, "server" | "held">) {
	const { generation, restarts, inFlight, pid, since, state, tools } = server;
	// Without a process and a connection, its generation is only the number of attempts, and nothing else is counted.
	const isAway = pid === undefined && state !== "ready";
	return (
		<dl class="facts">
			{isAway ? (
				generation > 0 && <Fact name="attempts" value={generation} />
			) : (
				<>
					<Fact name="generation" value={generation} />
					<Fact name="restarts" value={restarts} />
					<Fact name="in flight" value={inFlight} />
				</>
			)}
			<Fact name="tools" value={isAway && tools === 0 ? "unknown" : <Tools server={server} held={held} />} />
			<Fact name="since" value={<Ago at={since} />} />
			{pid !== undefined && <Fact name="pid" value={pid} />}
		</dl>
	);
}

function Fact({ name, value }: { name: string; value: preact.ComponentChildren }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{value}</dd>
		</div>
	);
}

function Tools({ server: { namespace, tools }, held }: Pick<ServerCardProps, "server" | "held">) {
	return (
		<>
			{tools === 0 ? 0 : <a href={link("tools", undefined, { ns: namespace })}>{tools}</a>}
			{held !== undefined && (
				<>
					{", "}
					<a class="warn-text" href={link("approvals")} title="Waiting for approval">
						{held}
					</a>
				</>
			)}
		</>
	);
}

const ACTIONS = {
	restart: {
		label: "Restart",
		says: "This ends its process now. The next one repeats the calls that are safe to repeat; the others fail with the reason.",
	},
	rollout: {
		label: "Roll out",
		says: "This starts its program beside the running one, which serves until the new one answers. No call is lost.",
	},
} as const;

function ServerActions({ server }: { server: Server }) {
	const [asked, setAsked] = useState<keyof typeof ACTIONS | undefined>();
	const [doing, setDoing] = useState<string | undefined>();
	const [failure, setFailure] = useState<unknown>();
	const act = async (action: keyof typeof ACTIONS): Promise<void> => {
		setDoing(action);
		setFailure(undefined);
		await api(`/api/servers/${encodeURIComponent(server.name)}/${action}`, { body: {} }).catch(setFailure);
		setDoing(undefined);
	};
	const refusals = {
		restart: server.kind === "unusable" ? "Its entry has a mistake; the file is read again when it changes" : undefined,
		rollout: server.pid === undefined ? "It has no running process here" : undefined,
	};
	return (
		<>
			{failure !== undefined && <Failure failure={readFailure(failure)} />}
			<div class="actions">
				{(["restart", "rollout"] as const).map((action) => (
					<Button
						key={action}
						type="button"
						off={doing !== undefined || refusals[action] !== undefined}
						aria-label={`${ACTIONS[action].label} ${server.name}`}
						title={refusals[action]}
						onClick={() => setAsked(action)}
					>
						{doing === action ? "Working…" : ACTIONS[action].label}
					</Button>
				))}
				<a class="more" href={link("timeline", undefined, { server: server.name })}>
					Timeline<span class="hidden"> of {server.name}</span>
				</a>
			</div>
			{asked !== undefined && (
				<Confirm
					title={`${ACTIONS[asked].label} ${server.name}?`}
					action={ACTIONS[asked].label}
					onYes={() => void act(asked)}
					onNo={() => setAsked(undefined)}
				>
					{ACTIONS[asked].says}
				</Confirm>
			)}
		</>
	);
}

function ServerDetails({ name }: { name: string }) {
	const details = useResource<"getServer">(`/api/servers/${encodeURIComponent(name)}`, [serversChanged.value]);
	return (
		<Loaded from={details}>
			{({ health, telemetry }) => (
				<div class="stack">
					<Json label="Health" value={health} />
					<Json label="Telemetry" value={telemetry} />
				</div>
			)}
		</Loaded>
	);
}
