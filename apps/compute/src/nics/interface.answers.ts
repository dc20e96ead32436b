/** Answers about a server's network cards. Public source: Nova API reference, "Port interfaces". */
import { answerClass, Shown } from '@cumulet/common/http/shown';

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
