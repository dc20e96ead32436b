/** Requests about a server's NICs. Public source: Nova API reference, "Create Interface". */
import {
  CheckedField,
  ListField,
  ObjectField,
  StringField,
  UuidField,
} from '@cumulet/common/http/fields';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { TAG } from '../http/fields.js';
import { IP_ADDRESS, isAddress } from '../servers/dto/network-requests.js';

export class InterfaceAddressDto {
  @CheckedField(isAddress, 'must be an IP address', IP_ADDRESS)
  ip_address: string;
}

export class InterfaceDto {
  @UuidField({ optional: true, description: 'The ID of the network to create a port on.' })
  net_id?: string;

  @UuidField({ optional: true, description: 'The ID of an existing port.' })
  port_id?: string;

  @ListField(() => InterfaceAddressDto, {
    optional: true,
    minItems: 1,
    maxItems: 1,
    description: 'An address in the network `net_id`.',
  })
  fixed_ips?: InterfaceAddressDto[];

  @StringField({
    ...TAG,
    optional: true,
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

/** Answers about a server's NICs. Public source: Nova API reference, "Port interfaces". */
export const InterfaceAddressView = answerClass('InterfaceAddressView', {
  ip_address: Shown(String, 'The address.'),
  subnet_id: Shown(String, 'Its subnet.'),
});

export const InterfaceView = answerClass('InterfaceView', {
  net_id: Shown(String, 'The network.'),
  port_id: Shown(String, 'The port.'),
  mac_addr: Shown(String, 'Its MAC address.'),
  port_state: Shown(String, 'The status of the port: ACTIVE, BUILD, DOWN or ERROR.'),
  fixed_ips: Shown([() => InterfaceAddressView], 'Its addresses.'),
  tag: Shown(String, 'The tag by which the guest identifies the NIC.', {
    since: 70,
    nullable: true,
  }),
});

export const InterfaceAnswer = shownUnder('interfaceAttachment', InterfaceView);

export const InterfacesAnswer = allUnder(
  'interfaceAttachments',
  InterfaceView,
  'The interfaces, oldest first.',
);
