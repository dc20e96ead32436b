/** The behaviour of simulated clusters; tests make parts of them fail. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { ReportDto } from '../nodes/node.dto.js';
import type { Node } from '../nodes/node.entity.js';

type Signal = Pick<ReportDto, 'phase' | 'status' | 'message'>;

export type AboutNode = (node: Node) => boolean;

const READY: Signal = { phase: 'ready', status: 'READY', message: 'The simulated node is ready.' };

/** Engine calls that tests can make fail. */
export type EngineCall =
  | 'apply'
  | 'observe'
  | 'remove'
  | 'removeLeftovers'
  | 'trustee'
  | 'removeTrustee';

@Injectable()
export class SimulatedWorld {
  /** IDs of clusters without infrastructure. */
  readonly removed = new Set<string>();
  /** Reasons why infrastructure cannot be deleted, by cluster ID. */
  readonly stuck = new Map<string, string>();
  /** IDs of clusters whose API cannot be reached. */
  readonly unreachable = new Set<string>();
  /** Names of nodes whose servers are gone. */
  readonly lost = new Set<string>();
  /** Reports instead of READY, or undefined for silence; the first match counts. */
  readonly signals: { readonly about: AboutNode; readonly signal: Signal | undefined }[] = [];
  /** Reasons why servers cannot be created. */
  readonly serverFailures: { readonly about: AboutNode; readonly reason: string }[] = [];
  /** Errors of the next calls, in order; undefined means success. */
  readonly failures = new Map<EngineCall, (DomainError | undefined)[]>();

  signalOf(node: Node): Signal | undefined {
    const chosen = this.signals.find(({ about }) => about(node));
    return chosen ? chosen.signal : READY;
  }

  serverFailureOf(node: Node): string | undefined {
    return this.serverFailures.find(({ about }) => about(node))?.reason;
  }

  /** @throws the next error chosen for this call */
  failIfAsked(call: EngineCall): void {
    const error = this.failures.get(call)?.shift();
    if (error) throw error;
  }
}
