import type { Realm } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../addresses.ts';
import { service } from '../api/service.ts';
import { View } from '../frame/View.tsx';
import { useAnswer } from '../state/answers.ts';
import { useAsked } from '../state/asked.ts';
import { usePages } from '../state/pages.ts';
import { toast } from '../state/toasts.ts';
import { formatNumber } from '../text/format.ts';
import { idFrom } from '../text/ids.ts';
import { Button } from '../ui/Button.tsx';
import { TextField, useForm } from '../ui/Field.tsx';
import { FormDialog, type Write } from '../ui/FormDialog.tsx';
import { Intro } from '../ui/Intro.tsx';
import { RealmMark } from '../ui/Marks.tsx';
import { Sparkline } from '../ui/Sparkline.tsx';
import { Empty, ProblemNote, Skeleton } from '../ui/States.tsx';
import { useSentinel } from '../ui/scrolling.ts';
import { Text } from '../ui/Text.tsx';
import { Middle } from '../ui/Values.tsx';

export function Realms() {
  const [isCreating, setCreating] = useState(false);
  const pages = usePages<Realm>({
    key: 'realms',
    rowKey: ({ id }) => id,
    limit: 60,
    ask: (page) => service.realms(page),
  });
  const sentinel = useSentinel(pages.moreError ? undefined : pages.more, pages.rows?.length ?? 0);
  useAsked('create a realm', () => setCreating(true));
  const create = (
    <Button tone="primary" icon="plus" onClick={() => setCreating(true)}>
      Create a realm
    </Button>
  );
  return (
    <View title="Realms" class="content">
      <Intro
        note="A realm is one community, with its own members, keys and journal."
        action={create}
      />
      {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
      {pages.rows?.length === 0 && (
        <Empty icon="realms" title="No realms yet">
          <p>Create the first one. It takes a name and nothing else.</p>
          {create}
        </Empty>
      )}
      <div class="realm-cards">
        {pages.rows?.map((realm) => (
          <RealmCard key={realm.id} realm={realm} />
        ))}
      </div>
      {pages.moreError && <ProblemNote error={pages.moreError} retry={pages.more} />}
      <div ref={sentinel} />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </View>
  );
}

/** What a card shows; of several kinds of points, the default. */
async function cardOf(id: string, signal: AbortSignal) {
  const realm = service.realm(id);
  const { members, activity, circulation } = await realm.summary({ signal });
  const [only, ...others] = Object.keys(circulation);
  const kinds = others.length > 0 ? (await realm.kinds({ signal })).items : [];
  const kind = kinds.find(({ isDefault }) => isDefault)?.id ?? only ?? '';
  return { members, activity, circulation: circulation[kind] ?? 0 };
}

function RealmCard({ realm }: { realm: Realm }) {
  const { value, error, reload } = useAnswer(`card ${realm.id}`, (signal) =>
    cardOf(realm.id, signal),
  );
  return (
    <article class="card stack realm-card">
      <div class="row">
        <RealmMark realm={realm} />
        <h2 class="ellipsis">
          <a class="row-link" href={addresses.overview(realm.id)}>
            <Text value={realm.name} />
          </a>
        </h2>
        <Middle value={realm.id} class="muted push" />
      </div>
      {error && <ProblemNote error={error} retry={reload} />}
      {value && <Sparkline values={recordsSince(realm.createdAt, value.activity)} />}
      {!value && !error && <Skeleton />}
      <dl class="parts">
        <div>
          <dt class="caption">Members</dt>
          <dd class="number">{value ? formatNumber(value.members) : '–'}</dd>
        </div>
        <div>
          <dt class="caption">In circulation</dt>
          <dd class="number">{value ? formatNumber(value.circulation) : '–'}</dd>
        </div>
        {realm.archivedAt !== null && <span class="badge">Archived</span>}
      </dl>
    </article>
  );
}

/** By day; null before the day on which the realm was created. */
const recordsSince = (createdAt: string, days: { day: string; records: number }[]) =>
  days.map(({ day, records }) => (day < createdAt.slice(0, 10) ? null : records));

/** Of a realm. */
const LONGEST_ID = 64;

function CreateDialog({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  const { typed, field } = useForm({ name: '' });
  const [typedId, setTypedId] = useState<string | null>(null);
  const id = typedId ?? idFrom(typed.name, LONGEST_ID);
  const submit = async (write: Write) => {
    const fields = { id, name: typed.name.trim() };
    await service.createRealm({ ...fields, ...write(fields) });
    toast({ text: `${fields.name} created`, href: addresses.overview(id) });
    if (location.pathname === addresses.realms) route(addresses.overview(id));
  };
  return (
    <FormDialog
      title="Create a realm"
      action="Create"
      canSubmit={typed.name.trim() !== '' && id !== ''}
      fields={['id', 'name']}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Acme Guild" autoFocus {...field('name')} />
      <TextField
        label="Id"
        name="id"
        class="mono"
        value={id}
        onInput={setTypedId}
        hint="Part of every address. It cannot be changed later."
      />
    </FormDialog>
  );
}
