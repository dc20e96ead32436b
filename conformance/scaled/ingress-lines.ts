/** What the ingress says of requests that failed (deploy/haproxy.cfg, `log-format`). */

export interface IngressLine {
  readonly text: string;
  readonly backend: string;
  readonly status: number;
  /** Whether the process ended before it had answered: HAProxy, 8.5, "Session state at disconnection". */
  readonly isCutOff: boolean;
}

const LINE = /^[\d.]+ \S+ (\S+) (\S+) (\S\S) (-?\d+) \S+ retries=\S+ [A-Z]+ /;

/** Of answers of 500 and more, and of none. */
export function ingressLines(log: string): IngressLine[] {
  return log
    .split('\n')
    .flatMap((text) => {
      const [, backend, , state = '', status] = LINE.exec(text) ?? [];
      if (backend === undefined) return [];
      return [{ text, backend, status: Number(status), isCutOff: /^S[HD]$/.test(state) }];
    })
    .filter(({ status }) => status >= 500 || status < 0);
}
