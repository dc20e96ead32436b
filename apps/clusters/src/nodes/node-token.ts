/**
 * What a node shows to prove that it is one: in its user data, and only for its own row. It follows
 * from the service's key, so that nothing has to be kept, and a node that takes another's place has
 * another.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { ClusterId } from '../clusters/cluster.resource.js';
import type { NodeId } from './node.entity.js';

@Injectable()
export class NodeTokens {
  constructor(private readonly sealed: SealedJson) {}

  of(id: NodeId): string {
    return this.sealed.digest(`node:${id}`);
  }

  /** With which nodes of k3s and kubeadm join each other, in the form that kubeadm wants. */
  ofCluster(id: ClusterId): string {
    const digits = this.sealed.digest(`join:${id}`);
    return `${digits.slice(0, 6)}.${digits.slice(6, 22)}`;
  }

  isOf(id: NodeId, token: string): boolean {
    const [own, given] = [Buffer.from(this.of(id)), Buffer.from(token)];
    return own.length === given.length && timingSafeEqual(own, given);
  }
}

/** What is kept of a nonce. */
export function digestOf(nonce: string): string {
  return createHash('sha256').update(nonce).digest('hex');
}
