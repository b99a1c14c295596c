/** The shells that `completionScript` can write a script for. */
export const COMPLETED_SHELLS = ["bash", "zsh", "fish"] as const;

/**
 * A shell script that makes the tab key run `<command> completion --words -- <words>`; the last word is unfinished. The
 * command prints one candidate per line, with an optional tab and description, which only fish shows. If it prints
 * nothing, the shell completes file names. Returns `undefined` for an unknown shell.
 */
export function completionScript(command: string, shell: string | undefined): string | undefined {
	return SCRIPTS.get(shell)?.(command);
}

const bash = (command: string): string => `_${command}() {
  local IFS=$'\\n'
  COMPREPLY=($(${command} completion --words -- "\${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _${command} ${command}`;

/** Uses zsh's bashcompinit; `compinit -i` skips insecure folders instead of asking at every start. */
const zsh = (command: string): string => `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
autoload -U +X bashcompinit && bashcompinit
${bash(command)}`;

const fish = (command: string): string => `function __${command}_words
    set -l words (commandline -opc) (commandline -ct)
    ${command} completion --words -- $words[2..] 2>/dev/null | string collect; and return
    __fish_complete_path (commandline -ct)
end
complete -c ${command} -f -a '(__${command}_words)'`;

const SCRIPTS = new Map<string | undefined, (command: string) => string>(Object.entries({ bash, zsh, fish }));
