import { readdirSync, readFileSync } from "node:fs";

export type Trend = { readonly from: number; readonly to: number; readonly perMinute: number };

/** The first part of a run loads code and fills caches. */
const WARM_UP_SHARE = 0.4;

type Sample = { readonly minutes: number; readonly megabytes: number; readonly descriptors: number };

/** Watches a process's memory and descriptors, and tells how they went after the warm-up. */
export class ProcessGauge {
	readonly #samples: Sample[] = [];
	readonly #started = performance.now();
	readonly #pid: number;
	readonly #timer: NodeJS.Timeout;

	constructor(pid: number, everyMs = 1_000) {
		this.#pid = pid;
		this.#timer = setInterval(() => this.#take(), everyMs);
	}

	stop(): { readonly megabytes: Trend; readonly descriptors: Trend } {
		clearInterval(this.#timer);
		return {
			megabytes: trend(this.#samples.map(({ minutes, megabytes }) => [minutes, megabytes])),
			descriptors: trend(this.#samples.map(({ minutes, descriptors }) => [minutes, descriptors])),
		};
	}

	#take(): void {
		try {
			const status = readFileSync(`/proc/${this.#pid}/status`, "utf8");
			const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
			this.#samples.push({
				minutes: (performance.now() - this.#started) / 60_000,
				megabytes: kilobytes / 1_024,
				descriptors: readdirSync(`/proc/${this.#pid}/fd`).length,
			});
		} catch {
			// It has ended; what was seen so far counts.
		}
	}
}

/** The least-squares line through the points after the warm-up, by its ends and its slope. */
export function trend(all: readonly (readonly [minutes: number, y: number])[]): Trend {
	const points = all.slice(Math.floor(all.length * WARM_UP_SHARE));
	const count = points.length;
	if (count < 2) return { from: 0, to: 0, perMinute: 0 };
	const mean = (pick: 0 | 1) => points.reduce((sum, point) => sum + point[pick], 0) / count;
	const [x, y] = [mean(0), mean(1)];
	const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
	const perMinute = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / (spread || 1);
	const at = (minutes: number) => y + perMinute * (minutes - x);
	return { from: at(points[0]?.[0] ?? x), to: at(points[count - 1]?.[0] ?? x), perMinute };
}
