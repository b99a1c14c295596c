// Entry point for a command line: what it prints, how it reads its words and fails, and where it keeps the user's files.
export { painted, takesColour } from "./command/colour.ts";
export { type CommandFailure, commandFailure, type FieldMessage } from "./command/commandFailure.ts";
export { COMPLETED_SHELLS, completionScript } from "./command/completionScript.ts";
export { failureText } from "./command/failureText.ts";
export { makeFolder } from "./command/makeFolder.ts";
export { mindOutput } from "./command/mindOutput.ts";
export { nearest, suggestion } from "./command/nearest.ts";
export { optionProblem } from "./command/optionProblem.ts";
export { ownWords } from "./command/ownWords.ts";
export { replaceFile } from "./command/replaceFile.ts";
export { stopSignal } from "./command/stopSignal.ts";
export { tooWide } from "./command/tooWide.ts";
export { UsageError } from "./command/usageError.ts";
export { homeFolder, neededHome, userFolder } from "./command/userFolder.ts";
export { endProcess } from "./process/endProcess.ts";
export { isAlive } from "./process/isAlive.ts";
export { plainText } from "./render/plainText.ts";
export { folded, pad, widthOf } from "./render/terminalText.ts";
