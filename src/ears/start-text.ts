/**
 * Start text: which arguments of a command are text that the program may print back (a prompt), and which are code that
 * it runs.
 *
 * Agents print the prompt that they got as an argument; that copy is an echo. The inline program of a shell or
 * interpreter is code instead: what it prints is output, even if the same words are in the code.
 *
 *     codex exec PROMPT                       PROMPT is text
 *     bash -euo pipefail -c SCRIPT sh PROMPT  SCRIPT is code, PROMPT is text
 *     env A=1 timeout 9 python3 -c CODE       CODE is code, wherever the interpreter is in the command
 *     node agent.js -p PROMPT                 PROMPT is text: the flag is the script's, not the interpreter's
 */
interface Interpreter {
  /** The program's name without its folder. */
  readonly name: RegExp;
  /** Matches the option that precedes the program's text, such as `-c`. */
  readonly inline: RegExp;
  /** Matches an option that takes the next argument as its value. */
  readonly valued: RegExp;
}

const INTERPRETERS: readonly Interpreter[] = [
  {
    name: /^(?:a|ba|da|fi|k|mk|z)?sh$/,
    inline: /^-(?=[A-Za-z]+$)[A-Za-z]*c|^--command$/,
    valued: /^[-+][A-Za-z]*[oO]$|^--(?:rcfile|init-file)$/,
  },
  { name: /^python[\d.]*$/, inline: /^-[A-Za-z]*c$/, valued: /^-[A-Za-z]*[WX]$/ },
  {
    name: /^node(?:js)?$/,
    inline: /^-(?:e|p|pe)$|^--(?:eval|print)$/,
    valued: /^-[rC]$|^--(?:require|import|conditions|loader|input-type)$/,
  },
  { name: /^perl[\d.]*$/, inline: /^-(?![ImM])[\w.]*[eE]$/, valued: /^-I$/ },
  { name: /^ruby[\d.]*$/, inline: /^-(?![Ir])[\w.]*e$/, valued: /^-[CEIr]$/ },
];

/** Returns the arguments of a command that the program may print back. */
export function startTexts(command: readonly string[]): string[] {
  const code = new Set<number>([0]);
  command.forEach((word, at) => {
    const name = word.slice(word.lastIndexOf('/') + 1);
    const interpreter = INTERPRETERS.find((each) => each.name.test(name));
    if (interpreter) for (const index of codeArguments(command, at, interpreter)) code.add(index);
  });
  return command.filter((_, index) => !code.has(index));
}

/** Returns the indices of the interpreter's own arguments: its options and inline programs. */
function codeArguments(command: readonly string[], program: number, { inline, valued }: Interpreter): number[] {
  const own: number[] = [];
  let hasProgram = false;
  let isExpected = false;
  for (let at = program + 1; at < command.length; at++) {
    const word = command[at] ?? '';
    const isOption = /^[-+]./.test(word);
    if (!isOption && !isExpected) break;
    if (hasProgram && !isExpected && !inline.test(word)) break; // arguments of the inline program
    own.push(at);
    if (!isOption) {
      hasProgram = true;
      isExpected = false;
      continue;
    }
    if (inline.test(word)) isExpected = true;
    if (valued.test(word)) at++;
  }
  // With the inline program in the same word (`-c'…'`), no other argument is code. Elsewhere in a command such options
  // may belong to another program.
  return hasProgram || program === 0 ? own : [];
}
