import type { ProseChunk } from "../chunk.ts";
import type { DocumentFormat } from "./extractDocument.ts";

const MAX_PAGES = 500;
const MAX_CHARACTERS = 2_000_000;

/** Extracts a document's text. Line numbers are page numbers for a PDF and paragraph numbers for a DOCX. */
export function readDocumentText(format: DocumentFormat, bytes: Uint8Array): Promise<ProseChunk[]> {
	return format === "pdf" ? readPdf(bytes) : readDocx(bytes);
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
