// Completion for bash, zsh and fish. The shell scripts call the program itself for the candidates, so the logic exists
// only once.
import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'];

const scripts: Record<string, string> = {
  bash: `_commonhall_api() {
  local line
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do COMPREPLY+=("$line"); done \\
    < <(commonhall-api __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _commonhall_api commonhall-api
`,
  zsh: `#compdef commonhall-api
_commonhall_api() {
  local -a found
  local word text
  while IFS=$'\\t' read -r word text; do found+=("\${word//:/\\\\:}:$text"); done \\
    < <(commonhall-api __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe 'commonhall-api' found
}
compdef _commonhall_api commonhall-api
`,
  fish: `complete -c commonhall-api -f -a '(commonhall-api __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};
export const completionScript = (shell: string): string => scripts[shell]!;

const lineOf = (word: string, text: string): string => `${word}\t${text.split('. ')[0]?.replace(/\s+/g, ' ') ?? ''}\n`;
const isShown = (command: Command): boolean => !command.name().startsWith('_');

/** The candidates for the last of these words, one per line, with their descriptions. */
export const completeWords = (program: Command, words: readonly string[]): string => {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  let command = program;
  for (const word of before) command = command.commands.find((one) => one.name() === word) ?? command;
  const options = [...command.options, ...(command === program ? [] : program.options)].filter(({ hidden }) => !hidden);
  const previous = options.find(({ long }) => long === before.at(-1));
  const starting = (lines: readonly [string, string][]) =>
    lines
      .filter(([word]) => word.startsWith(last))
      .map(([word, text]) => lineOf(word, text))
      .join('');
  if (previous?.required) return starting((previous.argChoices ?? []).map((choice) => [choice, '']));
  if (last.startsWith('-')) return starting(options.map(({ long, description }) => [long ?? '', description]));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return starting([
    ...command.commands
      .filter(isShown)
      .map((one): [string, string] => [one.name(), one.summary() || one.description()]),
    ...choices.map((choice): [string, string] => [choice, '']),
  ]);
};
