import type { Kind, Member } from '@realmkeep/client';

/** What every dialog that acts on a member gets. */
export interface ActionProps extends Ends {
  member: Member;
  kind: Kind;
}

/** What becomes of it: passed on to the dialog. */
export interface Ends {
  onChanged: () => void;
  onClose: () => void;
}
