/** Consumers on the wire. Public source: Key Manager API reference, "Consumers". */
import { StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { pageClass } from '../http/pages.js';
import { zonelessTime } from '../http/time.js';
import type { ContainerConsumerRow, SecretConsumerRow } from './consumer.entity.js';

@IgnoresOthers()
export class SecretConsumerDto {
  @StringField({ description: 'The type of the service: load-balancer.' })
  service: string;

  @StringField({ description: 'The type of what uses it there: listener.' })
  resource_type: string;

  @StringField({ description: 'The id of what uses it there.' })
  resource_id: string;
}

@IgnoresOthers()
export class ContainerConsumerDto {
  @StringField({ description: 'What uses it.' })
  name: string;

  @StringField({ max: 2_048, description: 'The address of what uses it.' })
  URL: string;
}

abstract class RegisteredView {
  @Shown(String, 'Whether it is registered.', { enum: ['ACTIVE'], from: () => 'ACTIVE' })
  status: string;

  @Shown<SecretConsumerRow>(String, 'When it was registered, in UTC.', {
    from: ({ createdAt }) => createdAt,
  })
  created: string;

  /** A consumer does not change. */
  @Shown<SecretConsumerRow>(String, 'The same.', { from: ({ createdAt }) => createdAt })
  updated: string;
}

class RegisteredSecretConsumer extends RegisteredView {
  @Shown(String, 'The type of the service that uses it.')
  service: string;

  @Shown(String, 'The type of what uses it there.')
  resource_type: string;

  @Shown(String, 'The id of what uses it there.')
  resource_id: string;
}

class RegisteredContainerConsumer extends RegisteredView {
  @Shown(String, 'What uses it.')
  name: string;

  @Shown<ContainerConsumerRow>(String, 'The address of what uses it.', { from: ({ url }) => url })
  URL: string;
}

export const SecretConsumerPage = pageClass('consumers', RegisteredSecretConsumer);
export const ContainerConsumerPage = pageClass('consumers', RegisteredContainerConsumer);

export const secretConsumerView = viewOf<SecretConsumerRow, RegisteredSecretConsumer>(
  RegisteredSecretConsumer,
  zonelessTime,
);
export const containerConsumerView = viewOf<ContainerConsumerRow, RegisteredContainerConsumer>(
  RegisteredContainerConsumer,
  zonelessTime,
);
