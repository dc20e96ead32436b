/** Key pairs on the wire. Public source: Nova API reference, "Keypairs (keypairs)". */
import { EnumField, IntegerField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { SortedBy } from '@cumulet/common/tables/listing';
import { Link } from '../http/pages.js';
import type { Keypair, KeypairType } from './keypair.entity.js';

class UserQuery {
  @StringField({
    optional: true,
    description: 'Whose; for administrators. Since 2.10.',
  })
  user_id?: string;
}

export class KeypairQuery extends UserQuery {}

@SortedBy(['name'])
export class ListKeypairsQuery extends UserQuery {
  @IntegerField({ optional: true, fromText: true, max: 1000, description: 'Since 2.35.' })
  limit?: number;

  @StringField({ optional: true, description: 'The name of one. Since 2.35.' })
  marker?: string;
}

export class CreateKeypairDto {
  @StringField({
    pattern: /^(?=.*\S)[_\-@. a-zA-Z0-9]+$/,
    patternText: "must hold letters, digits, spaces, '-', '_' and, since 2.92, '@' and '.' alone",
  })
  name: string;

  @EnumField(['ssh', 'x509'], { optional: true, description: 'Since 2.2.' })
  type?: KeypairType;

  @StringField({
    optional: true,
    max: 16_384,
    description: 'Required since 2.92; a key pair is made where there is none before.',
  })
  public_key?: string;

  @StringField({ optional: true, description: 'Whose; for administrators. Since 2.10.' })
  user_id?: string;
}

export class CreateKeypairBody {
  @ObjectField(() => CreateKeypairDto)
  keypair: CreateKeypairDto;
}

export class KeypairSummary {
  @Shown(String, 'Its name, which no other key pair of the user has.')
  name: string;

  @Shown(String, 'What it is.', { enum: ['ssh', 'x509'], since: 2 })
  type?: string;

  @Shown(String, 'The public key.')
  public_key: string;

  @Shown(String, 'MD5 of an SSH key, SHA-1 of a certificate.')
  fingerprint: string;
}

export class CreatedKeypair extends KeypairSummary {
  @Shown(String, 'Whose it is.')
  user_id: string;

  @Shown(String, 'The private key, where it was made: in PEM, shown this once.', {
    optional: true,
  })
  private_key?: string;
}

export class KeypairView extends KeypairSummary {
  @Shown(String, 'Whose it is.')
  user_id: string;

  @Shown<Keypair>('integer', 'Of no use.', { from: ({ number }) => number })
  id: number;

  @Shown('date-time', 'When it was created, in UTC.', {
    schema: { format: undefined as never },
  })
  created_at: string;

  @Shown(Boolean, 'Of no use.', { from: () => false })
  deleted: boolean;

  @Shown(String, 'Of no use.', { nullable: true, from: () => null })
  deleted_at: string | null;

  @Shown(String, 'Of no use.', { nullable: true, from: () => null })
  updated_at: string | null;
}

const Listed = answerClass('ListedKeypair', {
  keypair: Shown(() => KeypairSummary, 'The key pair.'),
});

export const KeypairList = answerClass('KeypairList', {
  keypairs: Shown([() => Listed], 'The key pairs of the page.'),
  keypairs_links: Shown([() => Link], 'The next page, where there is one.', { optional: true }),
});
