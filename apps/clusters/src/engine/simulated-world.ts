/** How simulated clusters behave, as a test has chosen: all is well unless it says otherwise. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { ReportDto } from '../nodes/node.dto.js';
import type { Node } from '../nodes/node.entity.js';

type Signal = Pick<ReportDto, 'phase' | 'status' | 'message'>;

/** Whether a choice is about this node. */
export type AboutNode = (node: Node) => boolean;

const READY: Signal = { phase: 'ready', status: 'READY', message: 'The simulated node is ready.' };

/** What an engine is asked, each of which may be made to fail. */
export type EngineCall =
  'apply' | 'observe' | 'remove' | 'removeLeftovers' | 'trustee' | 'removeTrustee';

@Injectable()
export class SimulatedWorld {
  /** The ids of clusters whose infrastructure is gone. */
  readonly removed = new Set<string>();
  /** Why the infrastructure of clusters does not go, by their ids. */
  readonly stuck = new Map<string, string>();
  /** The ids of clusters whose API cannot be reached. */
  readonly unreachable = new Set<string>();
  /** The names of nodes whose servers are gone. */
  readonly lost = new Set<string>();
  /** What nodes say in place of that they are ready; undefined: nothing. The first that is about it counts. */
  readonly signals: { readonly about: AboutNode; readonly signal: Signal | undefined }[] = [];
  /** Why servers of nodes cannot be made. */
  readonly serverFailures: { readonly about: AboutNode; readonly reason: string }[] = [];
  /** The errors of the next calls, one each; undefined of one that succeeds. */
  readonly failures = new Map<EngineCall, (DomainError | undefined)[]>();

  signalOf(node: Node): Signal | undefined {
    const chosen = this.signals.find(({ about }) => about(node));
    return chosen ? chosen.signal : READY;
  }

  serverFailureOf(node: Node): string | undefined {
    return this.serverFailures.find(({ about }) => about(node))?.reason;
  }

  /** @throws the next error that a test has chosen for this call */
  failIfAsked(call: EngineCall): void {
    const error = this.failures.get(call)?.shift();
    if (error) throw error;
  }
}
