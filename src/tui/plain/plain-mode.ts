/**
 * The TUI for screen readers and plain terminals: lines in, lines out, without positions, colours or redrawing.
 *
 * In:   commands, one per line (plain-commands.ts). The end of input leaves.
 * Out:  new items as soon as they open, each with a lasting number; the state of answers; the output of commands.
 */

import type { Client } from '../../client/index.js';
import { ERRORS, OrchdError, type Session, splitCommand } from '../../protocol/index.js';
import type { AttachPreferences } from '../attach/attach-options.js';
import type { AttachTarget } from '../attach/attach-target.js';
import { startSession } from '../effects/start-session.js';
import { attachScreens } from '../grid/attach-screens.js';
import { followDaemon } from '../model/follow-daemon.js';
import type { ItemEntry } from '../model/items/item-entry.js';
import { EMPTY_MODEL, isAlive, type Model, type ModelInput, openCounts, reduce } from '../model/model.js';
import { TICK_MS } from '../model/timing.js';
import { inLocale } from '../paint/ascii.js';
import { plainLine, plainText, wrap } from '../paint/text.js';
import { plainAnswer } from './plain-answer.js';
import { type PlainCommand, plainHelp, readPlainCommand } from './plain-commands.js';
import { createLineInput, type LineInput } from './plain-input.js';
import { createNumbers, type Numbers, newsOf } from './plain-news.js';
import { eventLine, itemLine, itemLines, sessionLine } from './plain-words.js';
import { createPlainWork, type PlainWork } from './plain-work.js';
import { blueprintLine, runLine, taskLine, workNews } from './plain-work-words.js';
import { findWorkflow, workflowLine, workflowLines, workflowNews } from './plain-workflows.js';

interface PlainOptions {
  readonly client: Client;
  readonly env: NodeJS.ProcessEnv;
  readonly directory: string;
  /** The project whose blueprints are listed; null for only the person's own blueprints. */
  readonly project: string | null;
  readonly attach: AttachPreferences;
  /** Ends the plain mode when it aborts. */
  readonly signal: AbortSignal;
}

const PROMPT = 'orchd> ';

export async function runPlainMode(options: PlainOptions): Promise<void> {
  const plain = new PlainMode(options);
  try {
    await plain.run();
  } finally {
    plain.close();
  }
}

/** Wraps lines at words, because a terminal cuts words in two. Programs that read the output get whole lines. */
function inTerminal(lines: readonly string[]): readonly string[] {
  const { isTTY, columns } = process.stdout;
  return isTTY && columns > 0 ? lines.flatMap((line) => (line === '' ? [''] : wrap(line, columns))) : lines;
}

class PlainMode {
  readonly #options: PlainOptions;
  readonly #numbers: Numbers = createNumbers();
  readonly #end = new AbortController();
  readonly #input: LineInput;
  readonly #work: PlainWork;
  readonly #ticking: NodeJS.Timeout;
  #model: Model = EMPTY_MODEL;
  #tellsEvents = false;
  #known: () => void = () => {};
  readonly #isKnown = new Promise<void>((resolve) => {
    this.#known = resolve;
  });
  /** The prompt on the last line while the TUI waits for input. */
  #prompted = '';
  /** Lines to print after an attached session has released the terminal; null while the terminal is free. */
  #heldLines: string[] | null = null;

  constructor(options: PlainOptions) {
    this.#options = options;
    this.#work = createPlainWork(options);
    this.#input = createLineInput(process.stdin, options.signal);
    this.#ticking = setInterval(() => this.#take({ kind: 'tick', at: Date.now(), shownId: null }), TICK_MS);
  }

  close(): void {
    clearInterval(this.#ticking);
    this.#input.close();
    this.#end.abort();
  }

  async run(): Promise<void> {
    this.#say('orchd, plain mode. Type help for the commands, quit to leave.');
    const following = followDaemon({
      client: this.#options.client,
      take: (input) => this.#take(input),
      lastSeq: () => this.#model.lastSeq,
      now: Date.now,
      signal: AbortSignal.any([this.#end.signal, this.#options.signal]),
    });
    await this.#isKnown; // commands refer to the known items and sessions
    for (;;) {
      const line = await this.#ask(PROMPT);
      if (line === null) break;
      const command = readPlainCommand(line);
      if (command.kind === 'quit') break;
      try {
        await this.#do(command);
      } catch (error) {
        this.#say(error instanceof Error ? plainLine(error.message) : String(error));
        if (error instanceof OrchdError) this.#say(ERRORS[error.code].hint);
      }
    }
    this.close();
    await following;
  }

  /**
   * Reads the next line; null at the end of input. Lines printed meanwhile appear above the prompt, which is repeated.
   */
  async #ask(prompt: string): Promise<string | null> {
    this.#prompt(prompt);
    const line = await this.#input.next();
    this.#prompted = '';
    return line;
  }

  /** True if the person agrees to end something. */
  async #confirm(act: string): Promise<boolean> {
    const word = await this.#ask(`Type yes to ${act}: `);
    if (word?.trim() === 'yes') return true;
    this.#say('It goes on.');
    return false;
  }

  #prompt(prompt: string): void {
    if (!process.stdout.isTTY) return;
    this.#prompted = prompt;
    process.stdout.write(inLocale(prompt));
  }

  #say(...lines: readonly string[]): void {
    if (lines.length === 0) return;
    if (this.#heldLines !== null) {
      this.#heldLines.push(...lines);
      return;
    }
    process.stdout.write(
      inLocale(`${this.#prompted === '' ? '' : '\n'}${inTerminal(lines).join('\n')}\n${this.#prompted}`),
    );
  }

  #take(input: ModelInput): void {
    if (this.#end.signal.aborted) return;
    const before = this.#model;
    this.#model = reduce(before, input);
    if (input.kind === 'history') return; // not announced: the snapshot contains everything that still waits
    this.#say(...newsOf(before, this.#model, this.#numbers));
    if (input.kind === 'event' && !this.#tellsEvents) {
      const line = workflowNews(input.event, this.#model) ?? workNews(input.event);
      if (line !== null) this.#say(line);
    }
    if (this.#model.connection.kind !== 'connecting') this.#known();
    // Loads the names of workflows, again after every reconnect.
    if (input.kind === 'snapshot') void this.#workflows().catch(() => {});
    if (this.#tellsEvents && input.kind === 'event') {
      const line = eventLine(input.event, this.#model);
      if (line !== null) this.#say(line);
    }
  }

  async #do(command: Exclude<PlainCommand, { kind: 'quit' }>): Promise<void> {
    const { client } = this.#options;
    switch (command.kind) {
      case 'nothing':
        return;
      case 'wrong':
        return this.#say(command.problem);
      case 'help':
        return this.#say(...plainHelp());
      case 'inbox':
      case 'sessions':
      case 'workflows':
      case 'tasks':
      case 'runs':
      case 'blueprints':
        return this.#say(...(await this.#listed(command.kind)));
      case 'steps': {
        const { id: workflow } = await this.#workflow(command.workflow);
        return this.#say(...workflowLines(await client.call('workflow.show', { workflow, brief: true }), Date.now()));
      }
      case 'details':
        return this.#say(...(await this.#work.details(command.about)));
      case 'plan':
      case 'start':
      case 'retry':
        return this.#say(await this.#work.act(command.kind, command.about));
      case 'task':
      case 'do':
        return this.#say(await this.#work.create(command.kind, command.prompt));
      case 'cancel':
        return this.#cancel(command.workflow);
      case 'resume': {
        const { id: workflow } = await this.#workflow(command.workflow);
        await client.call('workflow.resume', { workflow, ...(command.from !== null && { from: command.from }) });
        return;
      }
      case 'events':
        this.#tellsEvents = !this.#tellsEvents;
        return this.#say(this.#tellsEvents ? 'Everything that happens is said.' : 'Only what waits is said.');
      case 'show':
        return this.#say(...itemLines(command.item, this.#entry(command.item)));
      case 'answer':
        return this.#answer(command.item, command.text);
      case 'decline': {
        const { item } = this.#entry(command.item);
        await client.call('inbox.answer', { item: item.id, decline: true });
        return;
      }
      case 'screen': {
        const { text } = await client.call('session.capture', { session: this.#session(command.session).id });
        const shown = plainText(text).trimEnd();
        return this.#say(...(shown === '' ? ['Its screen is empty.'] : shown.split('\n')));
      }
      case 'rename': {
        const session = this.#session(command.session).id;
        const { name } = await client.call('session.rename', { session, name: command.name });
        return this.#say(`It is called ${plainLine(name)} now.`);
      }
      case 'kill': {
        const session = this.#session(command.session);
        const { id, name } = session;
        if (!isAlive(session)) return this.#say(`${plainLine(name)} has ended already.`);
        if (await this.#confirm(`end ${plainLine(name)} and all that it started`))
          await client.call('session.kill', { session: id });
        return;
      }
      case 'new':
        return this.#start(command.command);
      case 'attach':
        return this.#attachTo(this.#session(command.session));
    }
  }

  /** Returns the lines of a list, or what is said if it is empty. */
  async #listed(
    kind: 'inbox' | 'sessions' | 'workflows' | 'tasks' | 'runs' | 'blueprints',
  ): Promise<readonly string[]> {
    const { items, sessions } = this.#model;
    const orSay = (lines: readonly string[], none: string): readonly string[] => (lines.length > 0 ? lines : [none]);
    switch (kind) {
      case 'inbox': {
        const open = items.filter(({ item }) => item.state === 'open');
        return orSay(
          open.map((entry) => itemLine(this.#numberOf(entry), entry)),
          'Nothing waits for you.',
        );
      }
      case 'sessions': {
        const open = openCounts(items);
        const lines = sessions.map((session) => sessionLine(session, open.get(session.id) ?? 0));
        return orSay(lines, 'Nothing runs yet: new COMMAND starts a session.');
      }
      case 'workflows':
        return orSay((await this.#workflows()).map(workflowLine), 'No workflow has run yet.');
      case 'tasks':
        return orSay((await this.#work.load('tasks')).tasks.map(taskLine), 'No task yet: task PROMPT makes one.');
      case 'runs':
        return orSay((await this.#work.load('runs')).runs.map(runLine), 'Nothing has run yet: do PROMPT starts a run.');
      case 'blueprints':
        return (await this.#work.load('blueprints')).blueprints.map(blueprintLine);
    }
  }

  /** Cancels a task, a run or a workflow, if the person confirms it. */
  async #cancel(word: string): Promise<void> {
    const found = await this.#work.find(word);
    if (found !== null && found.kind !== 'blueprint') {
      if (await this.#confirm(`cancel ${found.id} and its agent`)) this.#say(await this.#work.act('cancel', found.id));
      return;
    }
    const { id: workflow, name } = await this.#workflow(word);
    if (await this.#confirm(`cancel ${plainLine(name)} and all that it started`))
      await this.#options.client.call('workflow.cancel', { workflow });
  }

  /** Starts a program in a new session. */
  async #start(line: string): Promise<void> {
    const { client, env, directory } = this.#options;
    const { command, problem } = splitCommand(line);
    if (problem !== null) return this.#say(problem);
    const about = { name: '', adapter: null, directory, branch: null, isTaught: false };
    const { name } = await startSession(client, env, { command, ...about });
    this.#say(`${plainLine(name)} runs.`);
  }

  /** Attaches to a session. Events that arrive meanwhile are printed afterwards. */
  async #attachTo(session: AttachTarget['session']): Promise<void> {
    const { client, attach } = this.#options;
    const heldLines: string[] = [];
    this.#input.suspend();
    this.#heldLines = heldLines;
    try {
      const end = await attachScreens({ client, session, ...attach, isReadOnly: false });
      heldLines.unshift(end.kind === 'detached' ? 'Back in plain mode.' : `The session has ended: ${end.state}.`);
    } finally {
      this.#input.resume();
      this.#heldLines = null;
      this.#say(...heldLines);
    }
  }

  async #answer(number: number, text: string): Promise<void> {
    const { item } = this.#entry(number);
    const answer = plainAnswer(number, item, text);
    if ('problem' in answer) return this.#say(answer.problem);
    await this.#options.client.call('inbox.answer', { item: item.id, ...answer.request });
  }

  #numberOf({ item }: ItemEntry): number {
    return this.#numbers.of(item.id);
  }

  #entry(number: number): ItemEntry {
    const entry = this.#model.items.find(({ item }) => this.#numbers.of(item.id) === number);
    if (entry) return entry;
    throw new Error(`there is no item ${number}; type inbox`);
  }

  async #workflows(): Promise<Model['workflows']> {
    this.#take({ kind: 'workflows', workflows: await this.#options.client.call('workflow.list', {}) });
    return this.#model.workflows;
  }

  async #workflow(word: string): Promise<Model['workflows'][number]> {
    return findWorkflow(await this.#workflows(), word);
  }

  /**
   * Finds a session by name, id, or a unique prefix of either. If two have the same name, it returns the living one.
   */
  #session(word: string): Session {
    const { sessions } = this.#model;
    const whole = sessions.filter(({ id, name }) => name === word || id === word);
    const found =
      whole.length > 0 ? whole : sessions.filter(({ id, name }) => name.startsWith(word) || id.startsWith(word));
    const living = found.filter(isAlive);
    const [one, other] = living.length > 0 ? living : found;
    if (one && (!other || living.length === 0)) return one;
    const names = found.map(({ name }) => plainLine(name)).join(', ');
    throw new Error(names === '' ? `there is no session ${word}; type sessions` : `${word} may be ${names}`);
  }
}
