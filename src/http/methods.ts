import type { FastifyInstance } from 'fastify';
import type { ProblemCode } from '../contract/problems.ts';
import { sendProblem } from './problems.ts';

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/**
 * Tells an unknown path (404) from a known one with a wrong method (405, with `Allow`). It notes
 * each route as it is added, so every route that exists is covered.
 */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) path.methods.add(one);
    known.set(url, path);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    // A path of fixed words is more exact than one with a parameter in their place.
    const matches = [...known.values()].filter(({ pattern }) => pattern.test(path));
    const methods = new Set(matches.flatMap((match) => [...match.methods]));
    const code: ProblemCode = methods.size > 0 ? 'method-not-allowed' : 'not-found';
    if (methods.size === 0) return sendProblem(request, reply, code);
    const allowed = [...methods].sort().join(', ');
    reply.header('allow', allowed);
    return sendProblem(request, reply, code, { allowed });
  });
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`);
