import { DiscordBot } from './bot.ts';
import type { Bot, BotOptions } from './options.ts';

export type { Bot, BotOptions, BotStatus, LinkedRealm, LogLevel } from './options.ts';

export const startBot = (options: BotOptions): Bot => new DiscordBot(options);
