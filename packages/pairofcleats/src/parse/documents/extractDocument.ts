import { createRequire } from "node:module";
import { readInThread } from "./documentReader.ts";
import type { DocumentFormat, DocumentText } from "./documentText.ts";

/** The optional packages that read documents. */
const DOCUMENT_READERS: Readonly<Record<DocumentFormat, string>> = { pdf: "pdfjs-dist", docx: "mammoth" };

const { resolve } = createRequire(import.meta.url);

/** The document format by file extension; undefined for any other file. */
export function documentFormat(path: string): DocumentFormat | undefined {
	const match = /\.(pdf|docx)$/i.exec(path)?.[1]?.toLowerCase();
	return match === "pdf" || match === "docx" ? match : undefined;
}

/** Which reader packages are installed, found without loading them. */
export function documentReaders(): Readonly<Record<DocumentFormat, boolean>> {
	return { pdf: isInstalled("pdfjs-dist/legacy/build/pdf.mjs"), docx: isInstalled("mammoth") };
}

/** Extracts the text of a PDF or DOCX in a worker thread. */
export async function extractDocument(format: DocumentFormat, bytes: Uint8Array): Promise<DocumentText> {
	if (!documentReaders()[format]) return { kind: "readerMissing", package: DOCUMENT_READERS[format] };
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
