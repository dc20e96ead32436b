import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Shown } from '@cumulet/common/http/shown';

/** The published members of an Ed25519 public key (RFC 8037). */
export class SigningKeyView {
  @Shown(String, 'The type of the key.', { enum: ['OKP'] })
  readonly kty: string;

  @Shown(String, 'The curve.', { enum: ['Ed25519'] })
  readonly crv: string;

  @Shown(String, 'The public key, in base64url.')
  readonly x: string;

  @Shown(String, 'The RFC 7638 thumbprint, as in the header of tokens.')
  readonly kid: string;

  @Shown(String, 'The signature algorithm.', { enum: ['EdDSA'] })
  readonly alg: string;

  @Shown(String, 'The intended use.', { enum: ['sig'] })
  readonly use: string;
}

export type SigningKeyJwk = Pick<SigningKeyView, keyof SigningKeyView>;

/** An Ed25519 key pair. The newest signs; all verify. */
@Entity('signing_keys')
export class SigningKey {
  /** The RFC 7638 thumbprint. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'signing_keys_pkey' })
  kid: string;

  @Column('jsonb', { name: 'public_jwk' })
  publicJwk: SigningKeyJwk;

  /** Encrypted under the configured key. */
  @Column('text', { name: 'sealed_private_jwk' })
  sealedPrivateJwk: string;

  /** Later than its publication, so that every service has read the key by then. */
  @Column('timestamptz', { name: 'signs_from', default: () => 'now()' })
  signsFrom: Date;

  /** Maximum lifetime of its tokens in seconds: it must be published for that long. */
  @Column('integer', { name: 'token_lifetime', default: 604_800 })
  tokenLifetime: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  @Index('signing_keys_created_at_idx')
  createdAt: Date;
}

export type NewSigningKey = Pick<SigningKey, 'kid' | 'publicJwk' | 'sealedPrivateJwk'>;
