import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";

export type TlsFiles = { readonly cert: string; readonly key: string };
export type TlsContext = { readonly cert: Buffer; readonly key: Buffer };

// Polled, because certificates are often replaced by renaming a link, which a watch on the file does not see.
const POLL_MS = 1_000;

/** Reads certificate and key now, and again whenever one of the files changes. A pair that does not fit is not used. */
export function watchTls(
	files: TlsFiles,
	onProblem: (problem: string) => void = () => {},
): { readonly context: TlsContext; onChange(use: (context: TlsContext) => void): void; stop(): void } {
	let use: (context: TlsContext) => void = () => {};
	const reload = (): void => {
		try {
			use(readTls(files));
		} catch (error) {
			onProblem(`the changed certificate is not used: ${error instanceof Error ? error.message : String(error)}`);
		}
	};
	const context = readTls(files);
	const paths = [files.cert, files.key];
	for (const path of paths) watchFile(path, { interval: POLL_MS, persistent: false }, reload);
	return {
		context,
		onChange: (next) => {
			use = next;
		},
		stop: () => {
			for (const path of paths) unwatchFile(path, reload);
		},
	};
}

function readTls(files: TlsFiles): TlsContext {
	const context = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
	createSecureContext(context);
	return context;
}
