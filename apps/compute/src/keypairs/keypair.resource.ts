/** Public source: Nova API reference, "Keypairs (keypairs)". */
import { Check, Entity } from 'typeorm';
import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, pick, rowOf } from '@cumulet/common/resources/classes';
import { choice, integer, text } from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import { bodyUnder } from '../http/fields.js';
import { Link } from '../http/pages.js';
import { zonelessInstant } from '../http/times.js';

const TYPES = ['ssh', 'x509'] as const;
export type KeypairType = (typeof TYPES)[number];

const KEY = { primary: true, primaryKeyConstraintName: 'keypairs_pkey' };

const KEYPAIR = {
  userId: shownOnly(text(), {
    about: 'The ID of the user who owns the key pair.',
    column: KEY,
  }),
  name: shownOnly(text(), {
    about: "The name, unique among the user's key pairs.",
    column: KEY,
  }),
  number: shownOnly(integer(), {
    about: 'An internal number without use.',
    wire: 'id',
    column: { generated: 'increment' },
  }),
  type: shownOnly(choice(TYPES), { about: 'The type of the key.', versions: { since: 2 } }),
  publicKey: shownOnly(text(), {
    about: 'The public key: a line of an authorized_keys file, or a certificate in PEM.',
  }),
  fingerprint: shownOnly(text(), { about: 'MD5 of an SSH key, SHA-1 of a certificate.' }),
  createdAt: shownOnly(zonelessInstant, {
    about: 'When the key pair was created, in UTC.',
    column: { default: () => 'now()' },
  }),
} as const;

/** A user's public key for servers. The private key is never stored. */
@Entity('keypairs')
@Check('keypairs_type_check', `type IN ('ssh', 'x509')`)
export class Keypair extends rowOf(KEYPAIR) {}

const summary = pick(KEYPAIR, ['name', 'type', 'publicKey', 'fingerprint']);

export class KeypairSummary extends answerOf(summary) {}

export class CreatedKeypair extends answerOf(
  { ...summary, userId: KEYPAIR.userId },
  {
    private_key: Shown(String, 'The private key in PEM, where it was generated; shown only once.', {
      optional: true,
    }),
  },
) {}

const unused = Shown(String, 'Always null.', { nullable: true, from: () => null });

export class KeypairView extends answerOf(KEYPAIR, {
  deleted: Shown(Boolean, 'Always false.', { from: () => false }),
  deleted_at: unused,
  updated_at: unused,
}) {}

const Listed = shownUnder('keypair', KeypairSummary);

export const KeypairList = answerClass('KeypairList', {
  keypairs: Shown([() => Listed], 'The key pairs of the page.'),
  keypairs_links: Shown([() => Link], 'The next page, if there is one.', { optional: true }),
});

const OWNER = {
  optional: true,
  description: 'The ID of the owner; only administrators may name another user. Since 2.10.',
};

export class KeypairQuery {
  @StringField(OWNER)
  user_id?: string;
}

@SortedBy(['name'])
export class ListKeypairsQuery extends KeypairQuery {
  @IntegerField({ optional: true, fromText: true, max: 1000, description: 'Since 2.35.' })
  limit?: number;

  @StringField({ optional: true, description: 'The name of a key pair. Since 2.35.' })
  marker?: string;
}

export class CreateKeypairDto {
  @StringField({
    pattern: /^(?=.*\S)[_\-@. a-zA-Z0-9]+$/,
    patternText: "must contain only letters, digits, spaces, '-', '_' and, since 2.92, '@' and '.'",
  })
  name: string;

  @EnumField(TYPES, { optional: true, description: 'Since 2.2.' })
  type?: KeypairType;

  @StringField({
    optional: true,
    max: 16_384,
    description: 'Required since 2.92; before, a key pair is generated if it is missing.',
  })
  public_key?: string;

  @StringField(OWNER)
  user_id?: string;
}

export class CreateKeypairBody extends bodyUnder('keypair', CreateKeypairDto) {}
