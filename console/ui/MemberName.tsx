import { useContext } from 'preact/hooks';
import { addresses } from '../addresses.ts';
import type { Named } from '../state/names.ts';
import { RealmContext } from '../state/realm.ts';
import { shortId } from '../text/format.ts';
import { hueOf } from '../text/marks.ts';
import { initialsOf, visibleText } from '../text/visible.ts';
import { Text } from './Text.tsx';

/** What people call a member. */
export const nameOf = ({ id, username, displayName }: Named): string =>
  visibleText(displayName?.trim() || username?.trim() || `Member ${shortId(id)}`);

/** The same inside a sentence, which a name from right to left must not reorder. */
export const Name = ({ member }: { member: Named }) => <bdi>{nameOf(member)}</bdi>;

type Size = '' | 'large' | 'huge';

interface DiscProps {
  id: string;
  name: string;
  size?: Size;
  /** The address of a picture that there may be. */
  picture?: string | undefined;
}

/** Somebody by initials, in the colour of the id: it stays when the name changes. */
export function Disc({ id, name, size = '', picture }: DiscProps) {
  return (
    <span class={`avatar tinted ${size}`} style={{ '--hue': hueOf(id) }} aria-hidden="true">
      {initialsOf(name)}
      {picture && <img key={picture} src={picture} alt="" loading="lazy" onError={hide} />}
    </span>
  );
}

function hide({ currentTarget }: { currentTarget: HTMLImageElement }): void {
  currentTarget.hidden = true;
}

export function Avatar({ member, size = '' }: { member: Named; size?: Size }) {
  const realm = useContext(RealmContext)?.realm;
  const picture = realm?.settings.discordPictures
    ? addresses.picture(realm.id, member.id)
    : undefined;
  return <Disc id={member.id} name={nameOf(member)} size={size} picture={picture} />;
}

/** A member in a row of a table, the name over the handle; the link covers the row. */
export function MemberLink({ member, href }: { member: Named; href: string }) {
  const { username, displayName } = member;
  const hasBoth = Boolean(displayName?.trim()) && Boolean(username) && displayName !== username;
  return (
    <span class="row">
      <Avatar member={member} />
      <span class="name-lines">
        <a class="row-link ellipsis" href={href}>
          <Text value={displayName?.trim() || username?.trim() || `Member ${shortId(member.id)}`} />
        </a>
        {hasBoth && <Text class="caption ellipsis" value={username ?? ''} />}
      </span>
    </span>
  );
}
