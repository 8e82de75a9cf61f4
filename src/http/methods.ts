import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { sendProblem } from './problems.ts';

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/**
 * Distinguishes an unknown path (404) from a known one with a wrong method (405, with `Allow`). It
 * watches routes being added, so that it covers all of them.
 */
export class MethodGuard {
  readonly #known = new Map<string, KnownPath>();

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', (route) => this.#add(route));
    app.setNotFoundHandler(this.refuse);
  }

  /**
   * A fixed path such as `members/includes` also matches `members/:memberID`. Methods that only the
   * latter has are closed on it, so that `includes` is never taken for a member id.
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
          // Before the body is read: a wrong method takes precedence over an invalid body.
          onRequest: (request, reply) => void this.refuse(request, reply),
          handler: this.refuse,
        });
      }
    }
  }

  #add({ url, method, handler }: RouteOptions): void {
    // This route is one of closeShadowedMethods.
    if (handler === this.refuse) return;
    const path = this.#known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) path.methods.add(one);
    this.#known.set(url, path);
  }

  #matching(path: string): KnownPath[] {
    return [...this.#known.values()].filter(({ pattern }) => pattern.test(path));
  }

  refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return sendProblem(request, reply, { code: 'not-found', extra: {} });
  }

  /** Answers 404 for an unknown path, and 405 for a known one. */
  readonly refuse = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? '';
    // Of several matching paths, the one with the fewest parameters is meant.
    const [meant] = this.#matching(path).sort((a, b) => parameters(a) - parameters(b));
    if (!meant) return this.refuseUnknown(request, reply);
    const allowed = [...meant.methods].sort().join(', ');
    reply.header('allow', allowed);
    return sendProblem(request, reply, { code: 'method-not-allowed', extra: { allowed } });
  };
}

const PARAMETER = '[^/]+';

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, PARAMETER)}$`);

const parameters = ({ pattern }: KnownPath): number => pattern.source.split(PARAMETER).length;
