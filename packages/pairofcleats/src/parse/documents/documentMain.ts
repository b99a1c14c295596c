// Worker thread entry point: extracts the text of documents.
import { parentPort } from "node:worker_threads";
import type { DocumentAnswer, DocumentRequest, DocumentText } from "./extractDocument.ts";
import { readDocumentText } from "./readDocumentText.ts";

parentPort?.on("message", async ({ id, format, bytes }: DocumentRequest) => {
	const answer: DocumentAnswer = { id, text: await textOf({ format, bytes }) };
	parentPort?.postMessage(answer);
});

async function textOf({ format, bytes }: Omit<DocumentRequest, "id">): Promise<DocumentText> {
	try {
		return { kind: "text", prose: await readDocumentText(format, bytes) };
	} catch (error) {
		return { kind: "unreadable", reason: error instanceof Error ? error.message : String(error) };
	}
}
