import type {
  APIComponentInMessageActionRow,
  APIEmbed,
  APIEmbedField,
} from 'discord-api-types/v10';
import type { Message } from '../../discord/src/reply.ts';

/** A message as Discord shows it, drawn by ourselves, with the formats that the app uses. */
export interface Scene {
  /** "Alice used /give", and whose picture stands beside it. */
  cause: string;
  message: Message;
  isPrivate: boolean;
  names: ReadonlyMap<string, string>;
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

function inline(text: string, names: Scene['names']): string {
  const html = htmlOf(setAside(text))
    .replace(/&lt;@(\d+)&gt;/g, (_, id) => `<span class="mention">@${names.get(id) ?? id}</span>`)
    .replace(/&lt;t:(\d+):R&gt;/g, (_, seconds) => `<span class="time">${relative(seconds)}</span>`)
    .replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
  return putBack(html);
}

function relative(seconds: string): string {
  const minutes = Math.round((Number(seconds) - Date.now() / 1_000) / 60);
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (Math.abs(minutes) < 1) return 'a few seconds ago';
  return Math.abs(minutes) < 60
    ? format.format(minutes, 'minute')
    : format.format(Math.round(minutes / 60), 'hour');
}

function block(text: string, names: Scene['names']): string {
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

function embedOf(embed: APIEmbed, names: Scene['names']): string {
  const { title, description, fields = [], footer, color = 0 } = embed;
  return `<div class="embed" style="border-color:#${color.toString(16).padStart(6, '0')}">
    ${title ? `<div class="title">${inline(title, names)}</div>` : ''}
    ${description ? block(description, names) : ''}
    ${fields.map((one) => fieldOf(one, names)).join('')}
    ${footer ? `<div class="footer">${htmlOf(footer.text)}</div>` : ''}
  </div>`;
}

const fieldOf = ({ name, value }: APIEmbedField, names: Scene['names']): string =>
  `<div class="field"><b>${htmlOf(name)}</b>${block(value, names)}</div>`;

const HIDDEN = '<div class="private">👁 Only you can see this · <span>Dismiss message</span></div>';

const STYLES = ['', 'primary', 'secondary', 'success', 'danger', 'secondary'];

function componentOf(one: APIComponentInMessageActionRow): string {
  if (one.type === 3) return `<div class="select">${htmlOf(one.placeholder ?? '')}<i>⌄</i></div>`;
  if (one.type !== 2 || !('label' in one)) return '';
  const arrow = one.style === 5 ? ' ↗' : '';
  return `<span class="button ${STYLES[one.style]}">${htmlOf(one.label ?? '')}${arrow}</span>`;
}

export function draw({ cause, message, isPrivate, names }: Scene, theme: 'dark' | 'light'): string {
  const { content = '', embeds = [], components = [] } = message;
  const rows = components.map(
    (row) => `<div class="row">${row.components.map(componentOf).join('')}</div>`,
  );
  const [user = '', used = ''] = cause.split(' used ');
  // A menu has no slash.
  const command = /^[a-z]/.test(used) ? `/${used}` : used;
  return `<!doctype html><meta charset="utf-8"><style>${CSS}</style><body class="${theme}">
  <div class="cause"><i class="hook"></i><span class="dot">${htmlOf(user.slice(0, 1))}</span>
    <b>${htmlOf(user)}</b> used <span class="command">${htmlOf(command)}</span></div>
  <div class="message"><div class="avatar">★</div><div class="body">
    <div class="head"><b>Points</b><span class="app">APP</span>
      <span class="time-of-day">Today at 20:15</span></div>
    ${content ? block(content, names) : ''}
    ${embeds.map((embed) => embedOf(embed, names)).join('')}${rows.join('')}
    ${isPrivate ? HIDDEN : ''}
  </div></div></body>`;
}

const CSS = `
  body { margin: 0; padding: 14px 18px 16px; width: 524px; font: 15px/1.4 "gg sans", "Noto Sans",
    "DejaVu Sans", Emoji, sans-serif; }
  .dark { background: #313338; color: #dbdee1; --embed: #2b2d31; --quiet: #949ba4;
    --strong: #f2f3f5; --code: #1e1f22;
    --mention: #c9cdfb; --mention-back: #3c4270; --bar: #4e5058; }
  .light { background: #ffffff; color: #2e3338; --embed: #f2f3f5; --quiet: #5c5e66;
    --strong: #060607; --code: #e7e9ec; --mention: #4752c4; --mention-back: #e0e3ff;
    --bar: #c4c9ce; }
  .cause { font-size: 13px; color: var(--quiet); margin: 0 0 3px 56px; position: relative; }
  .cause b, .command { color: var(--strong); font-weight: 500; }
  .command { color: var(--mention); }
  .dot { display: inline-block; width: 16px; height: 16px; border-radius: 8px; background: #e08c5a;
    color: #fff; font-size: 10px; line-height: 16px; text-align: center; margin-right: 3px; }
  .hook { position: absolute; left: -36px; top: 9px; width: 31px; height: 12px; border: 2px solid
    var(--bar); border-width: 2px 0 0 2px; border-top-left-radius: 6px; }
  .message { display: flex; gap: 16px; }
  .avatar { flex: none; width: 40px; height: 40px; border-radius: 20px; background: #1d9a95;
    color: #fff; font-size: 21px; line-height: 40px; text-align: center; margin-top: 2px; }
  .body { min-width: 0; flex: 1; }
  .head b { color: var(--strong); font-weight: 500; font-size: 16px; }
  .app { background: #5865f2; color: #fff; font-size: 10px; font-weight: 600; border-radius: 4px;
    padding: 2px 5px; margin: 0 6px; vertical-align: 2px; }
  .time-of-day { color: var(--quiet); font-size: 12px; }
  .mention { background: var(--mention-back); color: var(--mention); border-radius: 3px;
    padding: 0 2px; font-weight: 500; }
  .time { background: var(--code); border-radius: 3px; padding: 0 2px; }
  .embed { background: var(--embed); border-left: 4px solid; border-radius: 4px; margin-top: 5px;
    padding: 9px 14px 11px 12px; font-size: 14px; max-width: 400px; display: table;
    box-sizing: border-box; min-width: 180px; }
  .title { font-weight: 600; font-size: 15px; color: var(--strong); margin-bottom: 4px; }
  b { color: var(--strong); font-weight: 600; }
  .field { margin-top: 8px; }
  .footer { font-size: 12px; color: var(--quiet); margin-top: 7px; }
  .small { font-size: 12px; color: var(--quiet); }
  blockquote { margin: 2px 0; padding-left: 10px; border-left: 4px solid var(--bar);
    border-radius: 2px; }
  pre { background: var(--code); border-radius: 4px; padding: 8px 10px; margin: 4px 0; font:
    13px/1.35 "Noto Sans Mono", "DejaVu Sans Mono", Emoji, monospace; white-space: pre; }
  code { background: var(--code); border-radius: 3px; padding: 1px 3px; font-size: 85%; font-family:
    "Noto Sans Mono", "DejaVu Sans Mono", monospace; }
  .row { margin-top: 8px; display: flex; gap: 8px; }
  .button { color: #fff; font-size: 14px; font-weight: 500; border-radius: 4px; padding: 5px 14px; }
  .success { background: #248046; } .danger { background: #da373c; }
  .secondary { background: #4e5058; }
  .light .secondary { background: #6d6f78; }
  .select { width: 380px; border: 1px solid var(--bar); border-radius: 4px; padding: 7px 12px;
    color: var(--quiet); background: var(--embed); display: flex; justify-content: space-between; }
  .select i { font-style: normal; line-height: 12px; }
  .private { color: var(--quiet); font-size: 12px; margin-top: 7px; }
  .private span { color: var(--mention); }
`;
