import type {
  APIComponentInMessageActionRow,
  APIEmbed,
  APIEmbedField,
} from 'discord-api-types/v10';
import type { Message } from '../../discord/src/reply.ts';
import { CSS } from './style.ts';

type Names = ReadonlyMap<string, string>;

/** A message as Discord shows it, drawn by ourselves, with the formats that the app uses. */
interface Scene {
  /** "Alice used give", and whose picture stands beside it; empty for a message of its own. */
  cause: string;
  message: Message;
  isPrivate: boolean;
}

/** What Discord proposes while somebody types. */
interface Proposals {
  typed: string;
  proposed: { name: string; description?: string }[];
}

export type Drawn = Scene | Proposals;

interface Look {
  theme: 'dark' | 'light';
  width: number;
  /** More of the style sheet, for fonts. */
  css: string;
}

const htmlOf = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Escaped characters are set aside, so that no format applies to them. */
const ASIDE = 0xe000;
const setAside = (text: string): string =>
  text.replace(/\\([^\s\w])/gu, (_, one: string) =>
    String.fromCharCode(ASIDE + (one.codePointAt(0) ?? 0)),
  );
const putBack = (html: string): string =>
  html.replace(/[\ue000-\ue0ff]/g, (one) => htmlOf(String.fromCharCode(one.charCodeAt(0) - ASIDE)));

function inline(text: string, names: Names): string {
  const html = htmlOf(setAside(text))
    .replace(/&lt;@(\d+)&gt;/g, (_, id) => `<span class="mention">@${names.get(id) ?? id}</span>`)
    .replace(/&lt;t:(\d+):R&gt;/g, (_, seconds) => `<span class="time">${relative(seconds)}</span>`)
    .replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
  return putBack(html);
}

function relative(seconds: string): string {
  const minutes = Math.round((Number(seconds) - Date.now() / 1_000) / 60);
  const format = new Intl.RelativeTimeFormat('en');
  if (minutes === 0) return 'a few seconds ago';
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 24
    ? format.format(hours, 'hour')
    : format.format(Math.round(hours / 24), 'day');
}

function block(text: string, names: Names): string {
  return text
    .split(/```\n?/)
    .map((part, index) => {
      if (index % 2 === 1) return `<pre>${htmlOf(part.trimEnd())}</pre>`;
      if (part.trim() === '') return '';
      return part
        .trim()
        .split('\n')
        .map((line) => {
          if (line.startsWith('> '))
            return `<blockquote>${inline(line.slice(2), names)}</blockquote>`;
          if (line.startsWith('-# '))
            return `<div class="small">${inline(line.slice(3), names)}</div>`;
          return `<div>${inline(line, names) || '&nbsp;'}</div>`;
        })
        .join('');
    })
    .join('');
}

function embedOf(embed: APIEmbed, names: Names): string {
  const { title, description, fields = [], footer, color = 0 } = embed;
  return `<div class="embed" style="border-color:#${color.toString(16).padStart(6, '0')}">
    ${title ? `<div class="title">${inline(title, names)}</div>` : ''}
    ${description ? block(description, names) : ''}
    ${fields.map((one) => fieldOf(one, names)).join('')}
    ${footer ? `<div class="footer">${htmlOf(footer.text)}</div>` : ''}
  </div>`;
}

const fieldOf = ({ name, value }: APIEmbedField, names: Names): string =>
  `<div class="field"><b>${htmlOf(name)}</b>${block(value, names)}</div>`;

const HIDDEN = '<div class="private">👁 Only you can see this · <span>Dismiss message</span></div>';

const STYLES = ['', 'primary', 'secondary', 'success', 'danger', 'secondary'];

/** Out of Discord. A drawing, since a font for emoji would make one of the character. */
const ARROW =
  '<svg width="11" height="11" viewBox="0 0 11 11" fill="none" stroke="currentColor">' +
  '<path d="M2 9 9 2M4 2h5v5" stroke-width="1.5"/></svg>';

function componentOf(one: APIComponentInMessageActionRow): string {
  if (one.type === 3) return `<div class="select">${htmlOf(one.placeholder ?? '')}<i>⌄</i></div>`;
  if (one.type !== 2 || !('label' in one)) return '';
  const arrow = one.style === 5 ? ARROW : '';
  return `<span class="button ${STYLES[one.style]}">${htmlOf(one.label ?? '')}${arrow}</span>`;
}

function drawScene({ cause, message, isPrivate }: Scene, names: Names): string {
  const { content = '', embeds = [], components = [] } = message;
  const rows = components.map(
    (row) => `<div class="row">${row.components.map(componentOf).join('')}</div>`,
  );
  return `${cause && causeOf(cause)}
  <div class="message"><div class="avatar">★</div><div class="body">
    <div class="head"><b>Points</b><span class="app">APP</span>
      <span class="time-of-day">Today at 20:15</span></div>
    ${content ? block(content, names) : ''}
    ${embeds.map((embed) => embedOf(embed, names)).join('')}${rows.join('')}
    ${isPrivate ? HIDDEN : ''}
  </div></div>`;
}

function causeOf(cause: string): string {
  const [user = '', used = ''] = cause.split(' used ');
  // A menu has no slash.
  const command = /^[a-z]/.test(used) ? `/${used}` : used;
  return `<div class="cause"><i class="hook"></i>
    <span class="dot">${htmlOf(user.slice(0, 1))}</span> <b>${htmlOf(user)}</b> used
    <span class="command">${htmlOf(command)}</span></div>`;
}

function drawProposals({ typed, proposed }: Proposals): string {
  const rows = proposed.map(({ name, description = '' }) => {
    const about = description && `<span class="small">${htmlOf(description)}</span>`;
    return `<div class="choice"><span>${htmlOf(name)}</span>${about}</div>`;
  });
  const none = '<div class="choice small">No options match your search.</div>';
  return `<div class="choices">${rows.join('') || none}</div>
    <div class="typed">${htmlOf(typed)}</div>`;
}

const draw = (drawn: Drawn, names: Names): string =>
  'typed' in drawn ? drawProposals(drawn) : drawScene(drawn, names);

const documentOf = (body: string, { theme, css }: Look, more: string): string =>
  `<!doctype html><meta charset="utf-8"><style>${CSS}${css}${more}</style>
    <body class="${theme}">${body}</body>`;

/** One picture, as large as what it shows. */
export const drawOne = (drawn: Drawn, names: Names, look: Look): string =>
  documentOf(draw(drawn, names), look, `body { width: ${look.width}px; padding: 14px 18px 16px; }`);

/** Many side by side, each with its name. */
export function drawSheet(drawn: [string, Drawn][], names: Names, look: Look): string {
  const cells = drawn.map(
    ([name, each]) => `<section><h6>${htmlOf(name)}</h6>${draw(each, names)}</section>`,
  );
  const css = `body { padding: 8px; column-width: ${look.width + 20}px; column-gap: 8px; }
    section { break-inside: avoid; box-sizing: border-box; width: ${look.width + 20}px;
      padding: 8px 10px 14px; border: 1px dashed var(--bar); margin-bottom: 8px; }`;
  return documentOf(cells.join(''), look, css);
}
