/** Requests about a server's network cards. Public source: Nova API reference, "Create Interface". */
import {
  CheckedField,
  ListField,
  ObjectField,
  StringField,
  UuidField,
} from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { IP_ADDRESS, isAddress, TAG_PATTERN } from '../servers/dto/network-requests.js';

export class InterfaceAddressDto {
  @CheckedField(isAddress, 'must be an IP address', IP_ADDRESS)
  ip_address: string;
}

export class InterfaceDto {
  @UuidField({ optional: true, description: 'The network to make a port on.' })
  net_id?: string;

  @UuidField({ optional: true, description: 'A port that is there.' })
  port_id?: string;

  @ListField(() => InterfaceAddressDto, {
    optional: true,
    minItems: 1,
    maxItems: 1,
    description: 'An address of the network that `net_id` names.',
  })
  fixed_ips?: InterfaceAddressDto[];

  @StringField({
    optional: true,
    max: 60,
    pattern: TAG_PATTERN,
    patternText: "must hold neither '/' nor ','",
    description: 'Since 2.49.',
  })
  tag?: string;
}

export class AttachInterfaceBody {
  @ObjectField(() => InterfaceDto, {
    optional: true,
    description: "Without one, the only network that the server's project may use.",
  })
  interfaceAttachment?: InterfaceDto;
}

/** Answers about a server's network cards. Public source: Nova API reference, "Port interfaces". */
export class InterfaceAddressView {
  @Shown(String, 'The address.')
  ip_address: string;

  @Shown(String, 'Its subnet.')
  subnet_id: string;
}

export class InterfaceView {
  @Shown(String, 'The network.')
  net_id: string;

  @Shown(String, 'The port.')
  port_id: string;

  @Shown(String, 'Its MAC address.')
  mac_addr: string;

  @Shown(String, 'Whether the port carries packets: ACTIVE, BUILD, DOWN or ERROR.')
  port_state: string;

  @Shown([() => InterfaceAddressView], 'Its addresses.')
  fixed_ips: InterfaceAddressView[];

  @Shown(String, 'The tag by which the guest finds the card.', { since: 70, nullable: true })
  tag?: string | null;
}

export const InterfaceAnswer = answerClass('InterfaceAnswer', {
  interfaceAttachment: Shown(() => InterfaceView, 'The network card.'),
});

export const InterfacesAnswer = answerClass('InterfacesAnswer', {
  interfaceAttachments: Shown([() => InterfaceView], 'The network cards, the oldest first.'),
});
