import { OrchdError } from '../../protocol/index.js';
import type { CommandSpec } from '../program/command.js';

/** Each script calls `orchd __complete` with the words typed so far, so that current sessions and items are offered. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_orchd() {
  local IFS=$'\\n'
  COMPREPLY=($(orchd __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _orchd orchd
`,
  zsh: `#compdef orchd
_orchd() {
  local -a found
  found=(\${(f)"$(orchd __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -a found || _files
}
compdef _orchd orchd
`,
  fish: `complete -c orchd -f -a '(orchd __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

export const completion: CommandSpec = {
  name: 'completion',
  group: 'About orchd',
  summary: 'Print a completion script for a shell: commands, sessions and items.',
  args: '<shell>',
  examples: ['source <(orchd completion bash)', 'orchd completion fish > ~/.config/fish/completions/orchd.fish'],
  async run(context, [shell = '']) {
    const script = SCRIPTS[shell];
    if (script === undefined) {
      throw new OrchdError('ORCHD_USAGE', `no completion for '${shell}'; there is ${Object.keys(SCRIPTS).join(', ')}`);
    }
    await context.print({ shell, script }, () => script);
    return undefined;
  },
};
