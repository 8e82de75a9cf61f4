import { useState } from 'preact/hooks';
import { given } from '../../api/service.ts';
import { oneByOne } from '../../state/many.ts';
import { useRealm } from '../../state/realm.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { tagsAfter, tagsIn } from '../../text/tags.ts';
import { Segments } from '../../ui/Choices.tsx';
import { TextField } from '../../ui/Field.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { ManyDialog } from './ManyDialog.tsx';
import type { ManyMembersProps } from './PointsDialog.tsx';

/** Freezes those who are not frozen, or unfreezes those who are. */
export function FreezeManyDialog(props: ManyMembersProps & { isFreezing: boolean }) {
  const { members, isFreezing, ...rest } = props;
  const { api } = useRealm();
  const [status, former] = isFreezing
    ? (['frozen', 'active'] as const)
    : (['active', 'frozen'] as const);
  const some = members.filter((member) => member.status === former);
  const left = members.length - some.length;
  const count = plural(some.length, 'member');
  const verb = isFreezing ? 'Freeze' : 'Unfreeze';
  return (
    <ManyDialog
      title={`${verb} ${plural(members.length, 'member')}?`}
      action={verb}
      canSubmit
      targets={some.map((member) => ({ id: member.id, name: nameOf(member) }))}
      sending={() =>
        oneByOne(async ({ id }, idempotencyKey) => {
          await api.member(id).update({ status, idempotencyKey });
          return () => api.member(id).update({ status: former });
        })
      }
      outcome={
        <>
          <div>
            {isFreezing
              ? `No points move in or out of ${count} until they are unfrozen.`
              : `Points of ${count} can be moved again.`}
          </div>
          {left > 0 && (
            <div>
              {plural(left, 'member')} {left === 1 ? 'is' : 'are'} {status} already.
            </div>
          )}
        </>
      }
      {...rest}
    />
  );
}

const WAYS = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
];

/** Adds tags to members, or removes them. */
export function TagDialog({ members, ...rest }: ManyMembersProps) {
  const { api } = useRealm();
  const [typed, setTyped] = useState('');
  const [way, setWay] = useState<'add' | 'remove'>('add');
  const tags = tagsIn(typed);
  const targets = members.flatMap((member) => {
    const changed = tags.filter((tag) => member.tags.includes(tag) === (way === 'remove'));
    return changed.length === 0 ? [] : [{ id: member.id, name: nameOf(member), changed }];
  });
  // All tags of a member are written at once: those that somebody added since stay.
  const change = async (id: string, changed: string[], by: typeof way, idempotencyKey?: string) => {
    const after = tagsAfter((await api.member(id).get()).tags, changed, by);
    if (after) await api.member(id).update({ tags: after, ...given({ idempotencyKey }) });
  };
  return (
    <ManyDialog
      title={`Tag ${plural(members.length, 'member')}`}
      action={way === 'add' ? 'Add tags' : 'Remove tags'}
      canSubmit={tags.length > 0}
      targets={targets}
      sending={() =>
        oneByOne(async ({ id, changed }: (typeof targets)[number], idempotencyKey) => {
          await change(id, changed, way, idempotencyKey);
          return () => change(id, changed, way === 'add' ? 'remove' : 'add');
        })
      }
      outcome={
        tags.length > 0 &&
        `${formatNumber(targets.length)} of ${plural(members.length, 'member')} will change.`
      }
      {...rest}
    >
      <Segments
        label="What to do"
        value={way}
        choices={WAYS}
        onChange={(value) => setWay(value === 'remove' ? 'remove' : 'add')}
      />
      <TextField
        label="Tags"
        name="tags"
        value={typed}
        onInput={setTyped}
        autoFocus
        placeholder="vip, helper"
        hint="Separated by commas. Up to 20 of at most 32 characters each."
      />
    </ManyDialog>
  );
}
