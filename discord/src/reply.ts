import type {
  APIActionRowComponent,
  APIButtonComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
  APIInteractionResponse,
} from 'discord-api-types/v10';
import { cut } from './text/names.ts';

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

export interface Message {
  content?: string;
  embeds?: APIEmbed[];
  components?: Row[];
  pings?: string[];
}

/** `update` replaces the message whose button was pressed. */
export interface MessageReply {
  to: 'all' | 'one' | 'update';
  message: Message;
  /** A public message that follows once, however often its cause is repeated. */
  followUp?: { intent: string; message: Message };
}

export interface Choice {
  name: string;
  value: string;
}

export type Reply = MessageReply | { choices: Choice[] };

export const toAll = (message: Message): MessageReply => ({ to: 'all', message });
export const toOne = (message: Message): MessageReply => ({ to: 'one', message });
export const update = (message: Message): MessageReply => ({ to: 'update', message });

/** The one colour of the app's messages: the console's teal. */
const ACCENT = 0x1d9a95;

/** A message of one embed, with what is to be pressed below it. */
export const card = (text: string, embed: APIEmbed = {}, components: Row[] = []): Message => ({
  embeds: [{ color: ACCENT, ...embed, description: text }],
  components,
});

export const footer = (text: string | 0 | undefined): APIEmbed =>
  text ? { footer: { text } } : {};

const STYLES = { primary: 1, secondary: 2, success: 3, danger: 4 } as const;

export const button = (
  label: string,
  custom_id: string,
  style: keyof typeof STYLES = 'secondary',
): APIButtonComponent => ({ type: 2, style: STYLES[style], label: cut(label, 80), custom_id });

export const row = (...components: Row['components']): Row => ({ type: 1, components });

const EPHEMERAL = 64;

/** A message as Discord wants it: whole, so that it replaces another one completely. */
export const bodyOf = (message: Message, isPrivate = false) => ({
  content: message.content ?? '',
  embeds: message.embeds ?? [],
  components: message.components ?? [],
  allowed_mentions: { parse: [], users: message.pings ?? [] },
  ...(isPrivate && { flags: EPHEMERAL }),
});

export function responseOf(reply: Reply): APIInteractionResponse {
  if ('choices' in reply) return { type: 8, data: reply };
  const { to, message } = reply;
  return { type: to === 'update' ? 7 : 4, data: bodyOf(message, to === 'one') };
}

/** The responses that promise one: under a button, or under a command. */
export const deferral = (how: MessageReply['to']): APIInteractionResponse =>
  how === 'update'
    ? { type: 6 }
    : { type: 5, ...(how === 'one' && { data: { flags: EPHEMERAL } }) };
