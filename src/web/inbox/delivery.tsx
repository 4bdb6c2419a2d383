/**
 * The delivery of an answer: accepted, written, acknowledged; or stalled, with the reason and what the person can do.
 */
import { useMutation } from '@tanstack/react-query';
import { displayText, type Item, stalledWords, typedOfAnswer } from '../../protocol/index.js';
import { useKeys } from '../browser/use-keys.js';
import { useLive } from '../live/live.js';
import { Age } from '../parts/age.js';
import { ErrorNote } from '../parts/error-note.js';
import { line } from '../text/label-text.js';

const STEPS = [
  ['accepted', 'Accepted', 'It is on disk.'],
  ['written', 'Written', 'It was typed into the program.'],
  ['acknowledged', 'Acknowledged', 'The agent has taken it.'],
] as const;

interface DeliveryProps {
  readonly item: Item;
  /** True for an item of another machine: keys for its session cannot be pressed from here. */
  readonly isElsewhere?: boolean;
}

export function Delivery({ item, isElsewhere = false }: DeliveryProps) {
  const { answer } = item;
  if (!answer) return null;
  const { delivery, declined, text, by, at } = answer;
  const typed = typedOfAnswer(answer);
  const reached = delivery === 'stalled' ? 0 : STEPS.findIndex(([name]) => name === delivery);
  return (
    <section className="delivery" aria-label="Answer">
      <p className="row wraps">
        <strong>{declined ? 'Declined' : 'Answered'}</strong>
        <span className="soft">{byWho(by)}</span>
        <Age since={at} />
        {!isElsewhere && (delivery === 'accepted' || delivery === 'stalled') && <TakeBack item={item.id} />}
      </p>
      {!declined && <blockquote className="answer-text">{displayText(text)}</blockquote>}
      {typed !== null && <p className="muted">Typed: {typed}</p>}
      {delivery !== undefined && (
        <ol className="steps" aria-label="Delivery" data-delivery={delivery}>
          {STEPS.map(([name, title, words], index) => (
            <li key={name} data-reached={index <= reached} title={words}>
              {title}
            </li>
          ))}
        </ol>
      )}
      {delivery === 'stalled' && <Stalled item={item} isElsewhere={isElsewhere} />}
    </section>
  );
}

/** Takes the answer back, so that the item is open again. Only the daemon knows whether its typing has begun. */
function TakeBack({ item }: { readonly item: string }) {
  const { api, device } = useLive();
  const takeBack = useMutation({ mutationFn: () => api.call('inbox.take_back', { item }) });
  const isReader = device.role === 'read';
  useKeys(isReader ? {} : { u: () => takeBack.mutate() });
  if (isReader) return null;
  return (
    <>
      <button
        type="button"
        className="button quiet"
        title="Take it back (u)"
        disabled={takeBack.isPending}
        onClick={() => takeBack.mutate()}
      >
        Take it back
      </button>
      {takeBack.error && <ErrorNote error={takeBack.error} />}
    </>
  );
}

/** Keys that deliver a stalled answer. */
const ENTER = ['Press Enter in the session', 'Enter'] as const;
const CLEAR = ['Clear its input line', 'C-u'] as const;
const HELP: Readonly<Record<string, readonly (readonly [label: string, key: string])[]>> = {
  not_submitted: [ENTER],
  composer_busy: [CLEAR],
  part_left: [CLEAR, ENTER],
};

function Stalled({ item, isElsewhere }: Required<DeliveryProps>) {
  const { api, device } = useLive();
  const { answer, session_id: session } = item;
  const help = HELP[answer?.stalled_reason ?? ''] ?? [];
  const press = useMutation({ mutationFn: (key: string) => api.call('session.keys', { session, keys: [key] }) });
  if (!answer) return null;
  return (
    <div className="notice warn">
      <div className="grow">
        <strong>Stalled:</strong> {stalledWords(answer, displayText)}
        {press.error && <ErrorNote error={press.error} />}
      </div>
      {device.role === 'all' &&
        !isElsewhere &&
        help.map(([label, key]) => (
          <button
            type="button"
            className="button"
            key={key}
            disabled={press.isPending}
            onClick={() => press.mutate(key)}
          >
            {label}
          </button>
        ))}
    </div>
  );
}

/** Names the author of an answer. `web` is any browser without a name, including this one. */
function byWho(by: string): string {
  if (by === 'terminal') return 'in the session’s own terminal';
  if (by === 'deadline') return 'by the question’s own deadline';
  if (by === 'web') return 'in the dashboard';
  if (by.startsWith('web:')) return `by ${line(by.slice(4), 40)}, in the dashboard`;
  if (by.startsWith('session:')) return `by the agent ${line(by.slice(8), 60)}`;
  return `by ${line(by, 40)}`;
}

/** Returns on one line how an item was closed. */
export function answerLine({ answer, state }: Pick<Item, 'answer' | 'state'>): string {
  if (!answer) return state === 'withdrawn' ? 'Withdrawn' : '';
  const said = answer.declined ? 'Declined' : `“${line(answer.text, 80)}”`;
  const delivery = answer.delivery ? ` · ${answer.delivery}` : '';
  return `${said}${delivery}`;
}
