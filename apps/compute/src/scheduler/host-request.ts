/** What a server needs of its host, with everything that its hints refer to looked up. */
import type { Policy } from '../server-groups/server-group.entity.js';

export interface HostRequest {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  readonly flavorName: string;
  readonly extraSpecs: Readonly<Record<string, string>>;
  /** `hw_architecture` and the like. */
  readonly imageProperties: Readonly<Record<string, string>>;
  /** Hosts that it must not go to: where it is already, or where its build has failed. */
  readonly excluded: readonly string[];
  readonly zone?: string | undefined;
  readonly host?: string | undefined;
  /** Whether an administrator has said the host instead of the scheduler: it need only have room. */
  readonly isForced?: boolean;
  /** The hosts of the servers that it must be beside, and must not be beside. */
  readonly besideHosts?: readonly string[] | undefined;
  readonly apartHosts?: readonly string[] | undefined;
  /** A network that the host's address must be in: `192.0.2.1/24`. */
  readonly near?: string | undefined;
  /** Of the JSON filter: `[">=", "$free_ram_mb", 1024]`. */
  readonly query?: unknown;
  readonly group?: GroupRequest | undefined;
}

/** The group of the server, with how many of its other members are on each host. */
export interface GroupRequest {
  readonly policy: Policy;
  readonly maxPerHost: number;
  readonly members: ReadonlyMap<string, number>;
}
