/**
 * Chooses how to notify through the person's terminal: the control sequence, and how it passes through tmux.
 *
 * In:   the setting `notify.terminal`, and the environment of the terminal.
 * Out:  the way with the reason for it, and the bytes of a notification. Pure.
 *
 *   bell     BEL                                      every terminal; tmux marks the window
 *   osc9     ESC ] 9 ; TEXT BEL                        iTerm2, WezTerm, Ghostty
 *   osc777   ESC ] 777 ; notify ; TITLE ; TEXT BEL     foot, Ghostty, WezTerm, urxvt, VTE in some distributions
 *   osc99    ESC ] 99 ; i=ID : d=0|1 : p=… ; TEXT ST   kitty: title and body, each a sequence
 */
import { displayLine } from '../../protocol/index.js';

export type NotifyWay = 'bell' | 'osc9' | 'osc777' | 'osc99' | 'off';

export interface ChosenWay {
  readonly way: NotifyWay;
  /** True inside tmux: the sequence is wrapped so that tmux may pass it on, and a bell is added. */
  readonly isInTmux: boolean;
  /** The reason for the choice, in words. */
  readonly why: string;
}

export interface Notification {
  readonly title: string;
  readonly text: string;
  /** Letters, digits, `_` and `-`. kitty replaces a notification with the same id. */
  readonly id: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** @param setting  A value of `notify.terminal`. */
export function chooseWay(setting: string, env: Env): ChosenWay {
  const isInTmux = Boolean(env['TMUX']);
  // The value was validated with the configuration.
  if (setting !== 'auto') return { way: setting as NotifyWay, isInTmux, why: 'notify.terminal says so' };
  if (env['ORCHD_SESSION_ID']) {
    return { way: 'off', isInTmux, why: 'this runs inside an orchd session, whose own items are told' };
  }
  const found = KNOWN.find(({ fits }) => fits(isInTmux ? outsideOf(env) : env));
  if (!found) return { way: 'bell', isInTmux, why: 'no better way is known of this terminal' };
  return { way: found.way, isInTmux, why: `the terminal is ${found.name}` };
}

/** Variables of the terminal that tmux was started in may still be set. TERM and TERM_PROGRAM are tmux's own. */
const outsideOf = ({ TERM: _term, TERM_PROGRAM: _program, ...rest }: Env): Env => rest;

const KNOWN: readonly { name: string; way: NotifyWay; fits: (env: Env) => boolean }[] = [
  { name: 'kitty', way: 'osc99', fits: (env) => Boolean(env['KITTY_WINDOW_ID']) || env['TERM'] === 'xterm-kitty' },
  { name: 'foot', way: 'osc777', fits: ({ TERM = '' }) => /^foot(-|$)/.test(TERM) },
  {
    name: 'Ghostty',
    way: 'osc777',
    fits: (env) =>
      env['TERM_PROGRAM'] === 'ghostty' || env['TERM'] === 'xterm-ghostty' || Boolean(env['GHOSTTY_RESOURCES_DIR']),
  },
  {
    name: 'WezTerm',
    way: 'osc777',
    fits: (env) => env['TERM_PROGRAM'] === 'WezTerm' || Boolean(env['WEZTERM_PANE']),
  },
  {
    name: 'iTerm2',
    way: 'osc9',
    fits: (env) => env['TERM_PROGRAM'] === 'iTerm.app' || env['LC_TERMINAL'] === 'iTerm2',
  },
  { name: 'urxvt', way: 'osc777', fits: ({ TERM = '' }) => TERM.startsWith('rxvt-unicode') },
];

const BEL = '\x07';
const ST = '\x1b\\';

/** @returns  The bytes to write; empty if the way is `off`. */
export function notifySequence({ way, isInTmux }: ChosenWay, { title, text, id }: Notification): string {
  // An agent's text must not end the sequence. In a title, a semicolon would start the text.
  const [head, body] = [displayLine(title), displayLine(text)];
  switch (way) {
    case 'off':
      return '';
    case 'bell':
      return BEL;
    case 'osc9':
      return passed(`\x1b]9;${head}: ${body}${BEL}`, isInTmux);
    case 'osc777':
      return passed(`\x1b]777;notify;${head.replaceAll(';', ',')};${body}${BEL}`, isInTmux);
    case 'osc99':
      return passed(`\x1b]99;i=${id}:d=0:p=title;${head}${ST}\x1b]99;i=${id}:d=1:p=body;${body}${ST}`, isInTmux);
  }
}

/** tmux passes the sequence on if `allow-passthrough` permits it. The bell always works. */
const passed = (sequence: string, isInTmux: boolean): string =>
  isInTmux ? `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}${ST}${BEL}` : sequence;
