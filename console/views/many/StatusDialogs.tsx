import { useState } from 'preact/hooks';
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
              ? `No points move in or out of ${plural(some.length, 'member')} until they are unfrozen.`
              : `Points of ${plural(some.length, 'member')} can be moved again.`}
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
    const after = tagsAfter(member.tags, tags, way);
    return after === null
      ? []
      : [{ id: member.id, name: nameOf(member), before: member.tags, after }];
  });
  return (
    <ManyDialog
      title={`Tag ${plural(members.length, 'member')}`}
      action={way === 'add' ? 'Add tags' : 'Remove tags'}
      canSubmit={tags.length > 0}
      targets={targets}
      sending={() =>
        oneByOne(async ({ id, before, after }: (typeof targets)[number], idempotencyKey) => {
          await api.member(id).update({ tags: after, idempotencyKey });
          return () => api.member(id).update({ tags: before });
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
