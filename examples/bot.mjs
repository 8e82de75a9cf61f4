/**
 * The commands of a points bot, without a chat network: one on the command line, or one per line of
 * standard input.
 *
 *     npx node examples/bot.mjs leaderboard week
 */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { isProblem } from '@realmkeep/client';
import { realm } from './realm.mjs';

const WINDOWS = /** @type {const} */ (['all', 'day', 'week', 'month']);

/** @type {Record<string, (words: string[], messageId: string) => Promise<string>>} */
const commands = {
  /** award <member> <points> [reason] */
  async award([memberId = '', points, ...reason], messageId) {
    const { newBalance } = await realm.member(memberId).add(Number(points), {
      description: reason.join(' '),
      // Chat networks deliver a message twice now and then: its id keeps that from paying twice.
      idempotencyKey: messageId,
    });
    return `${memberId} now has ${newBalance} points.`;
  },

  /** give <from> <to> <points> [reason] */
  async give([from = '', to = '', points, ...reason], messageId) {
    const given = await realm.member(from).transfer(to, Number(points), {
      description: reason.join(' '),
      idempotencyKey: messageId,
    });
    return `${from} has ${given.senderBalance} points left, ${to} has ${given.recipientBalance}.`;
  },

  /** leaderboard [all|day|week|month] */
  async leaderboard([word = 'all']) {
    const window = WINDOWS.find((each) => each === word) ?? 'all';
    const { members } = await realm.leaderboard({ window, limit: 10 });
    return members
      .map(({ rank, id, username, tokens }) => `${rank}. ${username ?? id}: ${tokens}`)
      .join('\n');
  },
};

/** @param {string} message @param {string} messageId */
async function replyTo(message, messageId) {
  const [name = '', ...words] = message.trim().split(/\s+/);
  // Somebody will say "constructor", which every object has.
  const command = Object.hasOwn(commands, name) && commands[name];
  if (!command) return `Commands: ${Object.keys(commands).join(', ')}`;
  try {
    return await command(words, messageId);
  } catch (error) {
    if (isProblem(error) && error.code === 'insufficient-points')
      return `That takes more than ${error.balance} points.`;
    // Problems explain themselves, and so does the client if it cannot even send what was typed.
    if (isProblem(error) || error instanceof RangeError) return error.message;
    throw error;
  }
}

const [, , ...words] = process.argv;
if (words.length > 0) console.log(await replyTo(words.join(' '), randomUUID()));
else {
  for await (const line of createInterface(process.stdin)) {
    console.log(await replyTo(line, randomUUID()));
  }
}
