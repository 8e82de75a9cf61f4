import type { ComponentChildren } from 'preact';
import { mayGoOn, type Sending, useMany } from '../../state/many.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { answeredOf, type Many, type Refused, type Target } from '../../text/many.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { ProblemNote } from '../../ui/States.tsx';
import { Text } from '../../ui/Text.tsx';

interface ManyProps<T extends Target> {
  title: string;
  /** What the button does, as a verb. */
  action: string;
  tone?: 'primary' | 'danger';
  wide?: boolean;
  canSubmit: boolean;
  targets: readonly T[];
  sending: () => Sending<T>;
  /** What will be, said before it is done. */
  outcome: ComponentChildren;
  refusal?: string | null;
  children?: ComponentChildren;
  onChanged: () => void;
  onClose: () => void;
}

/** Does something to many members: says what will be, how far it is, and what was refused. */
export function ManyDialog<T extends Target>(props: ManyProps<T>) {
  const { title, targets, sending, onChanged, onClose } = props;
  const running = useMany<T>();
  const { many } = running;
  if (many.phase === 'ready') {
    const begin = async (): Promise<void> => running.start(targets, sending());
    return (
      <FormDialog
        title={title}
        action={props.action}
        tone={props.tone ?? 'primary'}
        wide={props.wide ?? false}
        canSubmit={props.canSubmit && targets.length > 0}
        refusal={props.refusal ?? null}
        outcome={props.outcome}
        onSubmit={begin}
        onClose={onClose}
      >
        {props.children}
      </FormDialog>
    );
  }
  const isBusy = many.phase === 'running';
  // What has no answer yet would not be undone.
  const isOpen = many.error !== null && mayGoOn(many.error);
  const isVain = many.error !== null && !isOpen && answeredOf(many) === 0;
  const close = (): void => {
    onChanged();
    onClose();
  };
  return (
    <Dialog title={title} busy={isBusy} onClose={close}>
      <Progress many={many} />
      <footer>
        {isBusy && <Button onClick={running.stop}>Stop</Button>}
        {isVain && <Button onClick={running.back}>Back</Button>}
        {many.phase === 'stopped' && !isVain && <Button onClick={running.resume}>Continue</Button>}
        {!isBusy && !isOpen && !many.isUndo && many.done.length > 0 && (
          <Button onClick={running.undo}>Undo all of it</Button>
        )}
        <Button tone="primary" busy={isBusy} onClick={close}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}

function Progress({ many }: { many: Many }) {
  const { phase, isUndo, count, done, refused, error } = many;
  const [running, finished] = isUndo ? ['Undoing…', 'Undone'] : ['Under way…', 'Done'];
  const title = phase === 'running' ? running : phase === 'stopped' ? 'Stopped' : finished;
  return (
    <div class="body stack">
      <p role="status">
        <b>{title}</b>
        {`: ${formatNumber(done.length)} of ${plural(count, 'member')}`}
        {refused.length > 0 && `, ${formatNumber(refused.length)} refused`}
      </p>
      {phase !== 'done' && <Meter label="Members done" share={answeredOf(many) / count} />}
      {error && <ProblemNote error={error} isChange />}
      {refused.length > 0 && <RefusedList refused={refused} />}
    </div>
  );
}

/** Nobody reads more. */
const SHOWN = 100;

export function RefusedList({ refused }: { refused: readonly Refused[] }) {
  return (
    <ul class="refused-list" aria-label="Refused">
      {refused.slice(0, SHOWN).map(({ id, name, reason }) => (
        <li key={id}>
          <b>
            <Text value={name} />
          </b>{' '}
          <Text value={reason} />
        </li>
      ))}
      {refused.length > SHOWN && <li>and {formatNumber(refused.length - SHOWN)} more</li>}
    </ul>
  );
}
