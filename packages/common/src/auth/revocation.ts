/**
 * Revocation events. Each revokes the tokens issued before it that match all of its fields. Public
 * source: Keystone API reference, "OS-REVOKE API".
 */
import type { TokenClaims } from '../context/token-claims.js';

/** The subject of an event; an absent field matches every token. */
export interface RevocationSubject {
  readonly auditId?: string | undefined;
  readonly auditChainId?: string | undefined;
  readonly trustId?: string | undefined;
  /** An application credential, or an access key. */
  readonly credentialId?: string | undefined;
  /** For a trust: the trustor, the trustee, and the trustees who redelegated it. */
  readonly userId?: string | undefined;
  readonly projectId?: string | undefined;
  /** The user's own domain, the one that owns the project, or the scope. */
  readonly domainId?: string | undefined;
}

export interface RevocationEvent extends RevocationSubject {
  /** Milliseconds since the epoch; tokens issued at or before are revoked. */
  readonly issuedBefore: number;
}

/** A token or an access key, as events match it. */
export type Revocable = Pick<
  TokenClaims,
  'userId' | 'userDomainId' | 'projectId' | 'domainId' | 'auditIds' | 'delegation' | 'issuedAt'
> & { readonly credentialId?: string | undefined };

type Field = keyof RevocationSubject;

/** Values of a token to match against each field; the narrowest field comes first. */
const VALUES: Readonly<Record<Field, (of: Revocable) => readonly (string | undefined)[]>> = {
  auditId: ({ auditIds }) => [auditIds[0]],
  auditChainId: ({ auditIds }) => [auditIds.at(-1)],
  trustId: ({ delegation }) => [delegation?.kind === 'trust' ? delegation.id : undefined],
  credentialId: ({ delegation, credentialId }) => [
    credentialId,
    delegation?.kind === 'application-credential' ? delegation.id : undefined,
  ],
  userId: ({ userId, delegation }) =>
    delegation?.kind === 'trust'
      ? [delegation.trustorId, delegation.trusteeId, ...(delegation.intermediaryIds ?? [])]
      : [userId],
  projectId: ({ projectId }) => [projectId],
  domainId: ({ userDomainId, domainId }) => [userDomainId, domainId],
};

const FIELDS = Object.keys(VALUES) as Field[];

/**
 * The events, indexed by the value of their narrowest field: a token is compared only with the few
 * that could match it, however many there are.
 */
export class RevocationIndex {
  readonly #byValue = new Map<string, RevocationEvent[]>();
  /** Events that match every token. */
  readonly #unlimited: RevocationEvent[] = [];

  constructor(events: readonly RevocationEvent[]) {
    for (const event of events) {
      const field = FIELDS.find((one) => event[one] !== undefined);
      if (field === undefined) this.#unlimited.push(event);
      else this.#file(keyOf(field, event[field]), event);
    }
  }

  isRevoked(token: Revocable): boolean {
    if (this.#unlimited.some((event) => matches(token, event))) return true;
    return FIELDS.some((field) =>
      VALUES[field](token).some((value) =>
        this.#byValue.get(keyOf(field, value))?.some((event) => matches(token, event)),
      ),
    );
  }

  #file(key: string, event: RevocationEvent): void {
    const filed = this.#byValue.get(key);
    if (filed) filed.push(event);
    else this.#byValue.set(key, [event]);
  }
}

function keyOf(field: Field, value: string | undefined): string {
  return `${field} ${value ?? ''}`;
}

function matches(token: Revocable, event: RevocationEvent): boolean {
  return (
    token.issuedAt <= event.issuedBefore &&
    FIELDS.every((field) => {
      const wanted = event[field];
      return wanted === undefined || VALUES[field](token).includes(wanted);
    })
  );
}
