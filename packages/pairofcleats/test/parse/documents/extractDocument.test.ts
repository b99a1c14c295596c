import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import {
	extractDocument,
	findDocumentFormat,
	listDocumentReaders,
} from "../../../src/parse/documents/extractDocument.ts";

test("the text of a PDF is extracted by page", {
	skip: listDocumentReaders().pdf ? false : "pdfjs-dist is not installed",
}, async () => {
	const read = await extractDocument("pdf", pdf(["Keep the store dry", "Second page"]));
	assert.deepEqual(read, {
		kind: "text",
		prose: [
			{ startLine: 1, endLine: 1, text: "Keep the store dry" },
			{ startLine: 2, endLine: 2, text: "Second page" },
		],
	});
});

test("the text of a DOCX is extracted by paragraph", {
	skip: listDocumentReaders().docx ? false : "mammoth is not installed",
}, async () => {
	const read = await extractDocument("docx", docx(["Keep the store dry", "Second paragraph"]));
	assert.deepEqual(read, {
		kind: "text",
		prose: [{ startLine: 1, endLine: 2, text: "Keep the store dry\nSecond paragraph" }],
	});
});

test("bytes that are not a document give a result, not an error", async () => {
	for (const format of ["pdf", "docx"] as const) {
		const read = await extractDocument(format, Buffer.from("not a document at all"));
		assert.notEqual(read.kind, "text");
	}
});

test("documents read at the same time are not mixed up, and a bad one among them harms none", {
	skip: listDocumentReaders().pdf ? false : "pdfjs-dist is not installed",
}, async () => {
	const words = ["first", "second", "third"];
	const [bad, ...read] = await Promise.all([
		extractDocument("pdf", Buffer.from("%PDF-1.4\nnothing follows")),
		...words.map((word) => extractDocument("pdf", pdf([word]))),
	]);
	assert.equal(bad?.kind, "unreadable");
	assert.deepEqual(
		read.map((document) => document.kind === "text" && document.prose.map(({ text }) => text)),
		words.map((word) => [word]),
	);
});

test("a process that has read a document ends when it has nothing else to do", {
	skip: listDocumentReaders().pdf ? false : "pdfjs-dist is not installed",
}, () => {
	const program = new URL("../../../src/parse/documents/extractDocument.ts", import.meta.url).href;
	const script = `import { extractDocument } from ${JSON.stringify(program)};
		const read = await extractDocument("pdf", Buffer.from(process.argv[1], "base64"));
		console.log(read.prose[0].text);`;
	const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script];
	const ended = spawnSync(process.execPath, [...args, pdf(["Keep the store dry"]).toString("base64")], {
		encoding: "utf8",
		timeout: 120_000,
	});
	assert.equal(ended.stdout.trim(), "Keep the store dry", ended.stderr);
	assert.equal(ended.status, 0);
});

test("documents are recognised by their extension", () => {
	assert.deepEqual(["a.pdf", "b/C.DOCX", "c.doc", "pdf"].map(findDocumentFormat), [
		"pdf",
		"docx",
		undefined,
		undefined,
	]);
});

function pdf(pages: readonly string[]): Buffer {
	const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
	const objects = [
		"<< /Type /Catalog /Pages 2 0 R >>",
		`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		...pages.flatMap((text, index) => {
			const stream = `BT /F1 12 Tf 10 100 Td (${text}) Tj ET`;
			return [
				`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
				`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
			];
		}),
	];
	let text = "%PDF-1.4\n";
	const offsets = objects.map((body, index) => {
		const at = text.length;
		text += `${index + 1} 0 obj\n${body}\nendobj\n`;
		return at;
	});
	const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
	const start = text.length;
	text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
	return Buffer.from(text, "latin1");
}

function docx(paragraphs: readonly string[]): Buffer {
	const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
	const packageNs = "http://schemas.openxmlformats.org/package/2006";
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
	const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join("");
	return storedZip({
		"[Content_Types].xml": `<Types xmlns="${packageNs}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"_rels/.rels": `<Relationships xmlns="${packageNs}/relationships"><Relationship Id="r1" Type="${office}" Target="word/document.xml"/></Relationships>`,
		"word/document.xml": `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
	});
}

function storedZip(files: Readonly<Record<string, string>>): Buffer {
	const parts: Buffer[] = [];
	const central: Buffer[] = [];
	let offset = 0;
	for (const [name, text] of Object.entries(files)) {
		const data = Buffer.from(text);
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt32LE(crc32(data), 10);
		fields.writeUInt32LE(data.length, 14);
		fields.writeUInt32LE(data.length, 18);
		fields.writeUInt16LE(name.length, 22);
		const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), data]);
		const tail = Buffer.alloc(14);
		tail.writeUInt32LE(offset, 10);
		central.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\0"), fields, tail, Buffer.from(name)]));
		parts.push(local);
		offset += local.length;
	}
	const directory = Buffer.concat(central);
	const end = Buffer.alloc(18);
	end.writeUInt16LE(central.length, 4);
	end.writeUInt16LE(central.length, 6);
	end.writeUInt32LE(directory.length, 8);
	end.writeUInt32LE(offset, 12);
	return Buffer.concat([...parts, directory, Buffer.from("PK\u0005\u0006"), end]);
}
