import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { readDocument } from "../../src/index/parseSource.ts";
import { listDocumentReaders } from "../../src/parse/documents/extractDocument.ts";
import { openIndexFolder } from "../../src/store/indexFolder.ts";
import { fixtureOf } from "../filter/fixtureRepository.ts";

const AS_ROOT = process.getuid?.() === 0 && "root reads all";

/** The smallest PDF that shows one line of text. */
function onePagePdf(text: string): Buffer {
	const stream = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
	const objects = [
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	];
	let body = "%PDF-1.4\n";
	const offsets = objects.map((object, index) => {
		const at = body.length;
		body += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return at;
	});
	const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
	const count = objects.length + 1;
	return Buffer.from(
		`${body}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
	);
}

test("the text of a PDF is found in extracted-prose mode, and a broken PDF is counted", async () => {
	const fixture = await fixtureOf(
		{ "a.ts": "export const unrelated = 1;\n", "broken.pdf": "%PDF-nonsense" },
		{ history: (root) => writeFileSync(join(root, "manual.pdf"), onePagePdf("Quarterly glider maintenance")) },
	);
	const { hits } = await fixture.repository.search({ query: "glider maintenance", mode: "extracted-prose" });
	assert.deepEqual(
		hits.map(({ path, name, mode, snippet }) => ({ path, name, mode, lines: snippet.lines })),
		[{ path: "manual.pdf", name: "page 1", mode: "extracted-prose", lines: ["Quarterly glider maintenance"] }],
	);
	assert.equal((await fixture.repository.search({ query: "glider", mode: "code" })).hits.length, 0);
	assert.equal((await fixture.repository.status()).skipped.unreadable, 1);
	await fixture.remove();
});

test("a document that was skipped for want of its reader is read once the reader is installed", {
	skip: listDocumentReaders().pdf ? false : "pdfjs-dist is not installed",
}, async () => {
	const fixture = await fixtureOf({ "a.ts": "export const unrelated = 1;\n", "manual.pdf": "not yet" });
	const manual = join(fixture.root, "manual.pdf");
	writeFileSync(manual, onePagePdf("Quarterly glider maintenance"));
	// As an installation without the reader leaves it.
	const { size, mtimeMs, ctimeMs, ino } = statSync(manual);
	const database = new DatabaseSync(openIndexFolder(fixture.cacheRoot, fixture.root).current() ?? "");
	database
		.prepare("UPDATE stats SET bytes = ?, mtime = ?, ctime = ?, inode = ?, state = ? WHERE path = 'manual.pdf'")
		.run(size, mtimeMs, ctimeMs, ino, "readerMissing");
	database.close();
	const { skipped, stale } = await fixture.repository.status();
	assert.deepEqual([skipped.readerMissing, stale], [1, { changed: 1, added: 0, removed: 0 }]);
	const { hits } = await fixture.repository.search({ query: "glider maintenance", mode: "extracted-prose" });
	assert.deepEqual(
		hits.map(({ path }) => path),
		["manual.pdf"],
	);
	await fixture.remove();
});

test("a document that cannot be opened is not read, and a link in its place is not followed", async (t) => {
	const root = mkdtempSync(join(tmpdir(), "cleats-document-"));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	writeFileSync(join(root, "manual.pdf"), onePagePdf("Quarterly glider maintenance"));
	symlinkSync("manual.pdf", join(root, "link.pdf"));
	const kind = async (name: string, maxBytes: number) => (await readDocument(root, name, "pdf", maxBytes)).kind;
	assert.equal(await kind("manual.pdf", 100_000), "document");
	assert.equal(await kind("manual.pdf", 10), "oversize");
	assert.equal(await kind("link.pdf", 100_000), "unreadable");
	assert.equal(await kind("none.pdf", 100_000), "missing");
});

test("a document without read rights is counted and fails no build", { skip: AS_ROOT }, async () => {
	const fixture = await fixtureOf(
		{ "a.ts": "export const readable = 1;\n" },
		{ history: (root) => writeFileSync(join(root, "manual.pdf"), onePagePdf("Secret"), { mode: 0 }) },
	);
	assert.equal((await fixture.repository.search({ query: "readable" })).hits.length, 1);
	assert.equal((await fixture.repository.status()).skipped.unreadable, 1);
	await fixture.remove();
});
