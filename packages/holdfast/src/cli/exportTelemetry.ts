import { writeStderr } from "libmcp/command";
import type { Host } from "libmcp/host";
import { OtlpExporter } from "../telemetry/otlpExporter.ts";
import { otlpSettings } from "../telemetry/otlpSettings.ts";

/** Sends this host's telemetry to the collector named by OpenTelemetry's variables, if any. */
export async function exportTelemetry({
	name,
	events,
}: Pick<Host, "name" | "events">): Promise<OtlpExporter | undefined> {
	const settings = otlpSettings();
	if (settings === undefined) return undefined;
	const exporter = new OtlpExporter(settings, { log: (line) => writeStderr(`holdfast host: ${line}\n`) });
	events.addSink(exporter.sink(name));
	return exporter;
}
