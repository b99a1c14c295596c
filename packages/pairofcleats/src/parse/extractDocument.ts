import { createRequire } from "node:module";
import type { ProseChunk } from "./chunk.ts";

/** Text of a document; absence of the reader is an answer, not a failure. */
export type DocumentText =
	| { readonly kind: "text"; readonly prose: readonly ProseChunk[] }
	| { readonly kind: "readerMissing"; readonly package: string }
	| { readonly kind: "unreadable"; readonly reason: string };

export type DocumentFormat = "pdf" | "docx";

/** The optional packages that read documents. */
export const DOCUMENT_READERS: Readonly<Record<DocumentFormat, string>> = { pdf: "pdfjs-dist", docx: "mammoth" };

const { resolve } = createRequire(import.meta.url);

const MAX_PAGES = 500;
const MAX_CHARACTERS = 2_000_000;

export function documentFormat(path: string): DocumentFormat | undefined {
	const match = /\.(pdf|docx)$/i.exec(path)?.[1]?.toLowerCase();
	return match === "pdf" || match === "docx" ? match : undefined;
}

/** Which readers are installed; nothing of them is loaded. */
export function documentReaders(): Readonly<Record<DocumentFormat, boolean>> {
	return { pdf: isInstalled("pdfjs-dist/legacy/build/pdf.mjs"), docx: isInstalled("mammoth") };
}

/** Extracts a document's text. Pages of a PDF are its lines' numbers; a DOCX has a line per paragraph. */
export async function extractDocument(format: DocumentFormat, bytes: Uint8Array): Promise<DocumentText> {
	if (!documentReaders()[format]) return { kind: "readerMissing", package: DOCUMENT_READERS[format] };
	try {
		return { kind: "text", prose: format === "pdf" ? await readPdf(bytes) : await readDocx(bytes) };
	} catch (error) {
		return { kind: "unreadable", reason: error instanceof Error ? error.message : String(error) };
	}
}

function isInstalled(specifier: string): boolean {
	try {
		resolve(specifier);
		return true;
	} catch {
		return false;
	}
}

async function readPdf(bytes: Uint8Array): Promise<ProseChunk[]> {
	const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
	const loading = getDocument({
		data: Uint8Array.from(bytes),
		useSystemFonts: false,
		disableFontFace: true,
		stopAtErrors: false,
		verbosity: VerbosityLevel.ERRORS,
	});
	try {
		const document = await loading.promise;
		const prose: ProseChunk[] = [];
		let left = MAX_CHARACTERS;
		for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES) && left > 0; number += 1) {
			const page = await document.getPage(number);
			const { items } = await page.getTextContent();
			const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
			page.cleanup();
			if (text.trim() === "") continue;
			prose.push({ startLine: number, endLine: number, text: text.slice(0, left) });
			left -= text.length;
		}
		return prose;
	} finally {
		await loading.destroy();
	}
}

async function readDocx(bytes: Uint8Array): Promise<ProseChunk[]> {
	const mammoth = await import("mammoth");
	const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
	const paragraphs = value.slice(0, MAX_CHARACTERS).split(/\n+/);
	const prose: ProseChunk[] = [];
	paragraphs.forEach((paragraph, index) => {
		const line = index + 1;
		const last = prose.at(-1);
		if (paragraph.trim() === "") return;
		if (last && last.text.length < 2_000)
			prose[prose.length - 1] = { ...last, endLine: line, text: `${last.text}\n${paragraph}` };
		else prose.push({ startLine: line, endLine: line, text: paragraph });
	});
	return prose;
}
