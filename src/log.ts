import { isatty } from 'node:tty';
import { stripVTControlCharacters, styleText } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config/config.ts';

/** Standard error, since standard output has the lines that people and programs wait for. */
const STDERR = 2;

/** One JSON object per line; on a terminal, or with LOG_FORMAT=text, lines for people. */
export function openLog(
  { logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
  logTo?: DestinationStream,
): Logger {
  const format = logFormat ?? (isatty(STDERR) ? 'text' : 'json');
  const destination = logTo ?? (format === 'text' ? textLog() : pino.destination(STDERR));
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: () => `,"time":"${isoTime(Date.now())}"`,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
}

let second = Number.NaN;
let secondText = '';

/** The same as `toISOString`, which would take half as long as all the rest of a line. */
export function isoTime(now: number): string {
  const ms = now % 1_000;
  if (now - ms !== second) {
    second = now - ms;
    secondText = new Date(second).toISOString().slice(0, -4);
  }
  return `${secondText}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** Without colours where standard error is not a terminal, and with NO_COLOR. */
const paintForStderr: Paint = (style, text) => styleText(style, text, { stream: process.stderr });

const textLog = (): DestinationStream => ({
  write: (line) => process.stderr.write(`${textLine(line, paintForStderr)}\n`),
});

const LEVELS: Record<string, Style> = {
  fatal: ['bold', 'red'],
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'cyan',
  trace: 'gray',
};

interface Line {
  level: string;
  time: string;
  msg?: string;
  err?: { stack?: string };
  [field: string]: unknown;
}

/** A line of JSON in the form for people: time, level, message, and the other fields. */
export function textLine(json: string, paint: Paint): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Line;
  const isRequest = msg === 'request';
  const head = isRequest ? requestText(fields, paint) : printable(msg);
  const rest = Object.entries(fields).filter(([name]) => !isRequest || !IN_HEAD.has(name));
  const details = rest.map(([name, value]) => paint('dim', `${name}=`) + valueText(value));
  const name = paint(LEVELS[level] ?? 'reset', level.toUpperCase().padEnd(5));
  const line = [paint('dim', time), name, head, ...details].join(' ');
  return err === undefined ? line : `${line}\n${printable(err.stack ?? JSON.stringify(err))}`;
}

const IN_HEAD = new Set(['method', 'route', 'status', 'ms']);

function requestText({ method, route, status, ms }: Record<string, unknown>, paint: Paint): string {
  const code = Number(status);
  const style = code < 300 ? 'green' : code < 400 ? 'cyan' : code < 500 ? 'yellow' : 'red';
  return `${method} ${route ?? '(no route)'} ${paint(style, String(status))} ${ms} ms`;
}

/** Quoted unless it is one plain word. */
function valueText(value: unknown): string {
  const isWord = typeof value === 'string' && /^[\x21\x23-\x7e]+$/.test(value);
  return isWord ? value : printable(JSON.stringify(value));
}

/** What others have written must not control the terminal. */
const printable = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n]/gu, '\u{fffd}');
