import type { FileText } from "pairofcleats";
import { useEffect, useRef } from "preact/hooks";
import { Marked, Path, Scroll } from "../parts/content.tsx";
import { Loaded } from "../parts/states.tsx";
import { useResource } from "../resource.ts";
import { link, place } from "../route.ts";

const BEFORE = 200;
const AFTER = 600;

/** A file of the repository, opened at a line. */
export function FileView() {
	const { query } = place.value;
	const path = query.get("path") ?? "";
	// Without a line, the file is shown from its start and no line is marked.
	const line = Math.max(0, Math.floor(Number(query.get("line"))) || 0);
	const q = query.get("q") ?? "";
	const start = Math.max(1, line - BEFORE);
	const file = useResource<"showFile">(
		`/api/file?path=${encodeURIComponent(path)}&startLine=${start}&endLine=${line + AFTER}`,
	);
	return (
		<>
			<div class="title">
				<h1 class="wrap">
					<Path path={path} />
				</h1>
				<p class="muted">
					<a href={link("code", undefined, { q })}>← Search</a>
				</p>
			</div>
			<Loaded from={file}>{({ file: text }) => <Lines file={text} line={line} q={q} />}</Loaded>
			{file.failure?.code === "invalid_request" && start > 1 && (
				<p class="hint">
					The file may have been longer. <a href={link("file", undefined, { path, q })}>Show it from its start</a>
				</p>
			)}
		</>
	);
}

function Lines({ file, line, q }: { file: FileText; line: number; q: string }) {
	const target = useRef<HTMLSpanElement>(null);
	useEffect(() => {
		const shown = target.current;
		const box = shown?.closest(".source");
		if (shown === null || !box) return;
		// Not `scrollIntoView`, which would also scroll the page and hide the file's name under the header.
		const { top } = shown.getBoundingClientRect();
		box.scrollTop += top - box.getBoundingClientRect().top - box.clientHeight / 2;
	}, [file.path, line]);
	const at = (number: number): string => link("file", undefined, { path: file.path, line: String(number), q });
	return (
		<>
			<p class="hint">
				{file.language}, lines {file.startLine} to {file.endLine} of {file.totalLines}
				{file.startLine > 1 && (
					<>
						{" · "}
						<a href={at(Math.max(1, file.startLine - AFTER))}>Earlier lines</a>
					</>
				)}
				{file.endLine < file.totalLines && (
					<>
						{" · "}
						<a href={at(file.endLine + 1)}>Later lines</a>
					</>
				)}
			</p>
			<Scroll class="card source" label="Source">
				<pre>
					{file.text.split("\n").map((text, place) => {
						const number = file.startLine + place;
						return (
							<span
								key={number}
								{...(number === line && { ref: target })}
								class={number === line ? "line matched" : "line"}
							>
								<span class="line-number">{number}</span>
								<span class="line-text">
									<Marked text={text} q={q} />
								</span>
								{"\n"}
							</span>
						);
					})}
				</pre>
			</Scroll>
		</>
	);
}
