import type { RESTPutAPIApplicationGuildCommandsJSONBody as Body } from 'discord-api-types/v10';
import type { LinkedRealm } from '../options.ts';
import type { Action, Command } from './command.ts';
import { listActions, listCommands } from './lists.ts';
import { managerActions, managerCommands } from './managers.ts';
import { offerActions, offerCommands } from './offers.ts';
import { pointsActions, pointsCommands } from './points.ts';

const all: Command[] = [...pointsCommands, ...listCommands, ...offerCommands, ...managerCommands];

export const commands: ReadonlyMap<string, Command> = new Map(all.map((one) => [one.name, one]));

export const actions: ReadonlyMap<string, Action> = new Map<string, Action>(
  Object.entries({ ...pointsActions, ...listActions, ...offerActions, ...managerActions }),
);

const MANAGE_SERVER = '32';

/** Managers' commands are hidden from others, unless a role may use them, which Discord ignores. */
export const definitionsFor = ({ managerRoleId }: LinkedRealm): Body =>
  all.map(({ name, description, options, isForManagers }) => ({
    name,
    ...(description === undefined ? { type: 2 } : { type: 1, description, options: options ?? [] }),
    default_member_permissions: isForManagers && !managerRoleId ? MANAGE_SERVER : null,
  })) as Body;
