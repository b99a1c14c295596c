/** Where to send OpenTelemetry data, from the standard `OTEL_` variables. */
export type OtlpSettings = {
	readonly traces: string | undefined;
	readonly metrics: string | undefined;
	readonly headers: Readonly<Record<string, string>>;
	/** Resource attributes sent with everything. */
	readonly resource: Readonly<Record<string, string>>;
};

/** Returns `undefined` if nothing is to be sent. Only OTLP over HTTP with JSON is supported. */
export function readOtlpSettings(environment: NodeJS.ProcessEnv = process.env): OtlpSettings | undefined {
	if (environment.OTEL_SDK_DISABLED === "true") return undefined;
	const address = (signal: "TRACES" | "METRICS"): string | undefined => {
		if (environment[`OTEL_${signal}_EXPORTER`] === "none") return undefined;
		const whole = environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`];
		const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
		const found = whole ?? (base ? `${base.replace(/\/$/, "")}/v1/${signal.toLowerCase()}` : undefined);
		return found !== undefined && URL.canParse(found) ? found : undefined;
	};
	const [traces, metrics] = [address("TRACES"), address("METRICS")];
	if (traces === undefined && metrics === undefined) return undefined;
	return {
		traces,
		metrics,
		headers: pairs(environment.OTEL_EXPORTER_OTLP_HEADERS),
		resource: {
			...pairs(environment.OTEL_RESOURCE_ATTRIBUTES),
			"service.name": environment.OTEL_SERVICE_NAME ?? "holdfast",
		},
	};
}

/** `a=1,b=2`, values percent-encoded. */
function pairs(text = ""): Record<string, string> {
	return Object.fromEntries(
		text.split(",").flatMap((pair) => {
			const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
			return name === undefined || value === undefined ? [] : [[name, decoded(value.trim())]];
		}),
	);
}

function decoded(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}
