import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { ProseChunk } from "../chunk.ts";

/** The optional packages that read documents. */
const DOCUMENT_READERS: Readonly<Record<DocumentFormat, string>> = { pdf: "pdfjs-dist", docx: "mammoth" };

const { resolve } = createRequire(import.meta.url);

/** The document format by file extension; undefined for any other file. */
export function findDocumentFormat(path: string): DocumentFormat | undefined {
	const match = /\.(pdf|docx)$/i.exec(path)?.[1]?.toLowerCase();
	return match === "pdf" || match === "docx" ? match : undefined;
}

/** Which reader packages are installed, found without loading them. */
export function listDocumentReaders(): Readonly<Record<DocumentFormat, boolean>> {
	return { pdf: isInstalled("pdfjs-dist/legacy/build/pdf.mjs"), docx: isInstalled("mammoth") };
}

/** Extracts the text of a PDF or DOCX in a worker thread. */
export async function extractDocument(format: DocumentFormat, bytes: Uint8Array): Promise<DocumentText> {
	if (!listDocumentReaders()[format]) return { kind: "readerMissing", package: DOCUMENT_READERS[format] };
	return readInThread(format, bytes);
}

function isInstalled(specifier: string): boolean {
	try {
		resolve(specifier);
		return true;
	} catch {
		return false;
	}
}

export type DocumentRequest = { readonly id: number; readonly format: DocumentFormat; readonly bytes: Uint8Array };
export type DocumentAnswer = { readonly id: number; readonly text: DocumentText };

/** Documents arrive in bursts. The reader libraries are large, so the thread is stopped soon after a burst ends. */
const IDLE_MS = 5_000;
/** Heap limit of the reader thread: a hostile document that exhausts memory ends the thread, not the process. */
const MOST_MEGABYTES = 512;

let thread: Worker | undefined;
let lastId = 0;
let idle: NodeJS.Timeout | undefined;
const waiting = new Map<number, (text: DocumentText) => void>();

/**
 * Reads a document in a worker thread. The reader libraries detach buffers, which makes V8 permanently deoptimise
 * typed-array code in their isolate; in a thread of their own that does not slow down the indexer.
 */
export function readInThread(format: DocumentFormat, bytes: Uint8Array): Promise<DocumentText> {
	clearTimeout(idle);
	const reader = thread ?? startThread();
	const request: DocumentRequest = { id: ++lastId, format, bytes };
	return new Promise((resolve) => {
		waiting.set(request.id, resolve);
		reader.ref();
		reader.postMessage(request);
	});
}

function startThread(): Worker {
	const extension = import.meta.filename.endsWith(".ts") ? ".ts" : ".js";
	const worker = new Worker(new URL(`./documentMain${extension}`, import.meta.url), {
		execArgv: ["--disable-warning=ExperimentalWarning"],
		resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
		// What a library prints there must not get into our own output.
		stdout: true,
	});
	thread = worker;
	let reason = "its reader ended";
	worker.on("message", ({ id, text }: DocumentAnswer) => settle(id, text));
	worker.on("error", (error) => {
		reason = error.message;
	});
	worker.on("exit", () => {
		if (thread !== worker) return;
		thread = undefined;
		for (const id of [...waiting.keys()]) settle(id, { kind: "unreadable", reason });
	});
	return worker;
}

function settle(id: number, text: DocumentText): void {
	waiting.get(id)?.(text);
	waiting.delete(id);
	if (waiting.size > 0 || thread === undefined) return;
	const last = thread;
	last.unref();
	idle = setTimeout(() => {
		thread = undefined;
		void last.terminate();
	}, IDLE_MS).unref();
}

export type DocumentFormat = "pdf" | "docx";

/** Text of a document. A missing reader package is a normal result, not an error. */
export type DocumentText =
	| { readonly kind: "text"; readonly prose: readonly ProseChunk[] }
	| { readonly kind: "readerMissing"; readonly package: string }
	| { readonly kind: "unreadable"; readonly reason: string };
