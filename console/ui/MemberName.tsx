import type { Named } from '../state/names.ts';
import { shortId } from '../text/format.ts';
import { initialOf, visibleText } from '../text/visible.ts';
import { Text } from './Text.tsx';

/** What people call a member. */
export const nameOf = ({ id, username, displayName }: Named): string =>
  visibleText(displayName?.trim() || username?.trim() || `Member ${shortId(id)}`);

/** The same inside a sentence, which a name from right to left must not reorder. */
export const Name = ({ member }: { member: Named }) => <bdi>{nameOf(member)}</bdi>;

export function Avatar({ member, large = false }: { member: Named; large?: boolean }) {
  return (
    <span class={large ? 'avatar large' : 'avatar'} aria-hidden="true">
      {initialOf(nameOf(member))}
    </span>
  );
}

/** A member in a row of a table; the link covers the row. */
export function MemberLink({ member, href }: { member: Named; href: string }) {
  const { username, displayName } = member;
  const hasBoth = Boolean(displayName?.trim()) && Boolean(username) && displayName !== username;
  return (
    <span class="row">
      <Avatar member={member} />
      <a class="row-link ellipsis" href={href}>
        <Text value={displayName?.trim() || username?.trim() || `Member ${shortId(member.id)}`} />
      </a>
      {hasBoth && (
        <span class="muted ellipsis handle">
          <Text value={username ?? ''} />
        </span>
      )}
    </span>
  );
}
