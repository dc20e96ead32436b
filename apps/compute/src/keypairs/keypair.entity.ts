import { Check, Column, Entity, Generated, PrimaryColumn } from 'typeorm';

export type KeypairType = 'ssh' | 'x509';

/** A public key by which its user gets into servers. The private one is in no row of its own. */
@Entity('keypairs')
@Check('keypairs_type_check', `type IN ('ssh', 'x509')`)
export class Keypair {
  @PrimaryColumn('text', { name: 'user_id', primaryKeyConstraintName: 'keypairs_pkey' })
  userId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'keypairs_pkey' })
  name: string;

  /** The `id` that clients see; nothing is addressed by it. */
  @Column('integer')
  @Generated('increment')
  number: number;

  @Column('text')
  type: KeypairType;

  /** As the user sent it: a line of an authorized_keys file, or a certificate in PEM. */
  @Column('text', { name: 'public_key' })
  publicKey: string;

  @Column('text')
  fingerprint: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
