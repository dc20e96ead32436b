import { Entity, PrimaryColumn } from 'typeorm';

/** The one row by which this database claims its store; see `ImageStore.claim`. */
@Entity('store_claim')
export class StoreClaim {
  @PrimaryColumn('uuid', {
    name: 'database_id',
    primaryKeyConstraintName: 'store_claim_pkey',
  })
  databaseId: string;
}
