declare module 'parse-prometheus-text-format' {
  interface Metric {
    labels?: Record<string, string>;
    /** None of a histogram. */
    value?: string;
  }

  export default function parse(
    text: string,
  ): { name: string; help: string; type: string; metrics: Metric[] }[];
}
