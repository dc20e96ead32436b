import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The one row by which this database claims its store; see `store-claims.ts`. */
@Entity('store_claim')
export class StoreClaim {
  /** The mark that the store bears. */
  @PrimaryColumn('uuid', {
    name: 'database_id',
    primaryKeyConstraintName: 'store_claim_pkey',
  })
  databaseId: string;

  /** The description of the store that bears it; null if none does yet. */
  @Column('text', { nullable: true })
  store: string | null;
}
