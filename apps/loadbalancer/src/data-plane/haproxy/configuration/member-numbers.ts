/**
 * The number by which HAProxy knows a member. It follows from the member's id alone, but where two
 * of a pool would have the same: what clients are stuck to, and where a consistent hash puts them,
 * goes by this number, and so outlasts that other members come and go.
 */
import { createHash } from 'node:crypto';
import type { MemberSpec } from '../../balancer-spec.js';

/** HAProxy's numbers of servers: positive, in 31 bits. */
const LARGEST = 2 ** 31 - 1;

export function withNumbers(members: readonly MemberSpec[]): [MemberSpec, number][] {
  const taken = new Set<number>();
  return members.map((member) => {
    let number = numberOf(member.id);
    while (taken.has(number)) number = (number % LARGEST) + 1;
    taken.add(number);
    return [member, number];
  });
}

function numberOf(id: string): number {
  return (createHash('sha256').update(id).digest().readUInt32BE() % LARGEST) + 1;
}
