import type { UpstreamWatch } from "metatools";

/** Combines several watches into one. */
export function watchedBy(...watches: readonly (UpstreamWatch | undefined)[]): UpstreamWatch {
	return {
		host(server, host) {
			for (const watch of watches) watch?.host?.(server, host);
		},
		state(server, state, fault) {
			for (const watch of watches) watch?.state?.(server, state, fault);
		},
	};
}
