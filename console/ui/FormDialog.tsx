import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { faultsOf, isOutcomeUnknown, MAY_BE_DONE } from '../api/faults.ts';
import { type Said, toast } from '../state/toasts.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { FaultContext } from './fault-context.ts';
import { Icon } from './Icon.tsx';
import { ProblemDetails, ProblemNote } from './States.tsx';
import { useSubmit } from './submit.ts';
import { useIdempotencyKey, type Write } from './writes.ts';

export type { Write } from './writes.ts';

interface FormDialogProps {
  title: string;
  /** What the button does, as a verb: "Add points". */
  action: string;
  tone?: 'primary' | 'danger';
  wide?: boolean;
  canSubmit?: boolean;
  /** The names of its fields: a refusal is shown at the one it is about. */
  fields?: string[];
  /** What will be, said before it is done. */
  outcome?: ComponentChildren;
  /** Why the service would refuse it: said instead, and it is not sent. */
  refusal?: string | null;
  children?: ComponentChildren;
  /** What it returns is said, and the dialog closes; otherwise whoever opened it closes it. */
  onSubmit: (write: Write) => Promise<Said | undefined> | Promise<void>;
  /** Called when it is done, and when it is undone. */
  onChanged?: () => void;
  onClose: () => void;
}

/** A dialog that changes something. It stays open, with the refusal, if the service says no. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, tone = 'primary', fields = [], onClose } = props;
  const write = useIdempotencyKey();
  const { busy, error, submit } = useSubmit(async () => {
    const said = await props.onSubmit(write);
    if (!said) return;
    tell(said, props.onChanged);
    onClose();
  }, reportLate(title));
  const sent = useSent(props.outcome, busy, error);
  const faults = error ? faultsOf(error, fields) : new Map<string, string>();
  const form = useRef<HTMLFormElement>(null);
  const refusal = sent.isPending ? null : (props.refusal ?? null);
  const canSubmit = (props.canSubmit ?? true) && refusal === null;
  const outcome = refusal === null ? sent.outcome : <Refusal reason={refusal} />;
  useFirstFocus(form, tone === 'danger', canSubmit);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return (
    <Dialog title={title} wide={props.wide ?? false} busy={busy} onClose={onClose}>
      <form
        noValidate
        ref={form}
        onInput={sent.edit}
        onSubmit={(event) => {
          event.preventDefault();
          if (!canSubmit || busy) return;
          sent.keep();
          void submit();
        }}
      >
        <FaultContext.Provider value={faults}>
          <div class="body">
            {props.children}
            {outcome && (
              <div class="outcome" aria-live="polite">
                {outcome}
              </div>
            )}
            {error && faults.size === 0 && (
              <ProblemNote error={error} isChange sentence={sent.isReplaced && MAY_BE_DONE} />
            )}
            {error && faults.size > 0 && <ProblemDetails error={error} />}
          </div>
        </FaultContext.Provider>
        <footer>
          <Button busy={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" tone={tone} disabled={!canSubmit} busy={busy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Whoever shows what was changed looks again, also when it is taken back. */
function tell({ undo, ...said }: Said, onChanged = (): void => {}): void {
  const takeBack = async (): Promise<unknown> => {
    const text = await undo?.();
    onChanged();
    return text;
  };
  toast({ ...said, ...(undo && { undo: takeBack }) });
  onChanged();
}

/**
 * Enter does what the button says: in the field that one begins with or, without one, on the
 * button. What takes something away, and could be done at once, begins with Cancel.
 */
function useFirstFocus(form: { current: HTMLElement | null }, isDanger: boolean, isReady: boolean) {
  useLayoutEffect(() => {
    const find = (what: string) => form.current?.querySelector<HTMLElement>(what);
    // After the fields, which take the focus themselves.
    queueMicrotask(() => {
      if (find('[data-autofocus=true]') && !(isDanger && isReady)) return;
      find(isDanger ? 'footer [type=button]' : 'footer [type=submit]')?.focus();
    });
  }, []);
}

/**
 * What was sent says what it does until its answer comes: it may have been done, and then the
 * balances that are known by now have it in them. If it was refused, it promises nothing. Whoever
 * types something else sends another change.
 */
function useSent(outcome: ComponentChildren, busy: boolean, error: Error | undefined) {
  const kept = useRef<ComponentChildren>(null);
  const [isEdited, setEdited] = useState(false);
  const isInDoubt = error !== undefined && isOutcomeUnknown(error);
  const isPending = busy || (isInDoubt && !isEdited);
  const isRefused = error !== undefined && !isEdited;
  return {
    isPending,
    isReplaced: isInDoubt && isEdited,
    outcome: isPending ? kept.current : isRefused ? null : outcome,
    edit: () => setEdited(true),
    keep: () => {
      if (!isPending) kept.current = outcome;
      setEdited(false);
    },
  };
}

function Refusal({ reason }: { reason: string }) {
  return (
    <div class="refusal">
      <Icon name="alert" />
      <span>{reason}</span>
    </div>
  );
}

/** What was sent by a dialog that is closed can still fail. */
const reportLate =
  (title: string) =>
  (error: Error): void => {
    const text = isOutcomeUnknown(error) ? MAY_BE_DONE : `Not done. ${error.message}`;
    toast({ text: `${title}: ${text}`, isProblem: true });
  };
