import type { Footprint } from './footprint.js';
import type { Figures } from './measure.js';

/** What the measured processes report to the measuring one, over Node's IPC channel. */
export interface CloudFacts {
  readonly kind: 'cloud';
  /** The compute API behind the ingress. */
  readonly computeUrl: string;
  readonly s3Url: string;
  readonly token: string;
  /** The identity API behind the ingress, and a body that logs in. */
  readonly identityUrl: string;
  readonly login: string;
  readonly adminLogin: object;
  readonly serverId: string;
  readonly projectId: string;
  /** The images API behind the ingress. */
  readonly imagesUrl: string;
  /** The load balancer API behind the ingress, and one of ten load balancers. */
  readonly loadBalancersUrl: string;
  readonly loadBalancerId: string;
  /** The orchestration API behind the ingress, and the path of one of 20 stacks. */
  readonly stacks: BareStacks;
  readonly stackPath: string;
  readonly databaseUrls: Databases;
  /** Idle, after its work was done. */
  readonly idle: Footprint;
}

export interface Databases {
  readonly compute: string;
  readonly images: string;
  readonly loadBalancers: string;
}

/** What stacks are read with. */
export interface BareStacks {
  /** That their links begin with. */
  readonly url: string;
  readonly databaseUrl: string;
  /** Under which their rows are sealed. */
  readonly secretKey: string;
}

/** What the baseline is told. */
export interface BareOptions {
  readonly databaseUrls: Databases;
  readonly projectId: string;
  /** That links of servers begin with. */
  readonly baseUrl: string;
  readonly identityUrl: string;
  readonly stacks: BareStacks;
}

export interface BareFacts {
  readonly kind: 'bare';
  readonly url: string;
}

/** The images service, behind the ingress; it reports its memory (`memory-watch.ts`). */
export interface ImagesFacts {
  readonly kind: 'images';
  readonly url: string;
  readonly token: string;
}

/** The S3 service with an access key; it reports its memory (`memory-watch.ts`). */
export interface ObjectsFacts {
  readonly kind: 'objects';
  readonly url: string;
  readonly access: string;
  readonly secret: string;
  readonly databaseUrl: string;
}

/** What a graph of resources cost, per resource. */
export interface GraphCost {
  readonly name: string;
  /** Milliseconds from the first nudge until all are settled, by the clock. */
  readonly ms: number;
  /** Milliseconds of processor time, of the workers' process and of Postgres. */
  readonly cpuMs: number;
}

export interface JobsFacts {
  readonly kind: 'jobs';
  /** The first is what the others are compared with. */
  readonly costs: readonly GraphCost[];
}

/** How long a stack took, from its request until it was complete, and until it was gone. */
export interface GraphTime {
  /** Its resources. */
  readonly count: number;
  readonly createMs: number;
  readonly deleteMs: number;
}

export interface StacksFacts {
  readonly kind: 'stacks';
  /** The first is what the others are compared with. */
  readonly graphs: readonly GraphTime[];
  /** Lists of stacks, by themselves and while templates are read. */
  readonly alone: Figures;
  readonly meanwhile: Figures;
  /** How many templates were read meanwhile. */
  readonly read: number;
}

export interface Failure {
  readonly kind: 'failure';
  readonly message: string;
}

/** A crowd of hostile clients; it reports what they were answered when it is asked to stop. */
export interface HostileFacts {
  readonly kind: 'hostile';
  /** The answers by status, of each kind of client. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export type Report =
  | CloudFacts
  | BareFacts
  | ImagesFacts
  | ObjectsFacts
  | JobsFacts
  | StacksFacts
  | HostileFacts
  | Failure;

/** Reports to the parent, and ends this process with it: nothing measured may outlive the run. */
export function report(facts: Report): void {
  process.once('disconnect', () => process.exit(0));
  process.send?.(facts);
}

/** @param start starts what is measured; its failure is reported as well */
export async function reportOf(start: () => Promise<Report>): Promise<void> {
  try {
    report(await start());
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report({ kind: 'failure', message });
  }
}
