import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";

export type TlsFiles = { readonly cert: string; readonly key: string };
export type TlsContext = { readonly cert: Buffer; readonly key: Buffer };

// Polled, because certificates are often replaced by renaming a link, which a watch on the file does not see.
const POLL_MS = 1_000;

/** Calls `use` whenever a file has changed and certificate and key match. Returns a function that stops watching. */
export function watchTls(
	files: TlsFiles,
	use: (context: TlsContext) => void,
	onProblem: (problem: string) => void = () => {},
): () => void {
	const reload = (): void => {
		try {
			use(readTls(files));
		} catch (error) {
			onProblem(`the changed certificate is not used: ${error instanceof Error ? error.message : String(error)}`);
		}
	};
	const paths = [files.cert, files.key];
	for (const path of paths) watchFile(path, { interval: POLL_MS, persistent: false }, reload);
	return () => {
		for (const path of paths) unwatchFile(path, reload);
	};
}

/** Reads certificate and key for a server; throws an Error that names the unusable file. */
export function readTls(files: TlsFiles): TlsContext {
	const cert = read(files.cert, "a certificate", (text) => new X509Certificate(text));
	const key = read(files.key, "a private key without a password", (text) => createPrivateKey(text));
	if (!cert.parsed.checkPrivateKey(key.parsed))
		throw new Error(`${files.key}: expected the private key of ${files.cert}, got that of another certificate`);
	const context = { cert: cert.text, key: key.text };
	createSecureContext(context);
	return context;
}

function read<Parsed>(path: string, what: string, parse: (text: Buffer) => Parsed): { text: Buffer; parsed: Parsed } {
	const text = attempt(path, what, "no file that can be read", () => readFileSync(path));
	return { text, parsed: attempt(path, what, "something else", () => parse(text)) };
}

function attempt<Value>(path: string, what: string, came: string, body: () => Value): Value {
	try {
		return body();
	} catch (cause) {
		throw new Error(`${path}: expected a file with ${what} in PEM, got ${came}`, { cause });
	}
}
