import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file that is always the same under its address. */
export interface StaticFile {
  type: string;
  plain: Buffer;
  zipped: Buffer;
  /** For its address, which changes with its contents: browsers may cache it for ever. */
  digest: string;
}

export async function staticFile(type: string, bytes: Uint8Array): Promise<StaticFile> {
  const plain = Buffer.from(bytes);
  // Fonts are compressed already.
  const zipped = isText(type) ? await promisify(gzip)(plain, { level: 9 }) : plain;
  return { type, plain, zipped, digest: hash('sha256', plain, 'base64url').slice(0, 16) };
}

const isText = (type: string): boolean => type.startsWith('text/');

export function sendStatic(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, plain, zipped }: StaticFile,
): FastifyReply {
  const zips = zipped !== plain && /\bgzip\b/.test(String(headers['accept-encoding']));
  if (zips) reply.header('content-encoding', 'gzip');
  return reply
    .header('vary', 'accept-encoding')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .type(isText(type) ? `${type}; charset=utf-8` : type)
    .send(zips ? zipped : plain);
}

/** Loads something when it is first needed, and again after a failure. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

export const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
      '<path fill="#2563eb" d="M1 2h3v2h2V2h4v2h2V2h3v6q0 5-7 7-7-2-7-7z"/></svg>',
  );
