import { type Config, checkServing } from "metatools";
import { createLock } from "./lock.ts";

/** Throws an Error that names the setting with which the product cannot be served. */
export function checkProduct(config: Config, token: string | undefined): void {
	const { host } = config.settings;
	checkServing(config, host, createLock(() => config.sections.auth, token, host).rules());
}
