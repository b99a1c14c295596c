// Entry point for a command line: what it prints, how it reads its words and fails, and where it keeps the user's files.

export {
	COMPLETED_SHELLS,
	describeOptionProblem as optionProblem,
	parseDuration as durationMs,
	quoteShellWord as shellWord,
	takeOwnWords as ownWords,
	writeCompletionScript as completionScript,
} from "./command/arguments.ts";
export {
	type CommandFailure,
	createCommandFailure as commandFailure,
	type FieldMessage,
	failureText,
	UsageError,
} from "./command/commandFailure.ts";
export {
	describeTooWide as tooWide,
	findHome as homeFolder,
	findUserFolder as userFolder,
	makeFolder,
	openRuntimeFolder as runtimeFolder,
	requireHome as neededHome,
} from "./command/folders.ts";
export { runInBlockingTurn as inBlockingTurn, runInTurn as inTurn } from "./command/inTurn.ts";
export { findNearest as nearest, suggestName as suggestion } from "./command/nearest.ts";
export { readIfPresent as ifPresent, replaceFile } from "./command/replaceFile.ts";
export { createStopSignal as stopSignal } from "./command/stopSignal.ts";
export {
	endOnOutputError as mindOutput,
	explainWaiting as tellWaiting,
	hasColour as takesColour,
	paintText as painted,
} from "./command/terminal.ts";
export { groupBursts as burst, watchPath } from "./command/watchPath.ts";
export { readErrorCode as errorCode, toError as asError } from "./fault/thrown.ts";
export { endProcess, isAlive, writeStderr } from "./process/ownProcess.ts";
export { renderCount as countText } from "./render/lines.ts";
export {
	foldText as folded,
	measureWidth as widthOf,
	padText as pad,
	toPlainText as plainText,
} from "./render/terminalText.ts";
