/**
 * Whom a load balancer's HAProxy runs as. Root runs none as itself: each runs as a user of its own,
 * who owns that load balancer's files and nothing else, and may bind ports below 1024 besides. Any
 * other process can only be itself.
 */
import {
  effectiveUid,
  hasOwnAccounts,
  lackingCapability,
  ownAccount,
  readProcessFacts,
  TO_RUN_AS_OTHERS,
  type Account,
  type Capability,
  type ProcessFacts,
} from '@cumulet/common/programs/own-users';

/** @returns undefined for this process's own user */
export type AccountOf = (balancerId: string) => Account | undefined;

const NEEDED: readonly Capability[] = [...TO_RUN_AS_OTHERS, 'CAP_SETPCAP', 'CAP_NET_BIND_SERVICE'];

export async function findAccounts(): Promise<AccountOf> {
  return judgeAccounts(await readProcessFacts());
}

export function judgeAccounts(facts: ProcessFacts): AccountOf {
  const mayBecomeOthers =
    effectiveUid(facts) === 0 && lackingCapability(facts, NEEDED) === undefined;
  if (!mayBecomeOthers || !hasOwnAccounts(facts)) return () => undefined;
  return (balancerId) => ownAccount(`load balancer ${balancerId}`);
}
