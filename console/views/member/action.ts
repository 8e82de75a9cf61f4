import type { Kind, Member } from '@realmkeep/client';

/** What every dialog that acts on a member gets. */
export interface ActionProps {
  member: Member;
  kind: Kind;
  onChanged: () => void;
  onClose: () => void;
}
