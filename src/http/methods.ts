import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { sendProblem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that only says that its method is not allowed. */
    refusesMethod?: boolean;
  }
}

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/**
 * Tells an unknown path (404) from a known one with a wrong method (405, with `Allow`). It notes
 * each route as it is added, so every route that exists is covered.
 */
export class MethodGuard {
  readonly #known = new Map<string, KnownPath>();

  watch(app: FastifyInstance): void {
    app.addHook('onRoute', (route) => this.#note(route));
    app.setNotFoundHandler((request, reply) => this.refuse(request, reply));
  }

  /**
   * A path of fixed words, such as `members/includes`, also fits the path with a parameter in their
   * place. Its own methods alone may be used there: `includes` is never taken for a member id.
   */
  closeShadowedMethods(app: FastifyInstance): void {
    for (const [url, { methods }] of [...this.#known]) {
      if (url.includes(':') && !/\/[a-z]\w*$/i.test(url)) continue;
      const shadowed = this.#matching(url.replaceAll(':', '')).flatMap((path) => [...path.methods]);
      for (const method of new Set(shadowed).difference(methods)) {
        app.route({
          method,
          url,
          exposeHeadRoute: false,
          config: { refusesMethod: true },
          // Before anything is read: a wrong method comes before a wrong body.
          onRequest: (request, reply) => void this.refuse(request, reply),
          handler: (request, reply) => this.refuse(request, reply),
        });
      }
    }
  }

  #note({ url, method, config }: RouteOptions): void {
    if (config?.refusesMethod) return;
    const path = this.#known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) path.methods.add(one);
    this.#known.set(url, path);
  }

  #matching(path: string): KnownPath[] {
    return [...this.#known.values()].filter(({ pattern }) => pattern.test(path));
  }

  /** Answers 404 or 405, whichever the path deserves. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = request.url.split('?', 1)[0] ?? '';
    // Of two paths that fit, the one with fewer parameters was meant.
    const [meant] = this.#matching(path).sort((a, b) => parameters(a) - parameters(b));
    if (!meant) return sendProblem(request, reply, 'not-found');
    const allowed = [...meant.methods].sort().join(', ');
    reply.header('allow', allowed);
    return sendProblem(request, reply, 'method-not-allowed', { allowed });
  }
}

const PARAMETER = '[^/]+';

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, PARAMETER)}$`);

const parameters = ({ pattern }: KnownPath): number => pattern.source.split(PARAMETER).length;
