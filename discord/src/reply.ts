import type {
  APIActionRowComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
  APIInteractionResponse,
} from 'discord-api-types/v10';

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

export interface Message {
  content?: string;
  embeds?: APIEmbed[];
  components?: Row[];
  /** The only users whom it may ping. */
  pings?: string[];
}

/** A public message that follows once, however often its cause is repeated. */
export interface FollowUp {
  intent: string;
  message: Message;
}

export interface Choice {
  name: string;
  value: string;
}

/** `update` replaces the message whose button was pressed. */
export type MessageReply = {
  to: 'all' | 'one' | 'update';
  message: Message;
  followUp?: FollowUp;
};

/** What is answered to an interaction. */
export type Reply = MessageReply | { choices: Choice[] };

export const toAll = (message: Message): MessageReply => ({ to: 'all', message });
export const toOne = (message: Message): MessageReply => ({ to: 'one', message });
export const update = (message: Message): MessageReply => ({ to: 'update', message });

const EPHEMERAL = 64;
const MOST_CHOICES = 25;

/** A message as Discord wants it: whole, so that it replaces another one completely. */
export const bodyOf = ({ content = '', embeds = [], components = [], pings = [] }: Message) => ({
  content,
  embeds,
  components,
  allowed_mentions: { parse: [], users: pings },
});

export const privateBodyOf = (message: Message) => ({ ...bodyOf(message), flags: EPHEMERAL });

/** The response that shows a reply at once. */
export function responseOf(reply: Reply): APIInteractionResponse {
  if ('choices' in reply) {
    return { type: 8, data: { choices: reply.choices.slice(0, MOST_CHOICES) } };
  }
  const { to, message } = reply;
  if (to === 'update') return { type: 7, data: bodyOf(message) };
  return { type: 4, data: to === 'one' ? privateBodyOf(message) : bodyOf(message) };
}

/** The responses that promise one: under a command, privately or not, or under a button. */
export const deferral = (how: 'all' | 'one' | 'update'): APIInteractionResponse =>
  how === 'update'
    ? { type: 6 }
    : { type: 5, ...(how === 'one' && { data: { flags: EPHEMERAL } }) };
