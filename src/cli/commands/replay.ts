import { OrchdError } from '../../protocol/index.js';
import { parseDuration, parseMoment } from '../input/parse-values.js';
import { type CommandSpec, text } from '../program/command.js';

const MAX_SPEED = 1000;

export const replay: CommandSpec = {
  name: 'replay',
  group: 'Sessions',
  summary: 'Play a session or a recording in your terminal.',
  args: '<session-or-file>',
  options: [
    ['--speed <n>', 'speed factor (default: 1)'],
    ['--max-idle <duration>', 'shorten longer pauses to this, such as 2s'],
    ['--at <time>', 'show this moment: 90s, 1:30, or the time of an event; without a terminal, print it'],
  ],
  examples: [
    'orchd replay build --max-idle 2s',
    'orchd replay build.cast --speed 4',
    'orchd replay build --at 1:30 --json',
    'orchd replay build --at 2026-11-21T10:15:30Z | less',
  ],
  async run(context, [source = ''], options) {
    const maxIdle = text(options, 'maxIdle');
    const speed = parseSpeed(text(options, 'speed'));
    const at = text(options, 'at');
    const moment = at === undefined ? null : parseMoment('--at', at);
    const isShown = process.stdout.isTTY && !context.isJson && context.env['TERM'] !== 'dumb';
    if (!isShown && moment === null) {
      throw new OrchdError('ORCHD_USAGE', 'there is no terminal to play in; --at TIME prints the screen of one moment');
    }
    const { loadRecording } = await import('../recording/load-recording.js');
    const load = maxIdle === undefined ? {} : { maxIdleMs: parseDuration('--max-idle', maxIdle) };
    const { recording, title, startedAt } = await loadRecording(context, source, load);
    const wanted = moment === null ? 0 : sinceStart(moment, startedAt);
    const place = moment === null ? null : recording.playTime(wanted);
    if (isShown) {
      const { play } = await import('../recording/replay-player.js');
      const hasColour = !context.env['NO_COLOR'];
      await play({ recording, title, speed, at: place, hasColour, signal: context.signal });
    } else if (place !== null) {
      await recording.seek(place);
      const { screen } = recording;
      const shown = screen.look({}).map((row) => `${row}\n`);
      const { cols, rows, cursor, title: screenTitle, isAlternate } = screen;
      const value = { text: shown.join(''), size: { cols, rows }, cursor, title: screenTitle, alternate: isAlternate };
      await context.print(value, () => value.text.replace(/\n{2,}$/, '\n'));
      if (wanted > recording.endMs) context.note('the recording ends before that; this is its last moment');
    }
    recording.close();
    return undefined;
  },
};

function sinceStart(moment: ReturnType<typeof parseMoment>, startedAt: number | null): number {
  if (moment.kind === 'since') return moment.ms;
  if (startedAt !== null) return Math.max(0, moment.time - startedAt);
  throw new OrchdError('ORCHD_USAGE', 'the recording does not say when it was made: give --at as 90s or 1:30');
}

function parseSpeed(value = '1'): number {
  const speed = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && speed > 0 && speed <= MAX_SPEED) return speed;
  throw new OrchdError('ORCHD_USAGE', `--speed takes a number above 0 and up to ${MAX_SPEED}, not '${value}'`);
}
