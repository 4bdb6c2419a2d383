/**
 * The form that answers an item: by an option, by text, or by declining.
 *
 * The form shows only what the daemon has confirmed: the item closes when the daemon has the answer. If two windows
 * answer, the first one wins, and the second one shows who was first. A typed text is kept until it was sent.
 */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import {
  defaultAnswerOf,
  displayLine,
  type InputOf,
  type Item,
  OrchdError,
  type OutputOf,
  optionsOf,
  subjectOf,
  takesText,
} from '../../protocol/index.js';
import { useKeys } from '../browser/use-keys.js';
import { useLive } from '../live/live.js';
import { Countdown } from '../parts/age.js';
import { ErrorNote } from '../parts/error-note.js';
import { line } from '../text/label-text.js';

type AnswerInput = Omit<InputOf<'inbox.answer'>, 'item'>;

const draftKey = (id: string): string => `orchd.draft.${id}`;

interface AnswerFormProps {
  readonly item: Item;
  /** The machine of the hub that has the item. Default: this one. */
  readonly machine?: string | undefined;
  /** Called with the answered item, or with null if the answer is on its way to a machine that is away. */
  readonly onAnswered?: ((item: Item | null) => void) | undefined;
}

export function AnswerForm({ item, machine, onAnswered }: AnswerFormProps) {
  const { device } = useLive();
  const options = optionsOf(item);
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(item.id)) ?? '');
  const [isDeclining, setDeclining] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const send = useSending({ item, machine, onAnswered });
  useEffect(() => {
    if (text === '') sessionStorage.removeItem(draftKey(item.id));
    else sessionStorage.setItem(draftKey(item.id), text);
  }, [text, item.id]);

  const choose = (number: number): void => {
    const option = options[number - 1];
    if (option === undefined || send.isPending) return;
    if (option.endsWith(' ')) {
      setText(option); // An option that ends with a blank needs more words of the user.
      area.current?.focus();
    } else send.mutate({ option: number });
  };
  const isReader = device.role === 'read';
  useKeys(
    isReader
      ? {}
      : {
          ...Object.fromEntries(options.slice(0, 9).map((_option, at) => [String(at + 1), () => choose(at + 1)])),
          a: () => area.current?.focus(),
          x: () => setDeclining(true),
        },
  );
  if (isReader) return <p className="notice">This browser may read, not answer.</p>;

  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    if (text.trim() !== '' && !send.isPending) send.mutate({ text });
  };
  const decline = (
    <DeclineButton
      isAsking={isDeclining}
      onAsk={setDeclining}
      isDisabled={send.isPending}
      onDecline={() => send.mutate({ decline: true })}
    />
  );
  return (
    <section className="answer" aria-label={`Answer to: ${line(subjectOf(item), 80)}`}>
      <Suggestion item={item} />
      {send.error && <AnswerError error={send.error} />}
      {options.length > 0 && <OptionList options={options} isDisabled={send.isPending} onChoose={choose} />}
      {takesText(item) ? (
        <form onSubmit={submit}>
          <TextArea area={area} hasOptions={options.length > 0} text={text} onText={setText} onSubmit={submit} />
          <div className="row answer-buttons">
            {decline}
            <span className="grow" />
            <span className="muted hint-keys">
              <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </span>
            <button type="submit" className="button primary" disabled={text.trim() === '' || send.isPending}>
              {send.isPending ? 'Sending…' : 'Send answer'}
            </button>
          </div>
        </form>
      ) : (
        <div className="row answer-buttons">
          <p className="muted grow">This is a dialog of the program itself: it takes one of its options.</p>
          {decline}
        </div>
      )}
    </section>
  );
}

/** Sends answers of an item. An error that says that the daemon is away disappears when it is there again. */
function useSending({ item, machine, onAnswered }: AnswerFormProps) {
  const { api, connection } = useLive();
  const send = useMutation({
    mutationFn: async (answer: AnswerInput) => {
      const input = { item: item.id, ...answer };
      if (machine === undefined) return api.call('inbox.answer', input);
      const { output } = await api.call('hub.call', { machine, operation: 'inbox.answer', input });
      return (output as OutputOf<'inbox.answer'> | undefined) ?? null; // the operation determines its shape
    },
    onSuccess: (answered) => {
      sessionStorage.removeItem(draftKey(item.id));
      onAnswered?.(answered);
    },
  });
  const { error, reset } = send;
  const isOver = connection === 'live' && error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE';
  useEffect(() => {
    if (isOver) reset();
  }, [isOver, reset]);
  return send;
}

interface OptionListProps {
  readonly options: readonly string[];
  readonly isDisabled: boolean;
  /** Called with the number of an option, from 1. */
  readonly onChoose: (number: number) => void;
}

const OptionList = ({ options, isDisabled, onChoose }: OptionListProps) => (
  <ol className="options">
    {options.map((option, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: options never move, and two may be the same
      <li key={at}>
        <button type="button" className="option" disabled={isDisabled} onClick={() => onChoose(at + 1)}>
          <kbd>{at + 1}</kbd>
          <span className="grow">
            {displayLine(option.slice(0, 4000))}
            {option.endsWith(' ') && ' …'}
          </span>
        </button>
      </li>
    ))}
  </ol>
);

interface TextAreaProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly hasOptions: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSubmit: (event: KeyboardEvent) => void;
}

function TextArea({ area, hasOptions, text, onText, onSubmit }: TextAreaProps) {
  const id = useId();
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit(event);
    else if (event.key === 'Escape') {
      event.stopPropagation();
      area.current?.blur();
    }
  };
  return (
    <>
      <label className="hidden-visually" htmlFor={id}>
        Your answer
      </label>
      <textarea
        ref={area}
        id={id}
        className="field answer-field"
        rows={3}
        placeholder={hasOptions ? 'Or answer in your own words…' : 'Your answer…'}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKey}
      />
    </>
  );
}

interface DeclineButtonProps {
  readonly isAsking: boolean;
  readonly isDisabled: boolean;
  readonly onAsk: (isAsking: boolean) => void;
  readonly onDecline: () => void;
}

/** A button that asks for confirmation before it declines. */
function DeclineButton({ isAsking, isDisabled, onAsk, onDecline }: DeclineButtonProps) {
  if (!isAsking) {
    return (
      <button type="button" className="button quiet" disabled={isDisabled} onClick={() => onAsk(true)}>
        Decline
      </button>
    );
  }
  return (
    <>
      <button type="button" className="button danger" disabled={isDisabled} onClick={onDecline} ref={focusOnce}>
        Decline it
      </button>
      <button type="button" className="button quiet" onClick={() => onAsk(false)}>
        Keep it
      </button>
    </>
  );
}

const focusOnce = (button: HTMLButtonElement | null): void => button?.focus();

/** The answer that the agent suggests, and the time at which the daemon sends it if no other answer comes. */
function Suggestion({ item }: { readonly item: Item }) {
  const answer = defaultAnswerOf(item);
  if (!answer) return null;
  if (answer.at === null) return <p className="muted">The agent suggests “{line(answer.text)}”.</p>;
  return (
    <p className="notice warn">
      <span>
        In <Countdown until={answer.at} /> “{line(answer.text)}” becomes the answer.
      </span>
    </p>
  );
}

/** If another window was faster, no error is shown, because the item shows its answer. */
function AnswerError({ error }: { readonly error: Error }) {
  if (error instanceof OrchdError && error.code === 'ORCHD_ITEM_CLOSED')
    return <p className="notice warn">Another answer was first.</p>;
  return <ErrorNote error={error} />;
}
