// Entry point for a command line: what it prints, how it reads its words and fails, and where it keeps the user's files.

export {
	COMPLETED_SHELLS,
	completionScript,
	durationMs,
	optionProblem,
	ownWords,
	shellWord,
} from "./command/arguments.ts";
export {
	type CommandFailure,
	commandFailure,
	type FieldMessage,
	failureText,
	UsageError,
} from "./command/commandFailure.ts";
export { homeFolder, makeFolder, neededHome, runtimeFolder, tooWide, userFolder } from "./command/folders.ts";
export { inBlockingTurn, inTurn } from "./command/inTurn.ts";
export { nearest, suggestion } from "./command/nearest.ts";
export { ifPresent, replaceFile } from "./command/replaceFile.ts";
export { stopSignal } from "./command/stopSignal.ts";
export { mindOutput, painted, takesColour, tellWaiting } from "./command/terminal.ts";
export { burst, watchPath } from "./command/watchPath.ts";
export { asError, errorCode } from "./fault/thrown.ts";
export { endProcess, isAlive, writeStderr } from "./process/ownProcess.ts";
export { countText } from "./render/lines.ts";
export { folded, pad, plainText, widthOf } from "./render/terminalText.ts";
