/** The part of autocannon that is used here; the package has no types. */
declare module 'autocannon' {
  export interface RawRequest {
    method: string;
    path: string;
    headers: Record<string, string>;
    body: string;
  }

  export interface Result {
    '2xx': number;
    non2xx: number;
    /** Failed connections, timeouts among them. */
    errors: number;
    timeouts: number;
    duration: number;
    requests: { total: number };
    latency: { p50: number; p99: number };
  }

  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    requests: { setupRequest: (request: RawRequest) => RawRequest }[];
  }): Promise<Result>;
}
