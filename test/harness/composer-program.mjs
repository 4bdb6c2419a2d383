/**
 * A program that nobody knows, with an input line of one of several styles. It shows each input that it gets, and then asks a question.
 *
 *     node composer-program.mjs STYLE [HABIT…]
 *
 *     boxed    alternate screen, a box, the terminal's cursor in it
 *     rules    alternate screen, a line between two rules without a prompt, bracketed paste
 *     bottom   alternate screen, the last line
 *     inline   normal screen, redrawn in place as Ink does, the terminal's cursor hidden
 *
 *     pastes       a read that holds more than an Enter is a paste: its Enter begins a new line
 *     swallows     from the second input on the first Enter does nothing
 *     stubborn     the same for the first three
 *     never        from the second input on no Enter does anything
 *     drops        from the second input on Enter empties the input line, and nothing else happens
 *     refuses      the same, with a notice
 *     explains     the same, with a notice of several rows in the conversation
 *     keyed        from the second input on the first character of a text is a key, and not in the text
 *     completes    from the second input on the first Enter adds a word
 *     framed       shows each input in a box like its input line
 *     clock        repaints all the time
 *     single       a read with more than one backspace deletes nothing, as in programs made with Ink
 *     half         the same deletes one character
 *     slow         from the second input on looks at its input once a second
 *     tardy        handles each input 1.8 seconds after it has arrived
 *     torn         pauses between erasing and painting
 *     deaf         drops what is typed while it works, as a program does that shows no input line then
 *     late         looks at the second input only five seconds after it has begun to arrive
 */
const [style = 'boxed', ...habits] = process.argv.slice(2);
const has = (habit) => habits.includes(habit);
const { stdin, stdout } = process;
const COMPLETION = ' README.md';

const block = (number) => [
  `● Step ${number}:`,
  '',
  '  orchestrator-message',
  '  {',
  '    "type": "QUESTION",',
  `    "data": { "question": "Which database for step ${number}?", "options": ["postgres", "4"] }`,
  '  }',
];
const said = ['Welcome'];
let typed = '';
let isBusy = false;
let enters = 0;
let inputs = 0;
let clock = 0;
let painted = 0;
let notice = '';

function composer(width) {
  const lines = typed.split('\n');
  const first = style === 'inline' && typed === '' ? ['Ask anything'] : lines;
  const prompted = first.map((line, at) => (at === 0 ? `> ${line}` : `  ${line}`));
  const status = `  ${has('clock') ? `${'⠋⠙⠹⠸'[clock % 4]} 12:00:${String(clock).padStart(2, '0')}` : notice || 'ready'}`;
  const inner = width - 4;
  const last = lines.at(-1) ?? '';
  switch (style) {
    case 'rules':
      return { rows: ['─'.repeat(width), ...lines, '─'.repeat(width), status], y: lines.length, x: last.length };
    case 'bottom':
      return {
        rows: [...(has('clock') || notice ? [status] : []), ...prompted],
        y: prompted.length - (has('clock') || notice ? 0 : 1),
        x: last.length + 2,
      };
    default: {
      const rows = prompted.map((line) => `│ ${line.padEnd(inner)} │`);
      const frame = [`╭${'─'.repeat(width - 2)}╮`, ...rows, `╰${'─'.repeat(width - 2)}╯`, status];
      return { rows: frame, y: rows.length, x: last.length + 4 };
    }
  }
}

function paint() {
  const { columns: cols = 80, rows: height = 24 } = stdout;
  const line = composer(cols);
  const busy = isBusy ? ['', '⣿ Thinking…'] : [];
  const rows = [...said, ...busy, '', ...line.rows];
  if (style === 'inline') {
    const shown = rows.slice(-(height - 1));
    write(painted > 0 ? `\x1b[${painted}A\r\x1b[J` : '', `${shown.join('\r\n')}\r\n`);
    painted = shown.length;
    return;
  }
  const shown = rows.slice(-height);
  const all = [...Array.from({ length: height - shown.length }, () => ''), ...shown];
  const body = all.map((row, y) => `\x1b[${y + 1};1H${row}`).join('');
  const y = height - line.rows.length + line.y + 1;
  write('\x1b[?25l\x1b[2J', `${body}\x1b[${y};${line.x + 1}H\x1b[?25h`);
}

function write(erasure, frame) {
  if (!has('torn')) {
    stdout.write(erasure + frame);
    return;
  }
  stdout.write(erasure);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  stdout.write(frame);
}

function submit() {
  const isLater = inputs > 0;
  if (isLater && (has('never') || ++enters <= (has('stubborn') ? 3 : has('swallows') ? 1 : 0))) return;
  if (isLater && has('completes') && !typed.endsWith(COMPLETION)) {
    typed += COMPLETION;
    return;
  }
  enters = 0;
  const text = typed;
  typed = '';
  if (isLater && has('refuses')) notice = 'Not sent: offline';
  if (isLater && has('explains'))
    said.push('', '⚠ Not connected.', '  The message was not sent.', '  Try again later.');
  if (isLater && (has('drops') || has('refuses') || has('explains'))) return;
  if (has('framed')) {
    const width = stdout.columns ?? 80;
    const rows = text.split('\n').map((line, at) => `│ ${`${at === 0 ? '> ' : '  '}${line}`.padEnd(width - 4)} │`);
    said.push('', `╭${'─'.repeat(width - 2)}╮`, ...rows, `╰${'─'.repeat(width - 2)}╯`);
  } else said.push('', `> ${text}`);
  inputs++;
  isBusy = true;
  paint();
  setTimeout(() => {
    isBusy = false;
    said.push('', `RECEIVED ${JSON.stringify(text)}`, '', ...block(inputs));
    paint();
  }, 300);
}

function take(read) {
  let chunk = read;
  if (has('deaf') && isBusy) return;
  if (has('keyed') && inputs > 0 && typed === '' && chunk !== '\r')
    chunk = chunk.replace(/(?<=^(?:\x1b\[200~)?)\w/, '');
  if (/^\x7f{2,}$/.test(chunk) && (has('single') || has('half'))) typed = typed.slice(0, has('half') ? -1 : undefined);
  else if (has('pastes') && chunk.length > 1 && !chunk.includes('\x1b')) typed += chunk.replaceAll('\r', '\n');
  else {
    for (const [key, pasted] of chunk.matchAll(/\x1b\[200~([\s\S]*?)\x1b\[201~|[\s\S]/gu)) {
      if (pasted !== undefined) typed += pasted.replaceAll('\r', '\n');
      else if (key === '\r') submit();
      else if (key === '\x03') process.exit(130);
      else if (key === '\x15') typed = '';
      else if (key === '\x7f') typed = typed.slice(0, -1);
      else if (key >= ' ') typed += key;
    }
  }
  paint();
}

stdin.setRawMode(true);
stdin.setEncoding('utf8');
const waiting = [];
let isLate = has('late');
let unread = '';
stdin.on('data', (read) => {
  unread += read;
  // The kernel may deliver a paste, and a bracket of it, in several reads.
  const isCut = /\x1b(?:\[\d*)?$/.test(unread) || unread.lastIndexOf('\x1b[200~') > unread.lastIndexOf('\x1b[201~');
  if (isCut) return;
  const chunk = unread;
  unread = '';
  const isHeld = isLate && inputs > 0;
  if (has('tardy')) setTimeout(take, 1800, chunk);
  else if (isHeld || (has('slow') && inputs > 0)) waiting.push(chunk);
  else take(chunk);
  if (!isHeld || waiting.length > 1) return;
  setTimeout(() => {
    isLate = false;
    take(waiting.splice(0).join(''));
  }, 5000);
});
// A busy program gets at once what came in several writes.
if (has('slow')) setInterval(() => waiting.length > 0 && take(waiting.splice(0).join('')), 1000);
stdout.on('resize', paint);
if (style === 'inline') stdout.write('\x1b[?25l');
else stdout.write(`\x1b[?1049h${style === 'rules' ? '\x1b[?2004h' : ''}`);
paint();
if (has('clock')) {
  setInterval(() => {
    clock = (clock + 1) % 60;
    paint();
  }, 60);
}
