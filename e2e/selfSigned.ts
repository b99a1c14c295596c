import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

/** A certificate for this machine that only its holder vouches for, under this name, and its key. */
export function selfSigned(folder: string, name: string): { readonly cert: string; readonly key: string } {
	const files = { cert: join(folder, `${name}.cert.pem`), key: join(folder, `${name}.key.pem`) };
	const make = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
	const names = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
	execFileSync("openssl", [...make, ...names, "-keyout", files.key, "-out", files.cert], { stdio: "ignore" });
	return files;
}

/** Why a test that needs a certificate is skipped; false where one can be made. */
export const noCertificates: string | false =
	spawnSync("openssl", ["version"]).status === 0 ? false : "no openssl to make certificates with";
