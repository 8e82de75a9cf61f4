import type { Bot, BotOptions } from './options.ts';

export type { Bot, BotOptions, BotStatus, LinkedRealm, LogLevel } from './options.ts';

export function startBot(_options: BotOptions): Bot {
  throw new Error('not built yet');
}
