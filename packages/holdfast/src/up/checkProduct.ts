import { type Config, checkServing } from "metatools";
import { createLock } from "./lock.ts";

/** Throws an Error that names what would keep the product from being served as it is configured. */
export function checkProduct(config: Config, token: string | undefined): void {
	checkServing(config, config.settings.host, createLock(() => config.sections.auth, token).rules());
}
