import { type User, until } from '../../test/discord/community.ts';
import type { Stage } from './stage.ts';

/** What a server's channel is told, and what Discord shows before anything is sent. */
export async function drawAnnouncements(stage: Stage, alice: User, bob: User): Promise<void> {
  const { server, shots } = stage;
  const { realm, discord, link } = server;
  const channel = discord.channels.get(link.announceChannelId ?? '') ?? [];
  const shot = async (name: string, act: () => Promise<unknown>) => {
    const before = channel.length;
    await act();
    await until(() => channel.length > before);
    const message = channel.at(-1)?.body;
    shots.set(`announced-${name}`, { cause: '', message, isPrivate: false });
  };
  const gives = { gives: { points: 250 } };
  const about = { emoji: '🧢', description: 'Warm, and with our *owl* on it. Ships in May.' };
  await shot('offer', () => server.offer('cap', { name: 'Cap', costs: { points: 90 }, ...about }));
  const stock = { stock: 25, closesAt: new Date(Date.now() + 7 * 86_400_000).toISOString() };
  const pin = { name: 'Spring pin', emoji: '📌', costs: { points: 90 } };
  await shot('offer-limited', () => server.offer('spring-pin', { ...pin, ...stock }));
  await shot('quest', () => server.offer('quest', { name: 'Quest: say hello', ...gives }));
  const perMember = { times: 1, period: 'day' };
  const chest = { name: 'Daily chest', emoji: '🎁', perMember, gives: { points: 5 } };
  await shot('daily', () => server.offer('daily-chest', chest));
  const body = { recipientId: bob.id, tokens: 1_000, description: 'For the server bill' };
  await shot('gift', () => realm.expect(200, 'PATCH', `/members/${alice.id}/transfer`, { body }));
  const draw = { winners: 3, seed: 'bitcoin block 925,000' };
  await shot('draw', () => realm.expect(201, 'POST', '/offers/raffle/draw', { body: draw }));
  await realm.expect(201, 'POST', '/offers', {
    body: { id: 'unused', name: 'Unused raffle', costs: { points: 1 }, isListed: false },
  });
  await realm.expect(200, 'PATCH', '/offers/unused', { body: { archived: true } });
  await shot('no-draw', () => realm.expect(201, 'POST', '/offers/unused/draw', { body: draw }));
}

interface Command {
  name: string;
  description?: string;
  options?: { name: string; required?: boolean; description: string }[];
}

export async function drawTyping({ server, shots }: Stage, alice: User): Promise<void> {
  const commands = (server.discord.guilds.get(server.guildId) ?? []) as Command[];
  const proposed = commands
    .filter(({ description }) => description)
    .map(({ name, description = '', options = [] }) => {
      const given = options.map((one) => (one.required ? one.name : `[${one.name}]`));
      return { name: [`/${name}`, ...given].join(' '), description };
    });
  shots.set('commands', { typed: '/', proposed });
  const options = commands.flatMap((command) =>
    (command.options ?? []).map((one) => ({
      name: `/${command.name} ${one.name}`,
      description: one.description,
    })),
  );
  shots.set('options', { typed: '/… ', proposed: options });
  const typed = async (command: string, option: string, text: string) =>
    shots.set(`types-${command}-${option}${text && '-found'}`, {
      typed: `/${command} ${option}: ${text}`,
      proposed: await alice.types(command, option, text),
    });
  await typed('balance', 'kind', '');
  await typed('claim', 'offer', '');
  await typed('buy', 'offer', '');
  await typed('buy', 'offer', 'sti');
  await typed('buy', 'offer', 'nothing like it');
}
