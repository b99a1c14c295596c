import { useEffect, useRef, useState } from "preact/hooks";
import { locked, refused, unlock, unopenable } from "./api.ts";
import { connection, toolsChanged, upgrade } from "./live.ts";
import { useResource } from "./resource.ts";
import { link, place } from "./route.ts";
import { Calls } from "./views/calls.tsx";
import { CodeSearch } from "./views/code.tsx";
import { FileView } from "./views/file.tsx";
import { Servers } from "./views/servers.tsx";
import { TimelineView } from "./views/timeline.tsx";
import { Tools } from "./views/tools.tsx";
import { TrafficView } from "./views/traffic.tsx";

const VIEWS = [
	{ name: "servers", title: "Servers", also: [] },
	{ name: "traffic", title: "Traffic", also: ["calls"] },
	{ name: "timeline", title: "Timeline", also: [] },
	{ name: "tools", title: "Tools", also: ["chain", "execute", "approvals"] },
	{ name: "code", title: "Code", also: ["file"] },
] as const;

/** Titles of the pages that belong to a view of another name. */
const PARTS: Readonly<Record<string, string>> = {
	calls: "Calls",
	chain: "Chain",
	execute: "Run code",
	approvals: "Approvals",
	file: "File",
};

export function App() {
	const { view, record, query } = place.value;
	const main = useRef<HTMLElement>(null);
	const current = VIEWS.find(({ name, also }) => name === view || also.some((other) => other === view));
	// Browser tabs and the history show only the title, so it names the record too.
	const what = record ?? query.get("of") ?? query.get("path") ?? query.get("q");
	const part = view === current?.name ? undefined : PARTS[view];
	const title = [what, part, current?.title ?? "Nothing here", "Holdfast"].filter(Boolean).join(" · ");
	useEffect(() => {
		document.title = title;
	}, [title]);
	return (
		<>
			<header class="top">
				<a
					class="skip"
					href={location.hash}
					onClick={(event) => {
						event.preventDefault();
						main.current?.focus();
					}}
				>
					Skip to content
				</a>
				<a class="brand" href={link("servers")}>
					<img src="/icon.svg" alt="" width="22" height="22" />
					Holdfast
				</a>
				<nav aria-label="Views">
					{VIEWS.map(({ name, title }) => (
						<a key={name} href={link(name)} aria-current={current?.name === name ? "page" : undefined}>
							{title}
							{name === "tools" && <Waiting />}
						</a>
					))}
				</nav>
				<Connection />
				<span class="hidden" role="status">
					{current?.title}
				</span>
			</header>
			<main ref={main} tabIndex={-1}>
				<Upgrade />
				{locked.value ? <Login /> : <View name={view} />}
			</main>
		</>
	);
}

function View({ name }: { name: string }) {
	switch (name) {
		case "servers":
			return <Servers />;
		case "traffic":
			return <TrafficView />;
		case "calls":
			return <Calls />;
		case "timeline":
			return <TimelineView />;
		case "tools":
		case "chain":
		case "execute":
		case "approvals":
			return <Tools view={name} />;
		case "code":
			return <CodeSearch />;
		case "file":
			return <FileView />;
		default:
			return (
				<div class="empty">
					<h1>There is nothing here</h1>
					<p>
						<a href={link("servers")}>Go to the servers</a>
					</p>
				</div>
			);
	}
}

function Waiting() {
	const { data } = useResource<"listApprovals">("/api/approvals?limit=1", [toolsChanged.value]);
	const count = data?.total ?? 0;
	return count === 0 ? null : (
		<>
			{" "}
			<span class="count" title={`${count.toLocaleString()} waiting for approval`}>
				{count.toLocaleString()}
				<span class="hidden"> waiting for approval</span>
			</span>
		</>
	);
}

/** Offers to reload, because a page of another version may misread the server's answers. */
function Upgrade() {
	if (upgrade.value === undefined) return null;
	const { from, to } = upgrade.value;
	return (
		<p class="notice warn" role="status">
			<span class="wrap">
				{to} runs now, but this page was loaded from {from}.
			</span>
			<button type="button" onClick={() => location.reload()}>
				Reload
			</button>
		</p>
	);
}

const SAYS = {
	connecting: "connecting",
	open: "live",
	lost: "disconnected, trying again",
	locked: "waiting for a token",
} as const;

function Connection() {
	return (
		<p class={`connection ${connection.value}`} role="status">
			<span class="dot" aria-hidden="true" />
			<span>{SAYS[connection.value]}</span>
		</p>
	);
}

/** Asks for the token that the server was started with; it is kept until the tab is closed. */
function Login() {
	const [token, setToken] = useState("");
	const field = useRef<HTMLInputElement>(null);
	// The form replaces the view that had the focus.
	useEffect(() => field.current?.focus(), []);
	if (unopenable.value !== undefined)
		return (
			<div class="card narrow">
				<h1>The console cannot be opened</h1>
				<p class="notice bad" role="alert">
					{unopenable.value}
				</p>
			</div>
		);
	return (
		<form
			class="card narrow"
			onSubmit={(event) => {
				event.preventDefault();
				unlock(token);
			}}
		>
			<h1>This server asks for a token</h1>
			{refused.value !== undefined && (
				<p class="notice bad" role="alert">
					{refused.value}
				</p>
			)}
			<label class="field">
				<span>Token</span>
				<input
					ref={field}
					type="password"
					autocomplete="current-password"
					required
					value={token}
					onInput={(event) => setToken(event.currentTarget.value)}
				/>
			</label>
			<p class="hint">
				The one given to <code>holdfast up --token</code>.
			</p>
			<div class="actions">
				<button class="primary" type="submit">
					Log in
				</button>
			</div>
		</form>
	);
}
