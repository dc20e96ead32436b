/** What the measured processes tell the one that measures, over Node's IPC channel. */
export interface CloudFacts {
  readonly kind: 'cloud';
  /** The compute API behind the ingress. */
  readonly computeUrl: string;
  readonly token: string;
  readonly serverId: string;
  readonly projectId: string;
  readonly databaseUrl: string;
  /** Resident bytes of the whole cloud's process, idle after its work was done. */
  readonly idleBytes: number;
}

export interface BareFacts {
  readonly kind: 'bare';
  readonly url: string;
}

export interface Failure {
  readonly kind: 'failure';
  readonly message: string;
}

export type Report = CloudFacts | BareFacts | Failure;

/** Tells the parent, and ends this process with it: nothing measured may outlive the measuring. */
export function report(facts: Report): void {
  process.once('disconnect', () => process.exit(0));
  process.send?.(facts);
}
